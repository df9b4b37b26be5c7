/*
 * weights: a trained model as one HDF5 file, STORE/weights/ID.h5, that another
 * cell starts from (setting `pretrained`) and any HDF5 reader opens.
 *
 *     /                attributes config: the cell's settings, JSON; state:
 *                      {"id": the cell, "vocabulary": SHA-256 of its tokenizer,
 *                      "" of a generator's symbols}
 *     /params/NAME     learned tensors, float32 (float64 where real is double)
 *     /frozen/NAME     frozen ones
 */
#ifndef TRAIN_WEIGHTS_H
#define TRAIN_WEIGHTS_H

#include "harness/data/dataset.h"
#include "harness/nn/params.h"
#include "harness/store/trace_file.h"

/* STORE/weights/ID.h5; caller frees. */
char *weights_path(const char *store, const char *id);

/* config: JSON.  ERR_IO, ERR_SPACE. */
int weights_write(const struct params *ps, const struct dataset *d,
                  const char *path, const char *id, const char *config);

/* Learned tensors of the same names and shapes; frozen ones too.  ERR_DATA:
 * no such file, another model, or another vocabulary. */
int weights_read(struct params *ps, const struct dataset *d, const char *path);

/* For traces, which hold the same. */
void weights_put(struct trace_file *f, const char *group,
                 const struct param *p, const real *x);
int weights_take(struct params *ps, const struct trace_file *f,
                 const char *path);

#endif
