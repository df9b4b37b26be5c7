/* launch: detects whether mpirun started this process as one of several ranks,
 * and connects it to the others.  `run` calls launch_read, and launch_split if
 * there are several ranks. */
#pragma once

struct launch {
    int me, n;        /* 0 of 1: a single process                        */
    /* Sockets to the MPI helper process (wire.h); -1 before launch_split. */
    int orders, data;
};

/* Reads the launcher's environment: that of Open MPI, as mpirun and its
 * relatives set it, or that of Slurm with PMIx.  Returns ERR_USAGE if it is
 * inconsistent, or if another launcher started several processes without
 * connecting them; l->me is then set. */
int launch_read(struct launch *l);

/*
 * Splits this process: the launched process becomes the MPI helper process, and
 * the function returns in its child, which dies with it.  Call it before any
 * thread is created.  Returns ERR_USAGE if this build has no MPI helper
 * program.
 */
int launch_split(struct launch *l);
