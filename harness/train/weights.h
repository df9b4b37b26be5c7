/*
 * weights: a trained model as one HDF5 file, STORE/weights/ID.h5.  Another cell
 * can start from it (setting `pretrained`), and any HDF5 reader can open it.
 *
 *     /                attributes config: the cell's settings, JSON; state:
 *                      {"id": the cell, "variant", "data": SHA-256 of its
 *                      training data, "vocabulary": SHA-256 of its tokenizer,
 *                      "" for a generator's symbols, "sha256": of the learned
 *                      tensors}
 *     /params/NAME     learned tensors, float32 (float64 if real is double)
 *     /frozen/NAME     frozen ones
 *
 * The last line of the file is the SHA-256 of everything before it, as in a
 * cell file.  The cell file contains the digests of this file and of the
 * tensors; a cell that starts from the weights compares them.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/data/dataset.h"
#include "harness/nn/params.h"
#include "harness/store/trace_file.h"

/* Returns STORE/weights/ID.h5; the caller frees it. */
char *weights_path(const char *store, const char *id);

/* The cell that the weights belong to. */
struct weights_of { const char *store, *id, *variant; };

/* Writes the file.  config: JSON; sha256: that of trainer_digest.  Returns
 * ERR_IO or ERR_SPACE if it cannot be written. */
int weights_write(const struct params *ps, const struct dataset *d,
                  const struct weights_of *of, const char *config,
                  const char *sha256);

/* Reads the digest of the cell's final learned tensors from the cell file.
 * Returns ERR_STORE if that file is damaged, or ERR_DATA if there is none. */
int weights_digest(char sha256[HASH_HEX], const struct weights_of *of);

/* Reads learned and frozen tensors, which must have the same names and shapes.
 * Returns ERR_DATA if there is no such file, or if it is not the one that the
 * cell wrote, or of another model, variant or vocabulary; ERR_STORE if the cell
 * file is damaged. */
int weights_read(struct params *ps, const struct dataset *d,
                 const struct weights_of *of);

/* Returns OK if STORE/weights/ID.h5 is intact and of this cell or, with
 * of_cell, is the very file that the cell wrote.  Otherwise, or if there is
 * none, returns ERR_STORE. */
int weights_check(const char *store, const char *id, int of_cell);

/* For traces, which have the same arrays.  weights_put adds x with the name and
 * shape of p, as float32; weights_take reads all tensors of ps.  path: the name
 * of the file in messages. */
void weights_put(struct trace_file *f, const char *group,
                 const struct param *p, const real *x);
int weights_take(struct params *ps, const struct trace_file *f,
                 const char *path);
