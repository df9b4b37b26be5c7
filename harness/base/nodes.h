/*
 * nodes: the NUMA nodes of the machine (hwloc), and the assignment of cells to
 * them.  `run` calls nodes_open, nodes_assign, then nodes_bind in the process
 * of each cell.
 *
 * Memory is placed on the node of the processor that first touches it.  If the
 * kernel later moves a thread to another node, its memory stays.  So a process
 * that fits on one node is bound to it: to all granted processors there, and to
 * none of them in particular.  The choice among these is left to the kernel: it
 * sees what else runs, and leaves siblings of a core free while whole cores are
 * idle.  On a machine with one node nothing is bound.
 */
#pragma once

#include "harness/base/cores.h"
#include "harness/base/owned.h"

struct hwloc_topology;
struct hwloc_bitmap_s;

struct numa {
    int                    id; /* the number that the system uses        */
    int                    processors, cores; /* granted to this process */
    struct hwloc_bitmap_s *set;               /* granted processors      */
    /* The same processors in the form of cores.h. */
    char                   list[CORES_LIST];
};

struct nodes {
    struct machine { int sockets, nodes, cores, processors; } of;
    int                    granted;  /* granted processors                   */
    int                    n;        /* nodes that have granted processors   */
    struct numa           *node;     /* (n)                                  */
    /* The index of the node that this process runs on. */
    int                    here;
    struct hwloc_topology *topology;
};

/* Reads the topology.  With NULL, NULL, it is that of this machine, with the
 * processors that this process may use.  Otherwise `machine` is a synthetic
 * topology in the notation of hwloc, "pack:2 core:8 pu:2", and `granted` is the
 * list of granted processors, "0-7".  Returns NULL if hwloc fails. */
struct nodes *nodes_open(const char *machine, const char *granted);
void nodes_close(struct nodes *n); /* NULL is allowed */
OWNER(nodes_close, struct nodes *)

/* Assigns cells that have `threads` threads each.  on[i] is the index of the
 * node of the i-th cell, or -1 if none has room.  Each cell goes to the node
 * with the most free whole cores; of equals, to the first one counted from node
 * `from`. */
void nodes_assign(int *on, const struct nodes *n, int cells, int threads,
                  int from);

/* Binds this thread, and the threads that it creates, to node[on].  Returns
 * ERR_IO if the system refuses. */
int nodes_bind(const struct nodes *n, int on);

/* Writes the nodes that this thread may run on, by the system's numbers,
 * "0-1". */
void nodes_now(char out[CORES_LIST], const struct nodes *n);

/* Writes "2 sockets, 2 NUMA nodes, 16 cores, 32 processors". */
enum { NODES_TEXT = 96 };
void nodes_text(char out[NODES_TEXT], const struct machine *m);
