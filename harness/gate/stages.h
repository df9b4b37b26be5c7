/*
 * stages: declares the stages of judge.h.  judge() calls them in order, and
 * they add rows to the judgement.  Each stage is one file.  Private to this
 * folder.
 */
#pragma once

#include "harness/gate/judge.h"

struct judging {
    const struct judge_of *of;
    struct judgement      *out;
};

/* Adds a row to w->out for a metric that has the value `a` in the old and `b`
 * in the new baseline. */
struct judged *judge_values(struct judging *w, const char *cell,
                            const struct baseline_value *a,
                            const struct baseline_value *b,
                            enum judge_verdict verdict, const char *stage,
                            const char *why);

/* ---- stage_exact.c: bits, exact and start ---- */

/* Judges a pair by the stages `bits`, `exact` and `start`.  Returns 1 if the
 * pair has different weights and the same data, so that randomness may explain
 * a change of its metrics and later stages must judge the pair; otherwise 0. */
int stage_exact_pair(struct judging *w, const struct cell_pair *m);

/* Adds rows to w->out for new cells with different seeds and equal weights, if
 * the weights of the corresponding old cells differed.  m: all n pairs. */
void stage_exact_seeds(struct judging *w, const struct cell_pair *m, int n);

/* Returns 1 if the values `a` and `b` (may be NULL) can be compared.  Otherwise
 * adds a row with the reason to w->out and returns 0. */
int stage_exact_comparable(struct judging *w, const char *cell,
                           const struct baseline_value *a,
                           const struct baseline_value *b);

/* Adds rows to w->out for the metrics that only m->b has. */
void stage_exact_added(struct judging *w, const struct cell_pair *m);

/* ---- stage_metrics.c: metrics ---- */

/* Judges the metrics.  m: all n pairs for which stage_exact_pair returned 1,
 * sorted by name.  Returns ERR_STORE if a cell is damaged. */
int stage_metrics(struct judging *w, const struct cell_pair *m, int n);
