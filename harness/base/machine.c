#include "harness/base/machine.h"

#include "harness/base/file.h"
#include "harness/base/owned.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- control groups ---- */

/* Returns 1 if `controller` is in a list such as "cpu,cpuacct".  Modifies the
 * list. */
static int has(char *list, const char *controller)
{
    for (char *word; (word = strsep(&list, ","));)
        if (!strcmp(word, controller))
            return 1;
    return 0;
}

/* Returns the path of the group of this process for `controller`, relative to
 * the root of the groups, or NULL if there is no group.  The file `own` has
 * lines "N:CONTROLLERS:PATH"; for version 2, `controller` is "" and the line is
 * "0::PATH".  The caller frees the path. */
static char *own_group(const char *own, const char *controller)
{
    OWNED(fclose) FILE *f = fopen(own, "re");
    OWNED(free) char *line = NULL;
    size_t room = 0;

    while (f && getline(&line, &room, f) > 0) {
        char *rest = line, *number, *list;

        line[strcspn(line, "\n")] = 0;
        number = strsep(&rest, ":");
        list = strsep(&rest, ":");
        if (rest && *rest == '/' && has(list, controller) &&
            (*controller || !strcmp(number, "0")))
            return str_copy(rest);
    }
    return NULL;
}

static FILE *open_in(const char *groups, const char *group, const char *name)
{
    OWNED(free) char *path = str_format("%s%s/%s", groups, group, name);

    return fopen(path, "re");
}

/* Returns the number in the file `name` of a group, or `none` if the file
 * contains "max" or is missing. */
static double number_in(const char *groups, const char *group,
                        const char *name, double none)
{
    OWNED(fclose) FILE *f = open_in(groups, group, name);
    double x = none;

    return f && fscanf(f, "%lf", &x) == 1 ? x : none;
}

/* Returns the quota in cores, or INFINITY if there is none.  The file contains
 * "200000 100000", the microseconds of processor time in each period and the
 * microseconds of a period, or "max 100000". */
static double quota(const char *groups, const char *group)
{
    OWNED(fclose) FILE *f = open_in(groups, group, "cpu.max");
    double of, period;

    return f && fscanf(f, "%lf %lf", &of, &period) == 2 ? of / period
                                                         : INFINITY;
}

/* Returns the quota of version 1, which has two files; -1 means no quota, as
 * does a missing period. */
static double old_quota(const char *groups, const char *group)
{
    double quota = number_in(groups, group, "cpu.cfs_quota_us", -1);
    double period = number_in(groups, group, "cpu.cfs_period_us", 0);

    return quota > 0 ? quota / period : INFINITY;
}

/* The names of the files with the memory limit and the memory in use, and the
 * names of the page-cache entries in the file memory.stat. */
struct memory_files { const char *most, *used, *pages[2]; };

static const struct memory_files memory_files = {
    "memory.max", "memory.current", {"inactive_file", "active_file"}};
static const struct memory_files old_memory_files = {
    "memory.limit_in_bytes", "memory.usage_in_bytes",
    {"total_inactive_file", "total_active_file"}};

#define NO_LIMIT 0x1p60 /* without a limit, version 1 reports more than this */

/* Returns the bytes of file pages, which the kernel releases if memory is
 * short. */
static double given_back(const char *groups, const char *group,
                         const struct memory_files *is)
{
    OWNED(fclose) FILE *f = open_in(groups, group, "memory.stat");
    double x, sum = 0;
    char line[128], name[64];

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%63s %lf", name, &x) == 2 &&
            (!strcmp(name, is->pages[0]) || !strcmp(name, is->pages[1])))
            sum += x;
    return sum;
}

/* Replaces the memory limit in *l by that of a group if the group has less
 * memory left. */
static void take_memory(struct machine_limits *l, const char *groups,
                        const char *group, const struct memory_files *is)
{
    double most = number_in(groups, group, is->most, INFINITY);
    double used = number_in(groups, group, is->used, 0) -
                  given_back(groups, group, is);

    if (most >= NO_LIMIT ||
        (!isinf(l->memory) && l->memory - l->used <= most - used))
        return;
    l->memory = most;
    l->used = fmax(used, 0);
}

static void look(struct machine_limits *l, const char *groups,
                 const char *group)
{
    l->cores = fmin(l->cores, quota(groups, group));
    take_memory(l, groups, group, &memory_files);
}

static void look_old(struct machine_limits *l, const char *groups,
                     const char *group)
{
    l->cores = fmin(l->cores, old_quota(groups, group));
    take_memory(l, groups, group, &old_memory_files);
}

/* Calls `look_at` for the group of this process for `controller`, and for all
 * groups above it. */
static void climb(struct machine_limits *l, const char *groups,
                  const char *own, const char *controller,
                  void (*look_at)(struct machine_limits *l, const char *groups,
                                  const char *group))
{
    OWNED(free) char *group = own_group(own, controller);

    while (group) {
        char *end = strrchr(group, '/');

        look_at(l, groups, group);
        if (!end)
            break;
        *end = 0; /* the one above */
    }
}

struct machine_limits machine_limits(const char *groups, const char *own)
{
    struct machine_limits l = {INFINITY, INFINITY, 0};
    OWNED(free) char *cpu = str_format("%s/cpu", groups);
    OWNED(free) char *memory = str_format("%s/memory", groups);

    climb(&l, groups, own, "", look);
    climb(&l, cpu, own, "cpu", look_old);
    climb(&l, memory, own, "memory", look_old);
    return l;
}

struct machine_limits machine_own_limits(void)
{
    return machine_limits("/sys/fs/cgroup", "/proc/self/cgroup");
}

/* ---- memory ---- */

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
