/*
 * bench_setup: converts the options of `bench` to the configuration of the
 * training step to time.  cmd_bench.c calls it.
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
 * settings of -S.  Returns ERR_USAGE if a setting is unknown or impossible. */
int bench_configure(struct config *c, struct mix *mix,
                    const struct bench_choice *b);

/* Sets the configuration to that of a cell, from the JSON that a baseline
 * (gate/baseline.h) stores for the cell.  threads: 0 means one per processor.
 * Returns ERR_USAGE if `config` is not such JSON or was written by a newer
 * version. */
int bench_restore(struct config *c, struct mix *mix, const char *config,
                  int threads);
