/*
 * judge: decides whether the results of a store agree with those of a baseline.
 * It works in stages; a later stage examines only what the earlier ones left
 * undecided.
 *
 *   bits     the cell has the same digest of its results: nothing else is
 *            examined, and no alarm is possible
 *   exact    different bits, but the same weights and test data: a metric with
 *            any difference is computed differently, better or worse.  With
 *            other data, units or signatures the numbers cannot be compared;
 *            nor with another number of parameters, operations or targets.
 *            Also: cells and metrics that only one side has, and seeds that
 *            now give equal weights and did not before.  All are certain
 *   start    different weights of the same configuration: the first training
 *            losses differ by more than rounding
 *   metrics  different weights: d = new - old of each metric of the task (not
 *            of its parts); for one cell over its test examples, for several
 *            seeds over the pairs of seeds
 *   bands    if the baseline has bands of learning curves (band.h): every cell
 *            with different bits, and every new cell of a configuration in the
 *            baseline.  If it is outside by more than chance among all of
 *            these, in either direction, it is an alarm
 *
 * For m comparisons with margin e, d is tested by Student's t: of its mean over
 * seeds, or with the bootstrap's standard error over n examples (n - 1 degrees
 * of freedom).  If all seeds change by the same amount, their spread is no
 * estimate of the error of d; then the bootstrap over the examples of all seeds
 * decides.  If no seed changes, d is 0 without error.  p is multiplied by m and
 * the interval has level 1 - 0.05 / m (verdict_t of stats/verdict.h): all
 * intervals hold simultaneously, and p < 0.05 exactly if 0 is outside.
 * Perplexity gets the verdict of cross-entropy and is not a separate test.
 *
 *   worse, better   p < 0.05 and |d| > e
 *   equal           the whole interval is within -e .. e (two one-sided tests)
 *   undecided       else
 */
#pragma once

#include "harness/base/names.h"
#include "harness/gate/pair_cells.h"

#define JUDGE_VERDICTS(X)                                                     \
    X(JUDGE_SAME, "same bits")                                                \
    X(JUDGE_CHANCE, "by chance")  /* outside, as expected of some    */       \
    X(JUDGE_EQUAL, "equal")                                                   \
    X(JUDGE_BETTER, "better")                                                 \
    X(JUDGE_ADDED, "added")                                                   \
    X(JUDGE_UNDECIDED, "undecided")                                           \
    X(JUDGE_MISSING, "missing")   /* not trained, or not finished    */       \
    X(JUDGE_CHANGED, "changed")   /* no longer comparable            */       \
    X(JUDGE_OUTSIDE, "outside")   /* its band, in either direction   */       \
    X(JUDGE_WORSE, "worse")
enum judge_verdict { JUDGE_VERDICTS(NAMES_VALUE) JUDGE_KINDS };
extern const char *const judge_word[]; /* ends with NULL */

struct judged {
    const char        *cell;   /* "random/lm1b/smoke/1"; seeds: ending in * */
    const char        *metric; /* "metrics/ce"; "": the whole cell          */
    enum judge_verdict verdict;
    const char        *stage;  /* "exact", "start", "metrics", "cost", ... */
    const char        *why;    /* explanation                               */
    double             old, new, difference, margin, p;
    struct interval    between; /* of the difference                        */
    int                better;
    int                relative; /* difference, between, margin are percentages
                                    of old                                  */
    const char        *units;    /* of old and new, or ""                   */
};

struct judgement {
    int            n, count[JUDGE_KINDS]; /* of rows                        */
    struct judged *row;
    int            cells, same;           /* matched; bit-identical         */
    int            tests;                 /* m                              */
    int            held;                  /* runs compared with bands       */
    int            untrained;             /* cells that neither has         */
    const char    *bands;                 /* result of the bands, or ""     */
    const char    *builds;                /* differences of builds, or ""   */
    size_t         room;                  /* of row                         */
    struct arena  *memory;                /* owns all but row               */
};

struct metric;
struct examples_cache;

struct judge_of {
    const struct baseline *old, *new;
    const char *old_store, *new_store; /* for examples; old_store may be NULL */
    /* The examples saved with the old baseline; NULL: old_store has them. */
    const struct examples_cache *kept;
    double      margin;                /* in the metric's units; NAN: the spread
                                          of the baseline's seeds           */
    const struct metric *const *metrics;
    int         exact;                 /* different bits count as changed   */
};

/* Returns ERR_EMPTY if the baselines have no cell in common, or ERR_STORE if a
 * cell is damaged. */
int  judge(struct judgement **out, const struct judge_of *of);
void judge_close(struct judgement *j); /* NULL is fine */
OWNER(judge_close, struct judgement *)

/* Appends a row without numbers, which is not yet counted.  The next call may
 * move it. */
struct judged *judge_add(struct judgement *j, const char *cell,
                         const char *metric, enum judge_verdict verdict,
                         const char *stage, const char *why);
