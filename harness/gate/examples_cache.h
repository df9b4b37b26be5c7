/*
 * examples_cache: writes and reads a file next to a baseline with the test
 * examples of the baseline's cells, so that a paired test of later results does
 * not need the baseline's store.  `baseline save --examples` writes the file;
 * the gate opens it and reads the examples of each cell.
 *
 *     results/baselines/NAME.examples.h5   a trace file (store/trace_file.h)
 *                 that ends with its SHA-256
 *     cells/ID    int32 [8]: index, in `arrays`, of the cell's nll, tokens,
 *                 hits, words, hypothesis, reference, subtask and group; -1:
 *                 the cell does not have the array
 *     arrays      int32 [K][3]: for each array, the number T of the data set
 *                 values/T that holds it, the index of its first value there,
 *                 and its length
 *     values/0    int32, values of all arrays that int32 can represent.  Texts
 *                 are UTF-8 bytes, one value each; a 0 ends each text
 *     values/1    float32, likewise, for arrays that int32 cannot represent
 *     values/2    float64, values of the remaining arrays
 *
 * Arrays that cells share (references, counts of tokens) are stored once; all
 * values are shuffled and deflated.  The fact `examples` of the baseline is the
 * SHA-256 of the file, so that an edited file, or the file of another baseline,
 * is rejected.
 */
#pragma once

#include "harness/gate/baseline.h"
#include "harness/report/outcomes.h"

struct examples_cache;

/* Returns "results/baselines/NAME.examples.h5" for ".../NAME.tsv"; the caller
 * frees it. */
char *examples_cache_path(const char *baseline);

/* Writes the test examples of the cells of `b`, which it reads from `store`, to
 * the file `path`, adds the fact `examples` to `b`, and sets *bytes to the size
 * of the file.  Returns ERR_STORE if a cell is damaged. */
int examples_cache_save(struct baseline *b, const char *path, const char *store,
                        size_t *bytes);

/* Opens the file next to the baseline `b`, which was read from the path
 * `baseline`.  If there is no such file, sets *out to NULL and returns OK.
 * Returns ERR_STORE if the file is damaged or belongs to another baseline. */
int examples_cache_open(struct examples_cache **out, const struct baseline *b,
                        const char *baseline);
void examples_cache_close(struct examples_cache *k); /* NULL is fine */
OWNER(examples_cache_close, struct examples_cache *)

/* Reads the test examples of a cell, as examples_read does.  The caller calls
 * examples_close even after an error. */
int examples_cache_read(struct tested *out, const struct examples_cache *k,
                        const char *id);
