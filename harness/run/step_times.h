/*
 * step_times: times a few training steps of cells, on random token ids, and
 * keeps the times in a store of their own.
 *
 *     STORE/speed/cells/ID.h5   attribute kind "speed"; config, provenance, and
 *                               timing: the median, minimum, p10 and p90 of
 *                               `steps` steps, in seconds, and the load of
 *                               the machine
 *
 * ID is a hash of the cell, the method of timing, the program's file, the
 * processor and the GPU, so that times of another program or machine are never
 * used.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/stats/stats.h"
#include "harness/stats/step_timing.h"

struct step_times {
    struct spread step;             /* seconds                             */
    double        log_mean, log_sd; /* of the logarithms of the times      */
    struct load   load;             /* during the timing                   */
    double        params, flops;    /* learned parameters; FLOPs per step  */
};

/* Reads the times of cell `c` from the store of times `s` or, if it has none or
 * `fresh` is not 0, times the steps and stores the times.  Returns ERR_BUSY if
 * another process times this cell, or an error of bench_step or the store. */
int step_times_get(struct step_times *out, struct store *s,
                   const struct cell *c, int fresh);

/* Returns the 95 % interval of the steps per second of `t` relative to those of
 * `base`: Welch's interval for the difference of the mean logarithms. */
struct interval step_times_ratio(const struct step_times *t,
                                 const struct step_times *base);
