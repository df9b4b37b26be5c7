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

/* ---- certain.c: bits and exact ---- */

/* 1: the pair has other weights on the same data, so that chance may have
 * moved its metrics; 0: it is judged. */
int certain_pair(struct judging *w, const struct matched *m);

/* Rows of new cells that differ in their seeds and not in their weights, as
 * they did before.  All n pairs. */
void certain_seeds(struct judging *w, const struct matched *m, int n);

/* 1: the two values (b may be NULL) can be compared; 0: a row says why not. */
int certain_comparable(struct judging *w, const char *cell,
                       const struct baseline_value *a,
                       const struct baseline_value *b);

/* Rows of the metrics that b alone has. */
void certain_added(struct judging *w, const struct matched *m);

/* ---- chance.c: metrics ---- */

/* Of all n pairs that certain_pair left, in order of their names. */
int chance_judge(struct judging *w, const struct matched *m, int n);

/* ---- outside.c: bands ---- */

/* Of all n pairs that there are. */
int outside_judge(struct judging *w, const struct matched *m, int n);
