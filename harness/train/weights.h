/*
 * weights: a trained model as one HDF5 file, STORE/weights/ID.h5, that another
 * cell starts from (setting `pretrained`) and any HDF5 reader opens.
 *
 *     /                attributes config: the cell's settings, JSON; state:
 *                      {"id": the cell, "variant", "data": SHA-256 of what it
 *                      was trained on, "vocabulary": of its tokenizer, "" of a
 *                      generator's symbols, "sha256": of the learned tensors}
 *     /params/NAME     learned tensors, float32 (float64 where real is double)
 *     /frozen/NAME     frozen ones
 *
 * Its last line is the SHA-256 of all before, as that of a cell.  The cell says
 * the same digests, of the file and of the tensors: whoever starts from weights
 * compares them with the cell that they are of.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/data/dataset.h"
#include "harness/nn/params.h"
#include "harness/store/trace_file.h"

/* STORE/weights/ID.h5; caller frees. */
char *weights_path(const char *store, const char *id);

struct weights_of { const char *store, *id, *variant; }; /* of a cell */

/* config: JSON; sha256: trainer_digest's.  ERR_IO, ERR_SPACE. */
int weights_write(const struct params *ps, const struct dataset *d,
                  const struct weights_of *of, const char *config,
                  const char *sha256);

/* The digest of the cell's last learned tensors, from its file.  ERR_STORE:
 * the file is damaged; ERR_DATA: there is none. */
int weights_digest(char sha256[HASH_HEX], const struct weights_of *of);

/* Learned tensors of the same names and shapes; frozen ones too.  ERR_DATA:
 * no such file, not the one that the cell wrote, another model or variant, or
 * another vocabulary; ERR_STORE: the cell's file is damaged. */
int weights_read(struct params *ps, const struct dataset *d,
                 const struct weights_of *of);

/* Is STORE/weights/ID.h5 whole, or, of_cell, the very file that the cell wrote?
 * ERR_STORE: it is not, or there is none. */
int weights_check(const char *store, const char *id, int of_cell);

/* For traces, which hold the same. */
void weights_put(struct trace_file *f, const char *group,
                 const struct param *p, const real *x);
int weights_take(struct params *ps, const struct trace_file *f,
                 const char *path);
