/*
 * cores: determines which processors this process may use (the granted
 * processors), and which limit applies.  `run` and `bench` choose their number
 * of threads accordingly.
 *
 * The number is the minimum of the following limits, but at least 1:
 *
 *     online    the processors that are online
 *     affinity  the processors that sched_getaffinity returns (set by taskset,
 *               cpusets or Slurm).  If OMP_PROC_BIND or OMP_PLACES is set,
 *               OpenMP binds the first thread to one place before main; then
 *               the processors of all places count
 *     cgroup    the lowest quota of the control groups (machine.h), rounded
 *               down to whole cores
 *     Slurm     SLURM_CPUS_PER_TASK or, if it is not set, SLURM_CPUS_ON_NODE
 */
#pragma once

enum { CORES_LIST = 128 };

struct cores {
    int         n, online;
    /* The limit that makes `n` less than `online`: "affinity", "cgroup" or
     * the name of Slurm's variable.  NULL if `n` equals `online`. */
    const char *by;
    /* The processors in the affinity mask, such as "0-3,8"; ends with "..." if
     * they do not fit. */
    char        list[CORES_LIST];
};

void cores_granted(struct cores *out);
int  cores_count(void); /* returns `n` of cores_granted */

/* If OpenMP bound this thread to one place, allows the thread to run on all
 * granted processors again and returns 1.  Otherwise returns 0. */
int cores_unbind(void);

/* Returns text such as "2 of 64 processors (0-1), granted by
 * SLURM_CPUS_PER_TASK"; the caller frees it. */
char *cores_text(const struct cores *c);
