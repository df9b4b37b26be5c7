/*
 * paired: tests whether one system is better than another on the same segments,
 * by the methods and with the random numbers of sacreBLEU 2.6.0.  `synthbench
 * score` calls paired_run.
 */
#pragma once

#include "harness/metrics/scorer.h"

#include <stdint.h>

enum { PAIRED_SEED = 12345, PAIRED_BS = 1000, PAIRED_RANDOM = 10000 };

/* bootstrap, approximate randomisation */
enum paired_test { PAIRED_TEST_BS, PAIRED_TEST_AR };

struct paired {
    double score;
    double mean, ci;   /* mean score of the resamples and half the width of
                          their 95 % interval; NAN for PAIRED_TEST_AR         */
    double p;          /* p-value of the difference from the first system; NAN
                          for the first system                                */
    long   extreme;    /* number of resamples with a difference greater than
                          the observed one; -1 for the first system           */
};

/* Returns *p as an object with the members "score", "p_value", ..., and, unless
 * `system` is NULL, "system". */
json_t *paired_json(const char *system, const struct paired *p);

/* Returns a copy of `signature`, the signature of a score (result.h), with the
 * keys of the test inserted after the key "nrefs".  The caller frees it. */
char *paired_signature(const char *signature, enum paired_test test,
                       int resamples, uint32_t seed);

/* Compares each system with the first one and sets out[i] to the result of
 * system i, whose input is in[i].  All inputs have the same references and the
 * same options, which are not NULL.  The scorer must have the member
 * `segments`.  Returns OK, or an error of scorer_check or s->segments. */
int paired_run(struct paired *out, const struct scorer *s,
               const struct score_input *in, int systems,
               enum paired_test test, int resamples, uint32_t seed);
