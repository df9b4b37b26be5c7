/*
 * weights: writes and reads the weights of a trained model as one HDF5 file,
 * STORE/weights/ID.h5.  Another cell can start from the file (setting
 * `pretrained`), and any HDF5 reader can open it.
 *
 *     /                attributes config: the cell's settings, JSON; state:
 *                      {"id": the cell, "variant", "data": SHA-256 of its
 *                      training data, "vocabulary": SHA-256 of its tokenizer,
 *                      or "" if the data are generated, "sha256": SHA-256 of
 *                      the learned tensors}
 *     /params/NAME     learned tensors, float32 (float64 if real is double)
 *     /frozen/NAME     frozen tensors
 *
 * The last line of the file is the SHA-256 of everything before it, as in a
 * cell file.  The cell file contains the digests of this file and of the
 * tensors; a cell that starts from the weights checks both.
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

/* Writes the file.  `config` is the JSON text of the settings, `sha256` the
 * digest by trainer_digest.  Returns OK, or ERR_IO or ERR_SPACE if the file
 * cannot be written. */
int weights_write(const struct params *ps, const struct dataset *d,
                  const struct weights_of *of, const char *config,
                  const char *sha256);

/* Reads the digest of the cell's final learned tensors from the cell file.
 * Returns ERR_STORE if the cell file is damaged, or ERR_DATA if there is
 * none. */
int weights_digest(char sha256[HASH_HEX], const struct weights_of *of);

/* Reads the learned and frozen tensors of ps, which must have the same names
 * and shapes as in the file.  Returns ERR_DATA if there is no file, if the cell
 * did not write the file, or if the model, variant or vocabulary differs.
 * Returns ERR_STORE if the cell file is damaged. */
int weights_read(struct params *ps, const struct dataset *d,
                 const struct weights_of *of);

/* Checks STORE/weights/ID.h5.  If `of_cell` is 0, the file must be intact and
 * name this cell; otherwise it must have the digest that is in the cell file.
 * Returns OK, or ERR_STORE if the check fails or there is no file. */
int weights_check(const char *store, const char *id, int of_cell);

/* weights_put and weights_take also serve traces (verify/traces/trace.h), which
 * contain the same arrays.  weights_put appends the array x, as float32, to the
 * group `group` of f, with the name and shape of p.  weights_take reads all
 * tensors of ps from f; `path` is the name of the file in messages. */
void weights_put(struct trace_file *f, const char *group,
                 const struct param *p, const real *x);
int weights_take(struct params *ps, const struct trace_file *f,
                 const char *path);
