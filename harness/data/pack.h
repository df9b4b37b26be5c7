/*
 * pack: a dataset as one block of bytes, for a cache of this machine.
 *
 *     u64 count, int[count] numbers, bytes
 *
 *     numbers  kind vocab classes model-bytes, of each split: n dropped
 *              truncated, of each row: nsource ntarget label words has-text
 *              subtask group ids
 *     bytes    source, the tokenizer's model, the texts; all but the model end
 *              with NUL
 */
#ifndef DATA_PACK_H
#define DATA_PACK_H

#include "harness/data/dataset.h"

/* *data from malloc; model may be NULL (0 bytes) where there is none. */
void pack_dataset(char **data, size_t *bytes, const struct dataset *d,
                  const char *model, size_t model_bytes);

/* Rows point into data, which out->memory must own; N and orders are the
 * caller's to set.  ERR_DATA: the model does not load. */
int unpack_dataset(struct dataset *out, const char *data, size_t bytes);

#endif
