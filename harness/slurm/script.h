/*
 * script: what Slurm runs for a job array, and how it is told to.
 *
 * The script stands for itself: it names the store, the program and the cells,
 * and asks of Slurm only numbers.  A task is one runner of one cell,
 *
 *     exec synthbench run --store STORE -j 1 --wait 300 ... -E id==ID
 *
 * in the place of the shell, so that the signal that comes two minutes before
 * the end of its time (and the one of a preemption) makes it save and end.
 *
 *     STORE/slurm/TAG.sh        the script; its array is job `synthbench-TAG`,
 *                               TAG a hash of what it does
 *     STORE/slurm/JOB_INDEX.log what a task said
 */
#pragma once

#include "harness/base/text.h"
#include "harness/slurm/batch.h"

enum { SCRIPT_TAG = 17 }; /* bytes, with the closing NUL */
#define SCRIPT_JOB "synthbench-"

/* What is the same for all arrays of a submission.  Paths are absolute; what is
 * NULL is not said. */
struct script_of {
    const char *program, *store, *cache, *files;
    const char *time, *memory;       /* in place of the estimate         */
    const char *partition, *account, *qos;
    int gpus;                        /* of a task, in place of what its cells
                                        need; 0: that                     */
    const char *const *more;         /* options of sbatch; ends with NULL */
};

/* The text, and its tag. */
void script_write(struct text *out, char tag[SCRIPT_TAG],
                  const struct batch_array *a, const struct script_of *of);

/* STORE/slurm, or STORE/slurm/TAG.sh; the caller frees. */
char *script_folder(const char *store);
char *script_path(const char *store, const char *tag);

/* The cells of a script of that store, in the order of their indices: *n ids in
 * arena a.  ERR_IO; ERR_STORE: it is none of ours. */
int script_cells(const char ***id, int *n, const char *store, const char *tag,
                 struct arena *a);

/* sbatch and all its arguments, ends with NULL.  Arrays before this one have
 * their jobs, or "$job_N" stands for it. */
const char *const *script_command(const struct batch *b, int number,
                                  const char *tag, const struct script_of *of);
