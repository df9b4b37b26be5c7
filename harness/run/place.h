/*
 * place: decides how many cells run at a time, how many threads each has, and
 * to which NUMA nodes (base/nodes.h) they are bound, from the cores that the
 * process was granted (base/cores.h).  A run calls place_open; each worker then
 * calls place_take.
 *
 * Without -j, enough cells run at a time to keep every core busy.  A rank of a
 * team (team.h) runs one cell at a time on its granted cores; if several ranks
 * of a host were granted the same cores, each uses a share of these.  If the
 * process was granted fewer cores than the machine has, -j and the setting
 * `threads` are only upper limits: neither the running cells nor all their
 * threads together exceed the granted cores.  If it was granted all cores, -j
 * and `threads` are used as given.
 *
 * A cell is bound to a node that has room for all its threads.  No cell is
 * bound if OMP_PROC_BIND (even `false`) or a similar variable is set, or if
 * only the number of granted cores is known.  Nor is any cell bound if the
 * running cells together have more threads than there are granted processors.
 * Results do not depend on the placement.
 */
#pragma once

#include "harness/base/nodes.h"
#include "harness/run/worker.h"
#include "harness/train/provenance.h"

struct place {
    struct cores  granted, cores; /* `cores` is the share of `granted` that
                                     this process uses                     */
    struct nodes *nodes;    /* NULL: unknown                               */
    int           cells, threads; /* cells at a time; threads of each      */
    int           preparing; /* threads that prepare data before training:
                                one per core; with -j, cells * threads, but
                                at most one per core                       */
    int          *on;       /* (cells) index in nodes->node; -1: not bound */
    char          loose[96]; /* why no cell is bound, or ""                */
};

/* Sets *out, and the members `jobs`, `threads`, `preparing`, `place` and `slot`
 * of `o`.  If fewer cells can run at a time, or with fewer threads, than
 * requested, prints a message (on rank 0 only). */
void place_open(struct place *out, struct pool_options *o,
                const struct plan *p);
void place_close(struct place *p); /* {0} is fine */
OWNER_OF_VALUE(place_close, struct place)

/* Assigns cells to nodes.  The members `granted`, `cores`, `cells` and
 * `threads` of `p` must be set.  Takes ownership of `nodes`, which may be NULL.
 * `from` is passed to nodes_assign. */
void place_fill(struct place *p, struct nodes *nodes, int from);

/* Returns the number of cells that run at a time without -j. */
int place_jobs(int cores, const struct plan *p);

/* Called in a worker: binds the process to the node p->on[slot] and describes
 * its place in *out. */
void place_take(struct placement *out, const struct place *p, int slot);

/* Returns how many of the cells that run at the same time are bound to
 * p->nodes->node[node] or, if `node` is -1, are not bound. */
int place_cells(const struct place *p, int node);

/* Returns text, allocated from arena `a`, such as "8 cells on node 0 (0-7), 8
 * cells on node 1 (8-15)" or "cells are not bound to a node (OMP_PLACES is
 * set)". */
const char *place_text(const struct place *p, struct arena *a);
