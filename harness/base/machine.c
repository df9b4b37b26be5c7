#include "harness/base/machine.h"

#include "harness/base/file.h"
#include "harness/base/owned.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- control groups ---- */

/* The path of the group behind "0::", as it stands below the folder of all; the
 * caller frees.  NULL: there is no version 2. */
static char *own_group(const char *own)
{
    OWNED(fclose) FILE *f = fopen(own, "re");
    OWNED(free) char *line = NULL;
    size_t room = 0;

    while (f && getline(&line, &room, f) > 0) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "0::/", 4))
            return str_copy(line + 3);
    }
    return NULL;
}

static FILE *open_in(const char *groups, const char *group, const char *name)
{
    OWNED(free) char *path = str_format("%s%s/%s", groups, group, name);

    return fopen(path, "re");
}

/* The number in a file of one; "max" or no file: none. */
static double number_in(const char *groups, const char *group,
                        const char *name, double none)
{
    OWNED(fclose) FILE *f = open_in(groups, group, name);
    double x = none;

    return f && fscanf(f, "%lf", &x) == 1 ? x : none;
}

/* "200000 100000", microseconds of a period; "max 100000" */
static double quota(const char *groups, const char *group)
{
    OWNED(fclose) FILE *f = open_in(groups, group, "cpu.max");
    double of, period;

    return f && fscanf(f, "%lf %lf", &of, &period) == 2 && period > 0
               ? of / period : INFINITY;
}

/* What the kernel gives back where memory is short: pages of files. */
static double given_back(const char *groups, const char *group)
{
    OWNED(fclose) FILE *f = open_in(groups, group, "memory.stat");
    double x, sum = 0;
    char line[128];

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "inactive_file %lf", &x) == 1 ||
            sscanf(line, "active_file %lf", &x) == 1)
            sum += x;
    return sum;
}

/* The group that leaves least of memory decides. */
static void take_memory(struct machine_limits *l, const char *groups,
                        const char *group)
{
    double most = number_in(groups, group, "memory.max", INFINITY);
    double used = number_in(groups, group, "memory.current", 0) -
                  given_back(groups, group);

    if (isinf(most) ||
        (!isinf(l->memory) && l->memory - l->used <= most - used))
        return;
    l->memory = most;
    l->used = fmax(used, 0);
}

struct machine_limits machine_limits(const char *groups, const char *own)
{
    struct machine_limits l = {INFINITY, INFINITY, 0};
    OWNED(free) char *group = own_group(own);

    while (group) {
        char *end = strrchr(group, '/');

        l.cores = fmin(l.cores, quota(groups, group));
        take_memory(&l, groups, group);
        if (!end)
            break;
        *end = 0; /* the one above */
    }
    return l;
}

struct machine_limits machine_own_limits(void)
{
    return machine_limits("/sys/fs/cgroup", "/proc/self/cgroup");
}

/* ---- what there is ---- */

struct machine_memory machine_memory(void)
{
    OWNED(fclose) FILE *f = fopen("/proc/meminfo", "re");
    struct machine_limits l = machine_own_limits();
    struct machine_memory m = {0, 0};
    char line[128];

    while (f && fgets(line, sizeof line, f)) {
        sscanf(line, "MemTotal: %lf", &m.total);
        sscanf(line, "MemAvailable: %lf", &m.available);
    }
    m.available = fmin(1024 * m.available, fmax(l.memory - l.used, 0));
    m.total = fmin(1024 * m.total, l.memory);
    return m;
}
