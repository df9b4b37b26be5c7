/*
 * bench_setup: converts the options of `bench` to the configuration of the
 * training step to time.  cmd_bench.c and bench_scaling.c call it.
 */
#pragma once

#include "harness/config/experiment.h"
#include "harness/train/bench.h"
#include "harness/nn/attention.h"

struct bench_choice {
    const char    *size, *variant, *precision;
    int            threads; /* 0: one per processor */
    int            repeat;  /* timed steps          */
    struct assigns set;     /* settings of -S       */
};

/* Applies, in this order: the settings of b->size; threads and precision; the
 * settings of -S; and, if `key` is not NULL, key = value.  Returns ERR_USAGE if
 * a setting is unknown or impossible. */
int bench_configure(struct config *c, struct mix *mix,
                    const struct bench_choice *b, const char *key,
                    const char *value);

/* Sets the configuration to that of a cell, from the JSON that a baseline
 * (gate/baseline.h) stores for the cell.  threads: 0 means one per processor.
 * Returns ERR_USAGE if `config` is not such JSON or was written by a newer
 * version. */
int bench_restore(struct config *c, struct mix *mix, const char *config,
                  int threads);

/* Runs `bench --scaling AXIS` and, if `folder` is not NULL, draws the result
 * into it.  Returns an exit code. */
int bench_scaling(const struct bench_choice *b, const char *axis,
                  const char *format, const char *folder);
