/*
 * checkpoint: the state of an unfinished run, so that a killed run goes on
 * with the same bits.
 *
 * A file is: "SYNTHCK", version, step, whose state it is, the number of blocks
 * and their sizes; the blocks; SHA-256 of all before it.  Two generations,
 * BASE.0.ckpt and BASE.1.ckpt, are written in turn, each atomically; loading
 * takes the newest that is whole.
 */
#ifndef NN_CHECKPOINT_H
#define NN_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

struct block { void *data; size_t bytes; };

/* ERR_SPACE, ERR_IO. */
int checkpoint_save(const char *base, const char *id, uint64_t step,
                    const struct block *block, int n);

/* *step = 0 and nothing is written where there is no usable file (or only
 * files of another id or with other sizes): the run starts anew. */
void checkpoint_load(const char *base, const char *id, uint64_t *step,
                     const struct block *block, int n);

void checkpoint_remove(const char *base);

#endif
