/*
 * examples_cache: one file next to a baseline with the test examples of its
 * cells, so that a paired test needs no store.  `baseline save --examples`
 * writes it; the gate opens it and reads the examples of each cell.
 *
 *     results/baselines/NAME.examples.h5   a sealed trace (store/trace_file.h)
 *     cells/ID    int32 [8]: index of the array of nll, tokens, hits, words,
 *                 hypothesis, reference, subtask, group; -1: the cell has none
 *     arrays      int32 [K][3]: type of each array (0 to 2, as below), index of
 *                 its first value there, and length
 *     values/0    int32, values/1 float32, values/2 float64: all arrays, each
 *                 of the first type that loses nothing.  Texts are UTF-8 bytes,
 *                 one value each; a 0 ends each text
 *
 * Arrays that cells share (references, counts of tokens) are stored once; all
 * values are shuffled and deflated.  The fact `examples` of the baseline is the
 * SHA-256 of the file; a file of another baseline, or an edited one, is
 * rejected.
 */
#pragma once

#include "harness/gate/baseline.h"
#include "harness/report/outcomes.h"

struct examples_cache;

/* Returns "results/baselines/NAME.examples.h5" for ".../NAME.tsv"; the caller
 * frees it. */
char *examples_cache_path(const char *baseline);

/* Writes the test examples of b's cells from their store and adds the fact
 * `examples` to b.  *bytes: size of the file.  Returns ERR_STORE if a cell is
 * damaged. */
int examples_cache_save(struct baseline *b, const char *path, const char *store,
                        size_t *bytes);

/* Opens the file next to the baseline b, which was read from the path
 * `baseline`.  If there is no such file, *out is NULL and the result OK.
 * Returns ERR_STORE if the file is damaged or belongs to another baseline. */
int examples_cache_open(struct examples_cache **out, const struct baseline *b,
                        const char *baseline);
void examples_cache_close(struct examples_cache *k); /* NULL is fine */
OWNER(examples_cache_close, struct examples_cache *)

/* Reads the test examples of a cell, as examples_read does.  The caller calls
 * examples_close in any case. */
int examples_cache_read(struct tested *out, const struct examples_cache *k,
                        const char *id);
