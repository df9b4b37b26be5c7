/*
 * checkpoint: saves the state of an unfinished run, so that a killed run
 * resumes and its results stay bit-identical.  train/resume.c calls it.
 *
 * A file contains "SYNTHCK", the owner, the build of the program that wrote it,
 * version, step, the number of blocks and their sizes; the blocks; and the
 * SHA-256 of everything before it.  Two generations, BASE.0.ckpt and
 * BASE.1.ckpt, are written in turn, each atomically.  Loading takes the most
 * recent one that is intact and from the same build, because another build may
 * give other bits from there on.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct block { void *data; size_t bytes; };

/* id is shorter than 64 bytes, build shorter than 72. */
struct checkpoint_of { const char *id, *build; };

/* Overwrites the older generation.  Returns ERR_SPACE or ERR_IO if that
 * fails. */
int checkpoint_save(const char *base, struct checkpoint_of of, uint64_t step,
                    const struct block *block, int n);

/* Reads the most recent usable file into the blocks and sets *step.  If there
 * is none, sets *step = 0 and leaves the blocks as they are: the run starts
 * from the beginning.  Returns the number of files that were skipped (damaged,
 * another id, another build, other sizes, not a readable file); err_last()
 * describes the last of them. */
int checkpoint_load(const char *base, struct checkpoint_of of, uint64_t *step,
                    const struct block *block, int n);

/* Returns OK if the file is intact, or ERR_STORE if it is not.  id: the owner
 * that the file names. */
int checkpoint_check(const char *path, char id[64]);

/* Returns the step of the most recent file of this cell, according to its
 * header, or 0 if there is none.  id: the beginning of the owner. */
long checkpoint_step(const char *base, const char *id);

void checkpoint_remove(const char *base);
