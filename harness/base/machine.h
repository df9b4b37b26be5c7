/*
 * machine: determines how much memory and how many processors the control
 * groups of Linux (versions 1 and 2) allow this process.  `run` plans its use
 * of memory with it.  cores.h combines the limit on processors with other
 * limits.  Cpusets are ignored here, because cores.h considers them as
 * affinity.
 */
#pragma once

/* Memory in bytes: `available` is the memory that is free at the moment;
 * `total` is the maximum that can ever be free.  0 means unknown. */
struct machine_memory { double available, total; };
struct machine_memory machine_memory(void);

/* ---- limits of control groups ---- */

struct machine_limits {
    /* `cores` may be fractional.  `memory` is the limit and `used` the part in
     * use, in bytes, without the page cache.  If there is no limit, `cores` and
     * `memory` are INFINITY and `used` is 0. */
    double cores, memory, used;
};

/* Returns the lowest limits of a group and of the groups above it.  `groups` is
 * the root of all groups, "/sys/fs/cgroup"; `own` is the file that names the
 * group, "/proc/self/cgroup".  Tests pass other paths. */
struct machine_limits machine_limits(const char *groups, const char *own);

/* Returns the limits of this process. */
struct machine_limits machine_own_limits(void);
