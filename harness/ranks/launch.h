/* launch: are we one of several that mpirun started, and the way to the
 * others. */
#pragma once

struct launch {
    int me, n;        /* 0 of 1: alone                                   */
    int orders, data; /* sockets to the porter (wire.h); -1 before split */
};

/* What the launcher's environment says: Open MPI's, as mpirun and its kin set
 * it, or Slurm's with PMIx.  ERR_USAGE: it makes no sense, or several were
 * started by another launcher; `me` is read. */
int launch_read(struct launch *l);

/*
 * Splits this process: the porter stays what the launcher knows, and it is the
 * child that comes back, which dies with it.  Call it before any thread is
 * made.  ERR_USAGE: this build has no porter, or none that is of use.
 */
int launch_split(struct launch *l);
