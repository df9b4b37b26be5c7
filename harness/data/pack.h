/*
 * pack: a dataset as a prepared file (prepared.h), which is written in blocks
 * of rows and read in place.
 *
 *     int[6]   kind vocab classes, bytes of an id (2, or 4 if the vocabulary
 *              needs them), bytes of the tokenizer's model, 0
 *     bytes    model
 *     blocks, split by split, each of one split:
 *       int[8] of each row: nsource ntarget label words subtask group, bytes
 *              of the text with its NUL (0: none), where its ids begin, in
 *              ints from the beginning of the block
 *       bytes  of each row: ids of the source, ids of the target; text
 *     bytes    source
 *     struct pack_block of each block
 *     int[16]  subset, bytes of the source with its NUL; of each split: blocks,
 *              examples, dropped, truncated; 0, the number of this format
 *
 * Bytes and ids are filled up with 0 to whole ints; the source begins and ends
 * at a multiple of 8 bytes of the payload; numbers are this machine's.  Neither
 * the writer nor the reader has a list of rows: one block and 16 bytes of each
 * block are all that lies in memory.
 */
#pragma once

#include "harness/data/dataset.h"

struct pack_block { long long at; int first, n; }; /* rows first .. of a split;
                                                      at: bytes from the
                                                      payload's beginning */

struct packing {                   /* starts as {0} */
    struct preparing *to;
    struct examples count[SPLITS]; /* n, dropped, truncated: of what is packed;
                                      the last two are the caller's to count */
    long long at;                  /* bytes so far */
    int blocks[SPLITS], all;
    size_t cap;
    struct pack_block *block;
};

/* The beginning: d's kind, vocab, classes; model: NULL for none. */
int pack_begin(struct packing *p, const struct dataset *d, const char *model,
               size_t model_bytes);

/* A block of n rows with ids below `vocab`, *bytes long, from arena a.  Threads
 * may make several at a time. */
const void *pack_rows(size_t *bytes, const struct example *row, int n,
                      int vocab, struct arena *a);

/* Adds a block of n rows, all of a split before those of the next; nothing if
 * n is 0.  ERR_IO, ERR_SPACE. */
int pack_add(struct packing *p, enum split s, const void *rows, size_t bytes,
             int n);

/* d: source and subset, which only now need be known. */
int pack_end(struct packing *p, const struct dataset *d);

/* Frees what p owns; the file too, if it is not complete (preparing_drop). */
void pack_drop(struct packing *p);

/* Examples of each split of what is prepared under that key, without reading
 * them, so that a damaged file may say too few or too many: 1; 0: there is
 * nothing, or what says no number of examples. */
int packed_counts(int n[SPLITS], const char *cache, const char *key);

/* 1: what is prepared has this format, not that of an earlier version. */
int pack_is_current(const struct prepared *p);

/* d->file is current; the rows stay in it (examples_row).  N and orders are the
 * caller's to set.  ERR_DATA: the model does not load. */
int unpack_dataset(struct dataset *d);
