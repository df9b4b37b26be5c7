/* spool: what Slurm has queued of a store, by the names of its jobs
 * (script.h). */
#pragma once

#include "harness/plan/plan.h"

struct spool { int pending, running; }; /* of the plan's cells */

/* Sets `queued` of the plan's cells.  Asks nobody where nothing was ever sent
 * from the store.  ERR_USAGE: squeue is not there, or refuses. */
int spool_look(struct spool *out, struct plan *p);

/* Cells that an array can have here, MaxArraySize: the cap is on the index, and
 * the first is 0.  ERR_USAGE: nobody tells, or none. */
int spool_array_size(int *out);

/* Sends an array (argv: script.h); *job: its number, the caller frees.
 * ERR_USAGE: there is no sbatch, or it refuses: with Slurm's words. */
int spool_send(char **job, const char *const argv[]);
