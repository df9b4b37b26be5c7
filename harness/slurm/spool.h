/* spool: queries Slurm for the queued tasks of a store, which it finds by the
 * names of their jobs (script.h), and submits arrays.  The command `slurm`
 * calls it. */
#pragma once

#include "harness/plan/plan.h"

/* Numbers of cells of the plan whose tasks are pending or running. */
struct spool { int pending, running; };

/* Sets the member `queued` of the plan's cells, and counts them in *out.  If
 * the store has no script, does not call Slurm.  Returns ERR_USAGE if squeue is
 * missing or fails. */
int spool_look(struct spool *out, struct plan *p);

/* Sets *out to the maximum number of cells in an array on this cluster.  This
 * is Slurm's MaxArraySize, because the first index is 0.  Returns ERR_DATA if
 * Slurm does not report MaxArraySize, or ERR_USAGE if arrays are not supported
 * or Slurm cannot be queried. */
int spool_array_size(int *out);

/* Submits an array with the command `argv` (from script_command).  Sets *job to
 * the job number, as text; the caller frees it.  Returns ERR_USAGE, with
 * Slurm's message, if sbatch is missing or fails, or ERR_DATA if it prints no
 * job number. */
int spool_send(char **job, const char *const argv[]);
