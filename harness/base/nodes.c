#include "harness/base/nodes.h"

#include "harness/base/err.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

OWNER(hwloc_bitmap_free, hwloc_bitmap_t)

/* ---- topology ---- */

static int count(hwloc_topology_t t, hwloc_obj_type_t type)
{
    int n = hwloc_get_nbobjs_by_type(t, type);

    return n > 0 ? n : 0;
}

/* If a virtual machine reports no sockets, assumes one; if it reports no cores,
 * counts each processor as a core. */
static struct machine machine_of(hwloc_topology_t t)
{
    int processors = count(t, HWLOC_OBJ_PU), cores = count(t, HWLOC_OBJ_CORE);
    int sockets = count(t, HWLOC_OBJ_PACKAGE);

    return (struct machine){sockets ? sockets : 1,
                            count(t, HWLOC_OBJ_NUMANODE),
                            cores ? cores : processors, processors};
}

/* Returns the number of cores that have a processor in `set`. */
static int cores_in(hwloc_topology_t t, hwloc_const_bitmap_t set)
{
    int all = count(t, HWLOC_OBJ_CORE), n = 0;

    for (int i = 0; i < all; i++)
        n += hwloc_bitmap_intersects(
            hwloc_get_obj_by_type(t, HWLOC_OBJ_CORE, (unsigned)i)->cpuset, set);
    return all ? n : hwloc_bitmap_weight(set);
}

/* Writes the numbers in `set` in the form of `list` in struct cores. */
static void write_list(char out[CORES_LIST], hwloc_const_bitmap_t set)
{
    if (hwloc_bitmap_list_snprintf(out, CORES_LIST, set) < CORES_LIST)
        return;
    out[CORES_LIST - sizeof "..."] = 0;
    strcpy(strrchr(out, ',') + 1, "..."); /* without a part of a number */
}

/* Adds a node with its granted processors, and removes these from `left`, the
 * granted processors that no node has yet.  hwloc reports two nodes for the
 * same processors if they have two kinds of memory. */
static void add_node(struct nodes *n, hwloc_obj_t o, hwloc_bitmap_t left)
{
    struct numa *x = &n->node[n->n];

    if (!hwloc_bitmap_intersects(o->cpuset, left))
        return;
    x->id = (int)o->os_index;
    x->set = hwloc_bitmap_alloc();
    hwloc_bitmap_and(x->set, o->cpuset, left);
    hwloc_bitmap_andnot(left, left, x->set);
    x->processors = hwloc_bitmap_weight(x->set);
    x->cores = cores_in(n->topology, x->set);
    write_list(x->list, x->set);
    n->granted += x->processors;
    n->n++;
}

static int node_with(const struct nodes *n, hwloc_const_bitmap_t at)
{
    for (int i = 0; i < n->n; i++)
        if (hwloc_bitmap_intersects(n->node[i].set, at))
            return i;
    return 0;
}

/* Reads the nodes of a loaded topology.  If `granted` is NULL, the system
 * reports the granted processors. */
static struct nodes *look(hwloc_topology_t t, const char *granted)
{
    OWNED(hwloc_bitmap_free) hwloc_bitmap_t set = hwloc_bitmap_alloc();
    struct nodes *n = calloc(1, sizeof *n);

    n->topology = t;
    n->of = machine_of(t);
    n->node = calloc((size_t)n->of.nodes, sizeof *n->node);
    if (granted)
        hwloc_bitmap_list_sscanf(set, granted);
    else if (hwloc_get_cpubind(t, set, HWLOC_CPUBIND_THREAD))
        hwloc_bitmap_fill(set);
    for (int i = 0; i < n->of.nodes; i++)
        add_node(n, hwloc_get_obj_by_type(t, HWLOC_OBJ_NUMANODE, (unsigned)i),
                 set);
    if (!granted &&
        !hwloc_get_last_cpu_location(t, set, HWLOC_CPUBIND_THREAD))
        n->here = node_with(n, set);
    return n;
}

/* Returns a new topology, or NULL on failure.  Plug-ins, which detect other
 * devices, are off.  hwloc does not change the binding, and does not print
 * errors in the firmware's description of the machine, which the user cannot
 * correct. */
static hwloc_topology_t new_topology(void)
{
    hwloc_topology_t t;

    setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 0);
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
    if (hwloc_topology_init(&t))
        return NULL;
    hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED |
                                HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING |
                                HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
                                HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
    hwloc_topology_set_all_types_filter(t, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(t, HWLOC_OBJ_PACKAGE,
                                   HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_type_filter(t, HWLOC_OBJ_CORE,
                                   HWLOC_TYPE_FILTER_KEEP_ALL);
    return t;
}

struct nodes *nodes_open(const char *machine, const char *granted)
{
    hwloc_topology_t t = new_topology();

    if (!t)
        return NULL;
    if ((!machine || !hwloc_topology_set_synthetic(t, machine)) &&
        !hwloc_topology_load(t))
        return look(t, granted);
    hwloc_topology_destroy(t);
    return NULL;
}

void nodes_close(struct nodes *n)
{
    if (!n)
        return;
    for (int i = 0; i < n->n; i++)
        hwloc_bitmap_free(n->node[i].set);
    hwloc_topology_destroy(n->topology);
    free(n->node);
    free(n);
}

/* ---- assignment of cells ---- */

/* Returns the index of the node with the most free cores, among those with room
 * for `threads` threads, or -1.  `left` has the number of free whole cores of
 * each node.  A negative number -t means that t threads run on the second
 * hardware threads of busy cores. */
static int roomiest(const struct nodes *n, const int *left, int threads,
                    int from)
{
    int best = -1;

    for (int k = 0; k < n->n; k++) {
        int i = (from + k) % n->n;
        int idle = left[i] + n->node[i].processors - n->node[i].cores;

        if (idle >= threads && (best < 0 || left[i] > left[best]))
            best = i;
    }
    return best;
}

void nodes_assign(int *on, const struct nodes *n, int cells, int threads,
                  int from)
{
    OWNED(free) int *left = calloc((size_t)n->n + 1, sizeof *left);

    for (int i = 0; i < n->n; i++)
        left[i] = n->node[i].cores;
    for (int i = 0; i < cells; i++) {
        on[i] = roomiest(n, left, threads, from);
        if (on[i] >= 0)
            left[on[i]] -= threads;
    }
}

int nodes_bind(const struct nodes *n, int on)
{
    const struct numa *x = &n->node[on];

    return hwloc_set_cpubind(n->topology, x->set, HWLOC_CPUBIND_THREAD)
               ? err_errno(ERR_IO, "node %d: processors %s", x->id, x->list)
               : OK;
}

/* ---- text ---- */

void nodes_now(char out[CORES_LIST], const struct nodes *n)
{
    OWNED(hwloc_bitmap_free) hwloc_bitmap_t may = hwloc_bitmap_alloc();
    OWNED(hwloc_bitmap_free) hwloc_bitmap_t ids = hwloc_bitmap_alloc();

    if (hwloc_get_cpubind(n->topology, may, HWLOC_CPUBIND_THREAD))
        hwloc_bitmap_fill(may);
    for (int i = 0; i < n->n; i++)
        if (hwloc_bitmap_intersects(n->node[i].set, may))
            hwloc_bitmap_set(ids, (unsigned)n->node[i].id);
    write_list(out, ids);
}

void nodes_text(char out[NODES_TEXT], const struct machine *m)
{
    snprintf(out, NODES_TEXT, "%d socket%s, %d NUMA node%s, %d core%s, %d "
             "processor%s", m->sockets, m->sockets == 1 ? "" : "s", m->nodes,
             m->nodes == 1 ? "" : "s", m->cores, m->cores == 1 ? "" : "s",
             m->processors, m->processors == 1 ? "" : "s");
}
