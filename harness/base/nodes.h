/*
 * nodes: the NUMA nodes of the machine (hwloc), and the assignment of cells to
 * them.  `run` calls nodes_open, nodes_assign, then nodes_bind in the process
 * of each cell.
 *
 * Memory is placed on the node of the processor that first touches it.  If the
 * kernel later moves a thread to another node, the memory stays.  So a process
 * that fits on one node is bound to the granted processors (cores.h) of that
 * node.  The kernel chooses among these processors: it knows what else runs,
 * and prefers idle cores to the second hardware thread of a busy core.  On a
 * machine with one node, no process is bound.
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
    /* `set` as text, in the form of `list` in struct cores. */
    char                   list[CORES_LIST];
};

struct nodes {
    /* Numbers of the whole machine, also of what was not granted. */
    struct machine { int sockets, nodes, cores, processors; } of;
    int                    granted;  /* granted processors                   */
    int                    n;        /* nodes that have granted processors   */
    struct numa           *node;     /* (n)                                  */
    /* The index of the node on which nodes_open ran; 0 if it is unknown or
     * `granted` was given. */
    int                    here;
    struct hwloc_topology *topology;
};

/* Reads a topology.  If both arguments are NULL, it is the topology of this
 * machine, and the granted processors are those that this process may use.
 * Otherwise `machine` is a synthetic topology in the notation of hwloc,
 * "pack:2 core:8 pu:2", and `granted` is the list of granted processors, "0-7".
 * Returns NULL if hwloc fails. */
struct nodes *nodes_open(const char *machine, const char *granted);
void nodes_close(struct nodes *n); /* NULL is allowed */
OWNER(nodes_close, struct nodes *)

/* Assigns cells with `threads` threads each to nodes.  Sets on[i] to the index
 * in n->node of the node of cell i, or to -1 if no node has `threads` free
 * processors.  Among the nodes that have them, a cell goes to the one with the
 * most free whole cores; if several nodes have equally many, to the first of
 * them, counted cyclically from node `from`. */
void nodes_assign(int *on, const struct nodes *n, int cells, int threads,
                  int from);

/* Binds this thread, and the threads that it creates, to n->node[on].  Returns
 * ERR_IO if the system refuses. */
int nodes_bind(const struct nodes *n, int on);

/* Writes the system's numbers of the nodes on which this thread may run, such
 * as "0-1". */
void nodes_now(char out[CORES_LIST], const struct nodes *n);

/* Writes text such as "2 sockets, 2 NUMA nodes, 16 cores, 32 processors". */
enum { NODES_TEXT = 96 };
void nodes_text(char out[NODES_TEXT], const struct machine *m);
