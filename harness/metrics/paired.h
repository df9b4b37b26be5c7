/*
 * paired: tests whether one system is better than another on the same segments,
 * as sacreBLEU 2.6.0 does, with the same random numbers.  `synthbench score`
 * calls paired_run.
 */
#pragma once

#include "harness/metrics/scorer.h"

#include <stdint.h>

enum { PAIRED_SEED = 12345, PAIRED_BS = 1000, PAIRED_RANDOM = 10000 };

/* bootstrap, approximate randomisation */
enum paired_test { PAIRED_TEST_BS, PAIRED_TEST_AR };

struct paired {
    double score;
    double mean, ci;   /* bootstrap; ci: half a 95 % interval; or NAN         */
    double p;          /* compared with the first system, for which it is NAN */
    long   extreme;    /* resamples with a greater difference; -1: first
                          system                                              */
};

/* Returns {"p_value", "count_extreme", ...}, with the text `system` unless it
 * is NULL. */
json_t *paired_json(const char *system, const struct paired *p);

/* Returns the signature of a score with the test's own keys inserted after
 * "nrefs"; the caller frees. */
char *paired_signature(const char *signature, enum paired_test test,
                       int resamples, uint32_t seed);

/* Compares each system with the first, in[0].  All inputs have the same
 * references and the same options, which are not NULL. */
int paired_run(struct paired *out, const struct scorer *s,
               const struct score_input *in, int systems,
               enum paired_test test, int resamples, uint32_t seed);
