/*
 * nodes: the NUMA nodes of the machine (hwloc), and which cell is kept on
 * which.
 *
 * Memory lies on the node of the processor that first touches it; later the
 * kernel moves threads to other nodes, and their memory stays behind.  So a
 * process that has room on one node is bound to it: to all processors there
 * that were granted, and to none of them in particular.  Which of these it
 * uses, the kernel knows best: it sees what else runs, and keeps siblings of a
 * core apart while whole cores are idle.  A machine of one node has nothing to
 * bind.
 */
#pragma once

#include "harness/base/cores.h"
#include "harness/base/owned.h"

struct hwloc_topology;
struct hwloc_bitmap_s;

struct numa {
    int                    id; /* the system's                           */
    int                    processors, cores; /* granted                 */
    struct hwloc_bitmap_s *set;               /* the processors          */
    char                   list[CORES_LIST];  /* as that of cores.h      */
};

struct nodes {
    struct machine { int sockets, nodes, cores, processors; } of;
    int                    granted;  /* processors                           */
    int                    n;        /* nodes that have some of these        */
    struct numa           *node;     /* (n)                                  */
    int                    here;     /* of these, where this process runs    */
    struct hwloc_topology *topology;
};

/* NULL, NULL: this machine, and what this process may use of it.  Else one that
 * is written as hwloc does, "pack:2 core:8 pu:2", and what is granted of it,
 * "0-7".  The answer is NULL where hwloc has none. */
struct nodes *nodes_open(const char *machine, const char *granted);
void nodes_close(struct nodes *n); /* NULL is fine */
OWNER(nodes_close, struct nodes *)

/* on[i]: the node, 0 to n, of the i-th of so many cells of so many threads; -1:
 * none has room.  Each goes where most whole cores are left; the first of
 * equals counts from node `from`. */
void nodes_assign(int *on, const struct nodes *n, int cells, int threads,
                  int from);

/* This thread, and those that it makes, stay on node[on].  ERR_IO. */
int nodes_bind(const struct nodes *n, int on);

/* Which of them this thread may run on, by the system's numbers, "0-1". */
void nodes_now(char out[CORES_LIST], const struct nodes *n);

/* "2 sockets, 2 NUMA nodes, 16 cores, 32 processors" */
enum { NODES_TEXT = 96 };
void nodes_text(char out[NODES_TEXT], const struct machine *m);
