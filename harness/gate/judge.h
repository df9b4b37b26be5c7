/*
 * judge: decides whether the results of a store agree with those of a baseline.
 * The gate calls it.  judge() works in stages; a later stage examines only what
 * the earlier stages left undecided.
 *
 *   bits     compares the digests of the results.  If a cell has the same
 *            digest, no other stage examines it, and it cannot cause an alarm
 *   exact    compares metrics of cells with different bits, but the same
 *            weights and test data.  Any difference, in either direction, shows
 *            that the metric is computed differently.  If the data, the units,
 *            the signatures, or the numbers of parameters, operations or
 *            targets differ, the metrics cannot be compared.  The stage also
 *            reports cells and metrics that only one baseline has, and seeds
 *            that have equal weights in the new baseline only.  Its verdicts
 *            need no statistics
 *   start    compares the first training losses of cells with the same
 *            configuration and different weights: they may differ only by
 *            rounding
 *   metrics  tests d = new - old for each metric of the task (not for
 *            metrics of a part of the task, such as rte_accuracy) if weights
 *            differ.  One cell is tested over its test examples, and several
 *            seeds over the pairs of seeds
 *
 * For m comparisons with margin e, d is tested by Student's t.  For several
 * seeds, the test uses the mean of d over seeds with its standard error; for
 * one cell, d with the bootstrap's standard error over n examples (n - 1
 * degrees of freedom).  If all seeds change by the same amount, their spread
 * does not estimate the error of d; then the bootstrap over the examples of all
 * seeds decides.  If no seed changes, d is 0 without error.  p is multiplied by
 * m and the interval has level 1 - 0.05 / m (verdict_t of stats/verdict.h): all
 * intervals hold simultaneously, and p < 0.05 exactly if 0 is outside the
 * interval.  Perplexity gets the verdict of cross-entropy and is not a separate
 * test.  The verdict is
 *
 *   worse, better   if p < 0.05 and |d| > e
 *   equal           if the whole interval is within -e to e (two one-sided
 *                   tests)
 *   undecided       otherwise
 */
#pragma once

#include "harness/base/names.h"
#include "harness/gate/pair_cells.h"

#define JUDGE_VERDICTS(X)                                                     \
    X(JUDGE_SAME, "same bits")                                                \
    X(JUDGE_EQUAL, "equal")                                                   \
    X(JUDGE_BETTER, "better")                                                 \
    X(JUDGE_ADDED, "added")                                                   \
    X(JUDGE_UNDECIDED, "undecided")                                           \
    X(JUDGE_MISSING, "missing")   /* not trained, or not finished    */       \
    X(JUDGE_CHANGED, "changed")   /* no longer comparable            */       \
    X(JUDGE_WORSE, "worse")
enum judge_verdict { JUDGE_VERDICTS(NAMES_VALUE) JUDGE_KINDS };
extern const char *const judge_word[]; /* ends with NULL */

struct judged {
    const char        *cell;   /* "random/lm1b/smoke/1"; ends with * if the row
                                  is about several seeds                    */
    const char        *metric; /* "metrics/ce"; "": the whole cell          */
    enum judge_verdict verdict;
    const char        *stage;  /* "exact", "start", "metrics", "cost", ... */
    const char        *why;    /* explanation                               */
    double             old, new, difference, margin, p;
    struct interval    between; /* of the difference                        */
    /* If a test decides the row: the standard error of the difference and its
     * degrees of freedom; else `degrees` is NAN.  noise, noise_error: for
     * stage "cost", the mean of z (cost.h) and its standard error. */
    double             error, degrees, noise, noise_error;
    int                better;   /* of the metric, as in baseline_value      */
    int                relative; /* difference, between, margin are percentages
                                    of old                                  */
    const char        *units;    /* of old and new, or ""                   */
};

struct judgement {
    int            n;                     /* number of rows                 */
    struct judged *row;
    int            cells;                 /* number of matched cells        */
    int            tests;                 /* m above                        */
    int            untrained;             /* cells of the experiment that are
                                             in neither baseline            */
    const char    *builds;                /* differences of builds, or ""   */
    const char    *settings;              /* of the matched cells: "steps: 40,
                                             now 80; ...", or ""            */
    size_t         room;                  /* allocated rows                 */
    struct arena  *memory;                /* owns everything except `row`   */
};

struct metric;

struct judge_of {
    const struct baseline *old, *new;
    /* The stores that have the test examples; old_store may be NULL. */
    const char *old_store, *new_store;
    double      margin;                /* in the metric's units; NAN: the spread
                                          of the baseline's seeds           */
    const struct metric *const *metrics; /* see outcomes_open; ends with NULL */
    int         exact;                 /* 1: different bits are an alarm    */
};

/* Judges the new baseline against the old one.  Returns ERR_EMPTY if they have
 * no cell in common, or ERR_STORE if a cell is damaged. */
int  judge(struct judgement **out, const struct judge_of *of);
void judge_close(struct judgement *j); /* NULL is fine */
OWNER(judge_close, struct judgement *)

/* Returns the number of rows with a verdict. */
int judge_count(const struct judgement *j, enum judge_verdict verdict);

/* Appends a row without numbers and returns it.  The pointer is valid until the
 * next call. */
struct judged *judge_add(struct judgement *j, const char *cell,
                         const char *metric, enum judge_verdict verdict,
                         const char *stage, const char *why);
