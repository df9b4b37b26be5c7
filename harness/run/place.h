/*
 * place: as many cells at a time, and threads in each, as cores were granted
 * (base/cores.h), and the NUMA nodes that they are kept on (base/nodes.h).
 *
 * Without -j: as many as keep every core busy; of a team of processes (team.h)
 * one at a time, on the cores that each was granted, or on its share of them
 * where several ranks of a host were granted the same.  Where somebody granted
 * less than the machine has, -j and `threads` are limits: never more cells than
 * cores, nor more threads than cores in all of them together.  On a machine of
 * one's own both are obeyed.
 *
 * A cell is bound to a node where that has room for all its threads, and where
 * nobody else has the say: not where OMP_PROC_BIND (false: nothing is bound) or
 * its like is set, nor where somebody says how many cores there are and not
 * which, nor where there are more threads than cores.  No bit depends on any of
 * it.
 */
#pragma once

#include "harness/base/nodes.h"
#include "harness/run/worker.h"
#include "harness/train/provenance.h"

struct place {
    struct cores  granted, cores; /* to this process; its share of them    */
    struct nodes *nodes;    /* NULL: nobody knows                          */
    int           cells, threads; /* at a time; of each                    */
    int           preparing; /* threads that prepare data, before training:
                                one per core; with -j those of the cells   */
    int          *on;       /* (cells) nodes->node[on[i]]; -1: anywhere    */
    char          loose[96]; /* why none is bound; "": those are that fit  */
};

/* Sets jobs and threads of o; says where they are fewer than was asked. */
void place_open(struct place *out, struct pool_options *o,
                const struct plan *p);
void place_close(struct place *p); /* of zeros: nothing */
OWNER_OF_VALUE(place_close, struct place)

/* The same, where cores, cells and threads are known; takes nodes, which may be
 * NULL.  from: see nodes.h. */
void place_fill(struct place *p, struct nodes *nodes, int from);

/* Without -j: how many cells at a time. */
int place_jobs(int cores, const struct plan *p);

/* In a worker: the slot-th of those at a time goes where it belongs. */
void place_take(struct stand *out, const struct place *p, int slot);

/* Cells at a time on node[node]; of -1: on none. */
int place_cells(const struct place *p, int node);

/* "8 cells on node 0 (0-7), 8 cells on node 1 (8-15)", "no cell is
 * bound: OMP_PLACES is set" */
const char *place_text(const struct place *p, struct arena *a);
