/*
 * pack: a dataset as a prepared file (prepared.h) that is written in blocks of
 * rows and read in place.  To write, call pack_begin, then pack_add for each
 * block, then pack_end; to read, call unpack_dataset.
 *
 *     int[6]   kind vocab classes, bytes of an id (2, or 4 if the vocabulary
 *              needs them), bytes of the tokenizer's model, 0
 *     bytes    model
 *     blocks, split by split, each of one split:
 *       int[8] per row: nsource ntarget label words subtask group, bytes of
 *              the text with its NUL (0: no text), offset of its ids, in ints
 *              from the beginning of the block
 *       bytes  per row: ids of the source, ids of the target; text
 *     bytes    source
 *     struct pack_block per block
 *     int[16]  subset, bytes of the source with its NUL; per split: blocks,
 *              examples, dropped, truncated; 0, the number of this format
 *
 * Bytes and ids are padded with 0 to whole ints; the source begins and ends at
 * a multiple of 8 bytes of the payload.  Numbers have the byte order of the
 * machine.  Neither the writer nor the reader keeps a list of rows: memory
 * holds one block and 16 bytes for each block.
 */
#pragma once

#include "harness/data/dataset.h"

/* A block has n rows of a split, from row `first` on; `at` is its offset in the
 * payload, in bytes. */
struct pack_block { long long at; int first, n; };

struct packing {                   /* starts as {0}, then set `to` */
    struct preparing *to;
    struct examples count[SPLITS]; /* n of the rows packed so far; the caller
                                      counts dropped and truncated */
    long long at;                  /* bytes written so far */
    int blocks[SPLITS], all;
    size_t cap;
    struct pack_block *block;
};

/* Writes the head: d's kind, vocab and classes, and the model, which may be
 * NULL. */
int pack_begin(struct packing *p, const struct dataset *d, const char *model,
               size_t model_bytes);

/* Returns a block of n rows with ids below `vocab`, in arena a, and sets *bytes
 * to its size.  Threads may make several blocks at the same time. */
const void *pack_rows(size_t *bytes, const struct example *row, int n,
                      int vocab, struct arena *a);

/* Adds a block of n rows; all blocks of a split come before those of the next.
 * If n is 0, does nothing.  Returns ERR_IO or ERR_SPACE if writing fails. */
int pack_add(struct packing *p, enum split s, const void *rows, size_t bytes,
             int n);

/* Writes the end.  Uses d's source and subset, which need not be known
 * earlier. */
int pack_end(struct packing *p, const struct dataset *d);

/* Frees what p owns, and removes the file if it is incomplete
 * (preparing_drop). */
void pack_drop(struct packing *p);

/* Returns 1 and sets n to the number of examples of each split prepared under
 * the key, or returns 0 if there is nothing or no valid number.  The rows are
 * not read, so the numbers of a damaged file may be wrong. */
int packed_counts(int n[SPLITS], const char *cache, const char *key);

/* Returns 1 if the file has the current format, or 0 if an earlier version
 * wrote it. */
int pack_is_current(const struct prepared *p);

/* Fills d from d->file, which has the current format; the rows remain in the
 * file (examples_row).  The caller sets N and orders.  Returns ERR_DATA if the
 * tokenizer's model cannot be loaded. */
int unpack_dataset(struct dataset *d);
