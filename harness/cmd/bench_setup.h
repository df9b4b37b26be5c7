/*
 * bench_setup: from the options of `bench` to the configuration of a step.
 */
#ifndef CMD_BENCH_SETUP_H
#define CMD_BENCH_SETUP_H

#include "harness/cmd/command.h"
#include "harness/train/bench.h"

enum { BENCH_REPEAT = 20 }; /* steps timed, unless --repeat says more */

/* A size's settings, then threads and precision, then `more` (-S), then one
 * key (NULL: none).  ERR_USAGE: an unknown or impossible setting. */
int bench_configure(struct config *c, struct mix *mix,
                    const struct bench_choice *b, const struct assigns *more,
                    const char *key, const char *value);

/* bench --scaling; returns an exit code. */
int bench_scaling(const struct options *o);

#endif
