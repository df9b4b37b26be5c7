/*
 * pack: stores a dataset in a prepared file (prepared.h), which is written in
 * blocks of rows and read in place.  To write, call pack_begin, then pack_rows
 * and pack_add for each block, then pack_end; to read, call unpack_dataset.
 * The payload consists of:
 *
 *     int[6]   kind, vocab, classes; bytes of an id (2, or 4 if the vocabulary
 *              needs them); bytes of the tokenizer's model; 0
 *     bytes    the tokenizer's model
 *     blocks of rows, first those of the training split, then those of the
 *     validation split, then those of the test split; each consists of:
 *       int[8] for each row: nsource, ntarget, label, words, subtask, group;
 *              bytes of its text with NUL (0: no text); offset of its ids, in
 *              ints from the beginning of the block
 *       bytes  for each row: ids of the source, ids of the target, text
 *     bytes    the dataset's `source`
 *     struct pack_block for each block
 *     int[16]  subset; bytes of `source` with NUL; for each split the numbers
 *              of blocks, examples, dropped and truncated; 0; the number of
 *              this format
 *
 * Bytes and ids are padded with 0 to whole ints; `source` begins and ends at a
 * multiple of 8 bytes of the payload.  Numbers have the byte order of the
 * machine.  Neither the writer nor the reader keeps a list of rows: memory
 * holds the rows of one block, and 16 bytes for every block.
 */
#pragma once

#include "harness/data/dataset.h"

/* A block holds the rows `first` to `first` + `n` - 1 of a split; `at` is its
 * offset in the payload, in bytes. */
struct pack_block { long long at; int first, n; };

struct packing { /* starts with all members 0 except `to`, which the caller
                    sets */
    struct preparing *to;
    struct examples count[SPLITS]; /* `n` counts the rows packed so far; the
                                      caller sets `dropped` and `truncated`
                                      before pack_end */
    long long at;                  /* bytes written so far */
    int blocks[SPLITS], all;       /* blocks per split, and in total */
    size_t cap;
    struct pack_block *block;
};

/* Writes the beginning of the file: d's kind, vocab and classes, and the
 * tokenizer's model, which may be NULL. */
int pack_begin(struct packing *p, const struct dataset *d, const char *model,
               size_t model_bytes);

/* Returns a block of n rows with ids below `vocab`, in arena a, and sets *bytes
 * to its size.  Several threads may call this function at the same time. */
const void *pack_rows(size_t *bytes, const struct example *row, int n,
                      int vocab, struct arena *a);

/* Writes a block of n rows of split s, made by pack_rows.  The caller writes
 * all blocks of a split before those of the next split.  If n is 0, does
 * nothing.  Returns ERR_IO or ERR_SPACE if writing fails. */
int pack_add(struct packing *p, enum split s, const void *rows, size_t bytes,
             int n);

/* Writes the end of the file.  d's `source` and `subset` may be set after
 * pack_begin, but must be set before this call. */
int pack_end(struct packing *p, const struct dataset *d);

/* Frees p's members, and removes the file if it is incomplete
 * (preparing_drop). */
void pack_drop(struct packing *p);

/* Returns 1 and sets n to the number of examples of each split of the dataset
 * prepared under `key`.  Returns 0 if there is no such file, another version
 * wrote it, or its numbers are invalid.  The rows are not read, so the numbers
 * of a damaged file may be wrong. */
int packed_counts(int n[SPLITS], const char *cache, const char *key);

/* Returns 1 if the file has the current format, or 0 if an earlier version
 * wrote it. */
int pack_is_current(const struct prepared *p);

/* Fills d from d->file, which must have the current format; the rows remain in
 * the file, where examples_row reads them.  The caller sets d->N and d->orders.
 * Returns ERR_DATA if the tokenizer's model cannot be loaded. */
int unpack_dataset(struct dataset *d);
