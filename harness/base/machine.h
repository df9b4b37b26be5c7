/*
 * machine: what control groups (versions 1 and 2; each may have less than the
 * one above it) leave this process of the machine, and what memory there is.
 * How many cores it may use, who else limits that: cores.h; cpusets are seen
 * there, as affinity.
 */
#pragma once

/* Bytes: left for us now, and all that there may ever be; 0: nobody knows. */
struct machine_memory { double available, total; };
struct machine_memory machine_memory(void);

/* ---- what these are made of ---- */

struct machine_limits {
    double cores, memory, used; /* INFINITY, INFINITY, 0: no limit; `used`: of
                                   the memory, but for what is read again from
                                   files                                    */
};

/* The least of a group and of those above it.  groups: "/sys/fs/cgroup"; own:
 * the file that names the group, "/proc/self/cgroup". */
struct machine_limits machine_limits(const char *groups, const char *own);

/* Those of this process. */
struct machine_limits machine_own_limits(void);
