/*
 * examples_cache: the test examples of a baseline's cells in one file beside
 * it, so that a paired test needs no store.
 *
 *     results/baselines/NAME.examples.h5   a sealed trace (store/trace_file.h)
 *     cells/ID    int32 [8]: which array is its nll, tokens, hits, words,
 *                 hypothesis, reference, subtask, group; -1: it has none
 *     arrays      int32 [K][3]: each one's type (0 to 2: as follows), first
 *                 value there, and length
 *     values/0    int32, values/1 float32, values/2 float64: all arrays, each
 *                 of the first type that loses nothing; texts are bytes of
 *                 UTF-8, one value each, and each text has a 0 behind
 *
 * What cells share (references, counts of tokens) is there once; all is
 * shuffled and deflated.  The baseline has the fact `examples`, the file's
 * SHA-256: of another baseline, or edited, it is refused.
 */
#pragma once

#include "harness/gate/baseline.h"
#include "harness/report/outcomes.h"

struct examples_cache;

/* "results/baselines/NAME.examples.h5" of ".../NAME.tsv"; caller frees. */
char *examples_cache_path(const char *baseline);

/* Writes those of b's cells out of their store, and tells b of it.  *bytes: of
 * the file.  ERR_STORE: a cell is damaged. */
int examples_cache_save(struct baseline *b, const char *path, const char *store,
                        size_t *bytes);

/* The file beside the baseline that was read from `baseline`; *out is NULL
 * where b has none, or where it is not there.  ERR_STORE: it is damaged, or
 * another baseline's. */
int examples_cache_open(struct examples_cache **out, const struct baseline *b,
                        const char *baseline);
void examples_cache_close(struct examples_cache *k); /* NULL is fine */
OWNER(examples_cache_close, struct examples_cache *)

/* As examples_read of the cell; examples_close in any case. */
int examples_cache_read(struct tested *out, const struct examples_cache *k,
                        const char *id);
