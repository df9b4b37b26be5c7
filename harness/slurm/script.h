/*
 * script: generates the script of a job array and the command that submits the
 * array.  The command `slurm` writes the text of script_write to the file
 * script_path and runs script_command.
 *
 * The script is self-contained: it names the store, the program and the cells,
 * and its #SBATCH options are only constants and numbers.  In each task of the
 * array, a `run` of one cell replaces the shell:
 *
 *     exec synthbench run --store STORE -j 1 --wait 300 ... -E id==ID
 *
 * So the runner itself receives the signal that Slurm sends at a preemption, or
 * two minutes before the time of the task ends; it saves its state and ends.
 *
 *     STORE/slurm/TAG.sh        the script; TAG is a hash of its contents, and
 *                               the job of its array is named synthbench-TAG
 *     STORE/slurm/JOB_INDEX.log output of a task
 */
#pragma once

#include "harness/base/text.h"
#include "harness/slurm/batch.h"

enum { SCRIPT_TAG = 17 }; /* bytes, with the closing NUL */
#define SCRIPT_JOB "synthbench-"

/* Options that all arrays of a submission share.  Paths are absolute.  If a
 * member is NULL, the option is omitted. */
struct script_of {
    const char *program, *store, *cache, *files;
    const char *time, *memory;       /* replace the estimates            */
    const char *partition, *account, *qos;
    /* GPUs per task; 0: the number that the cells of the array need. */
    int gpus;
    /* Further options of sbatch; ends with NULL. */
    const char *const *more;
};

/* Appends the script of an array to `out`, and writes its TAG to `tag`. */
void script_write(struct text *out, char tag[SCRIPT_TAG],
                  const struct batch_array *a, const struct script_of *of);

/* script_folder returns STORE/slurm, and script_path returns
 * STORE/slurm/TAG.sh; the caller frees the path. */
char *script_folder(const char *store);
char *script_path(const char *store, const char *tag);

/* Sets *id to the ids of the *n cells of a script, by the index of the task,
 * allocated from arena `a`.  Returns ERR_IO if the script cannot be read, or
 * ERR_STORE if it has no cells. */
int script_cells(const char ***id, int *n, const char *store, const char *tag,
                 struct arena *a);

/* Returns the sbatch command that submits array `number` of the batch,
 * allocated from b->memory; the list ends with NULL.  The command names the
 * arrays that must end first by their job numbers; if the N-th array is not
 * submitted yet, its name is "$job_N". */
const char *const *script_command(const struct batch *b, int number,
                                  const char *tag, const struct script_of *of);
