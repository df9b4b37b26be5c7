/* launch: detects whether mpirun started this process as one of several ranks,
 * and connects the process to the other ranks.  `main` and run/team.c call
 * launch_read; run/team.c calls launch_split if there are several ranks. */
#pragma once

struct launch {
    int me, n; /* the rank, and the number of ranks; 0 and 1 for a single
                  process                                                */
    /* Sockets to the MPI helper process (wire.h); -1 before launch_split. */
    int orders, data;
};

/* Reads the rank and the number of ranks from the environment variables of the
 * launcher: those of Open MPI, which mpirun sets, or those of Slurm with PMIx.
 * Returns ERR_USAGE if a variable is not a number, if the variables contradict
 * each other, or if another launcher started several processes without
 * connecting them.  In each of these cases, l->me is the rank if both variables
 * are numbers, else 0. */
int launch_read(struct launch *l);

/*
 * Splits this process: the launched process becomes the MPI helper process, and
 * the function returns in a child of that process.  The system kills the child
 * if the helper process dies.  Call it before any thread is created.  Returns
 * ERR_USAGE if this build has no MPI helper program.
 */
int launch_split(struct launch *l);
