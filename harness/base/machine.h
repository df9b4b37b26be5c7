/*
 * machine: the memory and processors that control groups leave to this process.
 * Versions 1 and 2 are supported; a group may have a lower limit than the group
 * above it.  `run` plans memory by it, and cores.h the number of processors:
 * other limits on processors are there, and cpusets appear there as affinity.
 */
#pragma once

/* Memory in bytes: `available` now, and `total`, the most that there can be.  0
 * means unknown. */
struct machine_memory { double available, total; };
struct machine_memory machine_memory(void);

/* ---- limits of control groups ---- */

struct machine_limits {
    /* Without a limit, INFINITY, INFINITY and 0.  `cores` may be fractional.
     * `memory` is the limit and `used` the part in use, in bytes, without the
     * page cache, which can be read again from files. */
    double cores, memory, used;
};

/* Returns the lowest limits of a group and of those above it.  `groups` is
 * "/sys/fs/cgroup", and `own` the file that names the group,
 * "/proc/self/cgroup". */
struct machine_limits machine_limits(const char *groups, const char *own);

/* Returns the limits of this process. */
struct machine_limits machine_own_limits(void);
