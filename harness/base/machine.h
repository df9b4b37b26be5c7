/*
 * machine: what this process is granted of the machine: cores by the affinity
 * of the process (taskset, a cpuset, a batch system), cores and memory by
 * control groups (version 2; each may have less than the one above it).
 */
#pragma once

/* Cores that may run it at a time; at least 1. */
int machine_cores(void);

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
