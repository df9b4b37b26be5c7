#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "harness/base/cores.h"

#include "harness/base/machine.h"
#include "harness/base/owned.h"
#include "harness/base/str.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- affinity ---- */

enum { MOST = 8192 }; /* largest processor number of a machine */

static void list_ranges(char out[CORES_LIST], const cpu_set_t *set,
                        size_t bytes)
{
    size_t at = 0;

    *out = 0;
    for (int i = 0, last; i < MOST; i = last + 1) {
        char range[32];

        for (last = i; last < MOST && CPU_ISSET_S(last, bytes, set);)
            last++;
        if (last == i)
            continue;
        snprintf(range, sizeof range, last - 1 > i ? "%s%d-%d" : "%s%d",
                 at ? "," : "", i, last - 1);
        if (at + strlen(range) + 5 > CORES_LIST) {
            strcpy(out + at, ",...");
            return;
        }
        strcpy(out + at, range);
        at += strlen(range);
    }
}

/* Returns 1 if OpenMP bound the first thread to one place before main. */
static int is_placed(void)
{
    return omp_get_proc_bind() != omp_proc_bind_false &&
           omp_get_num_places() > 0;
}

static void add_place(cpu_set_t *set, size_t bytes, int place)
{
    int n = omp_get_place_num_procs(place);
    OWNED(free) int *id = calloc((size_t)n + 1, sizeof *id);

    omp_get_place_proc_ids(place, id);
    for (int i = 0; i < n; i++)
        if (id[i] < MOST)
            CPU_SET_S(id[i], bytes, set);
}

/* Sets *set to the processors of the affinity mask or, if OpenMP binds threads,
 * of all its places.  Returns 0 if the processors are unknown. */
static int granted(cpu_set_t *set, size_t bytes)
{
    CPU_ZERO_S(bytes, set);
    if (!is_placed())
        return !sched_getaffinity(0, bytes, set);
    for (int i = 0; i < omp_get_num_places(); i++)
        add_place(set, bytes, i);
    return 1;
}

/* Writes the granted processors as a list.  Returns their number, or 0 if it is
 * unknown. */
static int of_affinity(char list[CORES_LIST])
{
    size_t bytes = CPU_ALLOC_SIZE(MOST);
    OWNED(free) cpu_set_t *set = calloc(1, bytes);

    *list = 0;
    if (!granted(set, bytes))
        return 0;
    list_ranges(list, set, bytes);
    return CPU_COUNT_S(bytes, set);
}

int cores_unbind(void)
{
    size_t bytes = CPU_ALLOC_SIZE(MOST);
    OWNED(free) cpu_set_t *set = calloc(1, bytes);

    return is_placed() && granted(set, bytes) &&
           !sched_setaffinity(0, bytes, set);
}

/* ---- all limits ---- */

static void limit(struct cores *c, double n, const char *by)
{
    if (!(n < c->n))
        return;
    c->n = n < 1 ? 1 : (int)n;
    if (c->n < c->online)
        c->by = by;
}

static void limit_by_slurm(struct cores *c)
{
    static const char *const variable[] = {"SLURM_CPUS_PER_TASK",
                                           "SLURM_CPUS_ON_NODE"};
    long long n;

    for (int i = 0; i < 2; i++) {
        const char *value = getenv(variable[i]);

        if (!value || str_to_int(value, &n) || n < 1)
            continue;
        limit(c, (double)n, variable[i]);
        return;
    }
}

void cores_granted(struct cores *out)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    *out = (struct cores){.online = online < 1 ? 1 : (int)online};
    out->n = out->online;
    int bound = of_affinity(out->list);
    if (bound)
        limit(out, bound, "affinity");
    limit(out, machine_own_limits().cores, "cgroup");
    limit_by_slurm(out);
}

int cores_count(void)
{
    struct cores c;

    cores_granted(&c);
    return c.n;
}

char *cores_text(const struct cores *c)
{
    return str_format("%d of %d processor%s (%s)%s%s", c->n, c->online,
                      c->online == 1 ? "" : "s", c->list,
                      c->by ? ", granted by " : "", c->by ? c->by : "");
}
