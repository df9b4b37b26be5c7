/*
 * stages: those of judge.h, a file each, and the rows that they add; private
 * to this folder.
 */
#pragma once

#include "harness/gate/judge.h"

struct judging {
    const struct judge_of *of;
    struct judgement      *out;
};

/* A new row, of a metric whose values both have. */
struct judged *judge_values(struct judging *w, const char *cell,
                            const struct baseline_value *a,
                            const struct baseline_value *b,
                            enum judge_verdict verdict, const char *stage,
                            const char *why);

/* "metrics/", which a metric's name follows in struct baseline_value. */
extern const char judge_prefix[];
int judge_is_metric(const struct baseline_value *v);

/* ---- stage_exact.c: bits and exact ---- */

/* 1: the pair has other weights on the same data, so that chance may have
 * moved its metrics; 0: it is judged. */
int stage_exact_pair(struct judging *w, const struct cell_pair *m);

/* Rows of new cells that differ in their seeds and not in their weights, as
 * they did before.  All n pairs. */
void stage_exact_seeds(struct judging *w, const struct cell_pair *m, int n);

/* 1: the two values (b may be NULL) can be compared; 0: a row says why not. */
int stage_exact_comparable(struct judging *w, const char *cell,
                           const struct baseline_value *a,
                           const struct baseline_value *b);

/* Rows of the metrics that b alone has. */
void stage_exact_added(struct judging *w, const struct cell_pair *m);

/* ---- stage_metrics.c: metrics ---- */

/* Of all n pairs that stage_exact_pair left, in order of their names. */
int stage_metrics(struct judging *w, const struct cell_pair *m, int n);

/* ---- stage_bands.c: bands ---- */

/* Of all n pairs that there are. */
int stage_bands(struct judging *w, const struct cell_pair *m, int n);
