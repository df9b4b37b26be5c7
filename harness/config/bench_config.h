/*
 * bench_config: the configurations that `synthbench bench` times: models of
 * named sizes, and those of cells in baselines.
 *
 *     tiny, small, medium    decoders, as in other frameworks' benchmarks
 *     t2t-base, t5-base      the paper's models
 */
#pragma once

#include "harness/config/experiment.h"
#include "harness/nn/attention.h"

struct bench_model {
    const char    *size, *variant, *precision;
    int            threads; /* 0: one per processor */
    struct assigns set;     /* settings of -S       */
};

/* Sets the configuration to that of a model.  Applies, in this order: the
 * settings of m->size, with as many lanes and shards as threads, rounded up to
 * a power of two (medium: two shards per lane); threads and precision; m->set.
 * Returns ERR_USAGE if a size or setting is unknown or impossible; the message
 * names the option of `bench` that set it. */
int bench_configure(struct config *c, struct mix *mix,
                    const struct bench_model *m);

/* Sets the configuration to that of a cell, from the JSON that a baseline
 * (gate/baseline.h) stores for the cell.  threads: 0 means one per processor.
 * Returns ERR_USAGE if `config` is not such JSON or was written by a newer
 * version. */
int bench_restore(struct config *c, struct mix *mix, const char *config,
                  int threads);
