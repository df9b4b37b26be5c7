/*
 * bench_setup: converts the options of `bench` to the configuration of a step.
 * cmd_bench.c and bench_scaling.c call it.
 */
#pragma once

#include "harness/config/experiment.h"
#include "harness/train/bench.h"
#include "harness/nn/attention.h"

struct bench_choice {
    const char    *size, *variant, *precision;
    int            threads; /* 0: one per processor */
    int            repeat;  /* timed steps          */
    struct assigns set;     /* of -S                */
};

/* Applies the settings of the size, then threads and precision, then those of
 * -S, then one key (NULL: none).  Returns ERR_USAGE if a setting is unknown or
 * impossible. */
int bench_configure(struct config *c, struct mix *mix,
                    const struct bench_choice *b, const char *key,
                    const char *value);

/* Restores the settings of a cell from JSON, as a baseline stores them.
 * threads 0: one per processor.  Returns ERR_USAGE if the text is not such JSON
 * or was written by a newer version. */
int bench_restore(struct config *c, struct mix *mix, const char *config,
                  int threads);

/* Runs bench --scaling `axis` and draws into `folder` (NULL: draws nothing).
 * Returns an exit code. */
int bench_scaling(const struct bench_choice *b, const char *axis,
                  const char *format, const char *folder);
