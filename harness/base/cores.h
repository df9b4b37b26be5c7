/*
 * cores: how many processors this process may use, and who says so: the least
 * of what is online and of what was granted,
 *
 *     affinity  sched_getaffinity: taskset, cpusets, what Slurm binds; where
 *               OpenMP binds threads (OMP_PROC_BIND, OMP_PLACES), which it
 *               does to the first one before main, all of its places
 *     cgroup    the least quota of its control groups (machine.h); a part of a
 *               core is none
 *     Slurm     SLURM_CPUS_PER_TASK; SLURM_CPUS_ON_NODE where that is not set
 *
 * and at least 1.
 */
#pragma once

enum { CORES_LIST = 128 };

struct cores {
    int         n, online;
    const char *by;               /* who granted less than there are: a name
                                     as above, or a variable's; NULL: nobody */
    char        list[CORES_LIST]; /* those of the affinity: "0-3,8"; "..." at
                                     the end of what does not fit           */
};

void cores_granted(struct cores *out);
int  cores_count(void); /* n alone */

/* This thread may run on all that was granted, where OpenMP bound it to one
 * place.  1: it did. */
int cores_unbind(void);

/* "2 of 64 processors (0-1), granted by SLURM_CPUS_PER_TASK"; the caller
 * frees. */
char *cores_text(const struct cores *c);
