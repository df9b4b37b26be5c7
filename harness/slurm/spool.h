/* spool: queries Slurm for the queued tasks of a store, by the names of its
 * jobs (script.h), and submits arrays. */
#pragma once

#include "harness/plan/plan.h"

struct spool { int pending, running; }; /* cells of the plan */

/* Sets `queued` of the plan's cells.  If no script was ever written in the
 * store, does not call Slurm.  Returns ERR_USAGE if squeue is missing or
 * fails. */
int spool_look(struct spool *out, struct plan *p);

/* Gets the most cells of an array on this cluster, MaxArraySize, which limits
 * the index; the first index is 0.  Returns ERR_DATA if Slurm does not report
 * it, or ERR_USAGE if arrays are not supported or Slurm cannot be queried. */
int spool_array_size(int *out);

/* Submits an array (argv is from script.h).  *job is its number; the caller
 * frees it.  Returns ERR_USAGE with Slurm's message if sbatch is missing or
 * fails, or ERR_DATA if it prints no job number. */
int spool_send(char **job, const char *const argv[]);
