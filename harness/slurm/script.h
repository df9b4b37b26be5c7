/*
 * script: the script of a job array, and the command that submits it.  The
 * command `slurm` writes script_write's text to script_path and runs
 * script_command.
 *
 * The script is self-contained: it names the store, the program and the cells,
 * and its #SBATCH options are only constants and numbers.  A task is one runner
 * of one cell,
 *
 *     exec synthbench run --store STORE -j 1 --wait 300 ... -E id==ID
 *
 * which replaces the shell.  So the signal that Slurm sends two minutes before
 * the end of its time, or at a preemption, makes the runner save its state and
 * end.
 *
 *     STORE/slurm/TAG.sh        the script; its array is job `synthbench-TAG`,
 *                               TAG a hash of its contents
 *     STORE/slurm/JOB_INDEX.log output of a task
 */
#pragma once

#include "harness/base/text.h"
#include "harness/slurm/batch.h"

enum { SCRIPT_TAG = 17 }; /* bytes, with the closing NUL */
#define SCRIPT_JOB "synthbench-"

/* Options that all arrays of a submission share.  Paths are absolute; NULL
 * omits the option. */
struct script_of {
    const char *program, *store, *cache, *files;
    const char *time, *memory;       /* in place of the estimate         */
    const char *partition, *account, *qos;
    /* GPUs per task, in place of the number that its cells need; 0: that
     * number. */
    int gpus;
    /* Further options of sbatch; ends with NULL. */
    const char *const *more;
};

/* Appends the script of an array to out, and writes its tag. */
void script_write(struct text *out, char tag[SCRIPT_TAG],
                  const struct batch_array *a, const struct script_of *of);

/* Return STORE/slurm, or STORE/slurm/TAG.sh; the caller frees it. */
char *script_folder(const char *store);
char *script_path(const char *store, const char *tag);

/* Reads the cells of a script, in the order of their indices: *n ids in arena
 * a.  Returns ERR_IO if the file cannot be read, or ERR_STORE if it has no
 * cells. */
int script_cells(const char ***id, int *n, const char *store, const char *tag,
                 struct arena *a);

/* Returns sbatch with all arguments; the list ends with NULL.  Earlier arrays
 * have their job numbers, or "$job_N" is used for them. */
const char *const *script_command(const struct batch *b, int number,
                                  const char *tag, const struct script_of *of);
