/*
 * bench_setup: from the options of `bench` to the configuration of a step.
 */
#pragma once

#include "harness/config/experiment.h"
#include "harness/train/bench.h"
#include "harness/nn/attention.h"

struct bench_choice {
    const char    *size, *variant, *precision;
    int            threads; /* 0: one a processor    */
    int            repeat;  /* steps that are timed  */
    struct assigns set;     /* of -S                 */
};

/* A size's settings, then threads and precision, then its set, then one key
 * (NULL: none).  ERR_USAGE: an unknown or impossible setting. */
int bench_configure(struct config *c, struct mix *mix,
                    const struct bench_choice *b, const char *key,
                    const char *value);

/* A cell's settings, JSON as a baseline has them; threads 0: one a processor.
 * ERR_USAGE: it is no such text, or a newer program's. */
int bench_restore(struct config *c, struct mix *mix, const char *config,
                  int threads);

/* bench --scaling `axis`, drawn into `folder` (NULL: not); returns an exit
 * code. */
int bench_scaling(const struct bench_choice *b, const char *axis,
                  const char *format, const char *folder);
