/*
 * paired: is one system better than another on the same segments?  As
 * sacreBLEU 2.6.0 decides it, with the same random numbers.
 */
#pragma once

#include "harness/metrics/scorer.h"

#include <stdint.h>

enum { PAIRED_SEED = 12345, PAIRED_BS = 1000, PAIRED_RANDOM = 10000 };

enum paired_test { PAIRED_TEST_BS, PAIRED_TEST_AR }; /* bootstrap, approximate
                                                        randomisation */

struct paired {
    double score;
    double mean, ci;   /* of the bootstrap, ci half a 95 % interval; or NAN */
    double p;          /* against the first system; NAN: is the first       */
    long   extreme;    /* resamples at least so far apart; -1: is the first */
};

/* {"p_value", "count_extreme", ...}; `system`, if not NULL, is a text in it. */
json_t *paired_json(const char *system, const struct paired *p);

/* The signature of a score with the test's own keys behind "nrefs"; the caller
 * frees. */
char *paired_signature(const char *signature, enum paired_test test,
                       int resamples, uint32_t seed);

/* in[0] is what others are compared with; all inputs have the same references
 * and the same options, which are not NULL. */
int paired_run(struct paired *out, const struct scorer *s,
               const struct score_input *in, int systems,
               enum paired_test test, int resamples, uint32_t seed);
