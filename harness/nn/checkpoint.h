/*
 * checkpoint: saves the state of an unfinished run, so that a killed run can
 * resume with bit-identical results.  train/resume.c saves and loads; plan/
 * reads the step of a checkpoint.
 *
 * A file contains "SYNTHCK", the cell's id, the build of the program that wrote
 * it, version, step, the number of blocks and their sizes; the blocks; and the
 * SHA-256 of everything before it.  The files BASE.0.ckpt and BASE.1.ckpt,
 * called generations, are written in turn, each atomically.  checkpoint_load
 * reads the most recent file that is intact and from the same build, because
 * the results of another build may not be bit-identical.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct block { void *data; size_t bytes; };

/* The owner of a checkpoint: the cell `id` (less than 64 bytes) and the program
 * `build` (less than 72 bytes). */
struct checkpoint_of { const char *id, *build; };

/* Writes the n blocks over the generation with the lower step; a file that this
 * run cannot use counts as step 0.  Returns ERR_SPACE or ERR_IO if the file
 * cannot be written. */
int checkpoint_save(const char *base, struct checkpoint_of of, uint64_t step,
                    const struct block *block, int n);

/* Reads the usable file with the higher step into the blocks and sets *step to
 * this step.  If no file is usable, sets *step = 0 and does not change the
 * blocks: the run starts from the beginning.  Returns the number of files that
 * were skipped because they are damaged or unreadable, or have another id,
 * another build or other sizes.  err_last() describes the last skipped file. */
int checkpoint_load(const char *base, struct checkpoint_of of, uint64_t *step,
                    const struct block *block, int n);

/* Returns OK if the file is intact, ERR_STORE if it is not, or an error if it
 * cannot be read.  If the result is OK, `id` is the cell's id in the file. */
int checkpoint_check(const char *path, char id[64]);

/* Returns the highest step of the files whose cell's id begins with `id`, or 0
 * if there is no such file.  Reads only the headers. */
long checkpoint_step(const char *base, const char *id);

/* Removes both files. */
void checkpoint_remove(const char *base);
