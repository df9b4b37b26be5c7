/*
 * pack: a dataset as a prepared file (prepared.h), written example by example
 * and read in place.
 *
 *     int[4]   kind vocab classes, bytes of the tokenizer's model
 *     bytes    model
 *     of each example, split by split
 *     int[8]   nsource ntarget label words subtask group, bytes of the text
 *              with its NUL (0: none), 0
 *     int[]    source ids, target ids
 *     bytes    text
 *     bytes    source
 *     int[11]  subset, bytes of the source with its NUL; of each split:
 *              examples dropped truncated
 *
 * Bytes are filled up with 0 to whole ints; numbers are this machine's.
 */
#pragma once

#include "harness/data/dataset.h"

struct packing {
    struct preparing *to;
    struct examples count[SPLITS]; /* n, dropped, truncated: of what is packed;
                                      the last two are the caller's to count */
};

/* The beginning: d's kind, vocab, classes; model: NULL for none. */
int pack_begin(struct packing *p, const struct dataset *d, const char *model,
               size_t model_bytes);

/* One more; all of a split before those of the next.  ERR_IO, ERR_SPACE. */
int pack_example(struct packing *p, enum split s, const struct example *e);

/* d: source and subset, which only now need be known. */
int pack_end(struct packing *p, const struct dataset *d);

/* Examples of each split of what is prepared under that key, without reading
 * them, so that a damaged file may say too few or too many: 1; 0: there is
 * nothing, or what says no number of examples. */
int packed_counts(int n[SPLITS], const char *cache, const char *key);

/* Rows point into d->file; N and orders are the caller's to set.  ERR_DATA:
 * the model does not load. */
int unpack_dataset(struct dataset *d);
