/*
 * checkpoint: the state of an unfinished run, so that a killed run goes on
 * with the same bits.
 *
 * A file is: "SYNTHCK", version, step, whose state it is, the build of the
 * program that left it, the number of blocks and their sizes; the blocks;
 * SHA-256 of all before it.  Two generations, BASE.0.ckpt and BASE.1.ckpt, are
 * written in turn, each atomically; loading takes the newest that is whole and
 * of the same build, for another may give other bits from there.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct block { void *data; size_t bytes; };

struct checkpoint_of { const char *id, *build; }; /* under 64 bytes, 72 */

/* ERR_SPACE, ERR_IO. */
int checkpoint_save(const char *base, struct checkpoint_of of, uint64_t step,
                    const struct block *block, int n);

/* *step = 0 and nothing is written where there is no usable file: the run
 * starts anew.  How many files were passed over (damaged, of another id, of
 * another build, with other sizes, none at all); err_last() tells of the last
 * of them. */
int checkpoint_load(const char *base, struct checkpoint_of of, uint64_t *step,
                    const struct block *block, int n);

/* Is this file whole?  id: whose it says it is.  ERR_STORE: it is not. */
int checkpoint_check(const char *path, char id[64]);

/* The step of the newest file of this cell, by what its head says; 0: there is
 * none.  id: how the owner of a file begins. */
long checkpoint_step(const char *base, const char *id);

void checkpoint_remove(const char *base);
