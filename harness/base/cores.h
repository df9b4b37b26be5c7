/*
 * cores: the number of processors that this process may use, and what limits
 * it.  `run` and `bench` choose their threads by it.  It is the minimum of the
 * processors that are online and of
 *
 *     affinity  sched_getaffinity: taskset, cpusets, Slurm's binding.  OpenMP
 *               with OMP_PROC_BIND or OMP_PLACES binds the first thread before
 *               main; then all of its places count
 *     cgroup    the least quota of the control groups (machine.h), rounded
 *               down to whole cores
 *     Slurm     SLURM_CPUS_PER_TASK, or SLURM_CPUS_ON_NODE if that is not set
 *
 * and at least 1.
 */
#pragma once

enum { CORES_LIST = 128 };

struct cores {
    int         n, online;
    /* What limits n below `online`: a name as above or a variable's; NULL:
     * nothing. */
    const char *by;
    /* The processors of the affinity, "0-3,8"; ends with "..." if the list does
     * not fit. */
    char        list[CORES_LIST];
};

void cores_granted(struct cores *out);
int  cores_count(void); /* returns n */

/* If OpenMP bound this thread to one place, lets it run on all granted
 * processors again.  Returns 1 if it did. */
int cores_unbind(void);

/* Returns "2 of 64 processors (0-1), granted by SLURM_CPUS_PER_TASK"; the
 * caller frees it. */
char *cores_text(const struct cores *c);
