/*
 * judge: are the results of a store those of a baseline?  Stage by stage; a
 * later one only where the one before has no answer.
 *
 *   bits     the same cell with the same digest of its results: nothing else
 *            is looked at, and no alarm is possible
 *   exact    other bits, but the same weights and the same test data: a metric
 *            that differs by anything is computed otherwise, better or worse.
 *            Other data, units or signatures: the numbers cannot be compared;
 *            nor another number of parameters, operations or targets.  A cell
 *            or a metric that only one has.  Seeds that give the same weights,
 *            and did not.  All of these are certain
 *   start    other weights of the same configuration: the first training losses
 *            are further apart than rounding brings them
 *   metrics  other weights: d = new - old of each metric of the task (not of
 *            its parts), of one cell over its test examples, of several seeds
 *            over the pairs of them
 *   bands    where the baseline has bands of learning curves (band.h): each
 *            cell with other bits, and each that the baseline has not, of a
 *            configuration that it has; outside by more than chance among all
 *            of them, in either direction, is an alarm
 *
 * Of m comparisons, with margin e, d is tested by Student's t of its mean over
 * seeds, or of its bootstrap's standard error over n examples (n - 1 degrees of
 * freedom).  If all seeds move by the same amount, their spread says nothing of
 * d: the bootstrap decides, over the examples of all seeds.  If no seed moves,
 * d is 0 without error.  p is multiplied by m and the interval has level
 * 1 - 0.05 / m (verdict_t of stats/verdict.h): all intervals hold at once, and
 * p < 0.05 exactly if 0 is outside.  Perplexity is decided as cross-entropy is,
 * and is not a test of its own.
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
    X(JUDGE_CHANCE, "by chance")  /* outside, as some runs are       */       \
    X(JUDGE_EQUAL, "equal")                                                   \
    X(JUDGE_BETTER, "better")                                                 \
    X(JUDGE_ADDED, "added")                                                   \
    X(JUDGE_UNDECIDED, "undecided")                                           \
    X(JUDGE_MISSING, "missing")   /* of the store: it did not run    */       \
    X(JUDGE_CHANGED, "changed")   /* it cannot be compared any more  */       \
    X(JUDGE_OUTSIDE, "outside")   /* of its band, either way         */       \
    X(JUDGE_WORSE, "worse")
enum judge_verdict { JUDGE_VERDICTS(NAMES_VALUE) JUDGE_KINDS };
extern const char *const judge_word[]; /* ends with NULL */

struct judged {
    const char        *cell;   /* "random/lm1b/smoke/1"; of seeds ".../1-3" */
    const char        *metric; /* "metrics/ce"; "": of the whole cell       */
    enum judge_verdict verdict;
    const char        *stage;  /* "exact", "start", "metrics", "cost", ... */
    const char        *why;    /* in words                                  */
    double             old, new, difference, margin, p;
    struct interval    between; /* of the difference                        */
    int                better;
    int                relative; /* difference, between and margin are
                                    percents of old                         */
    const char        *units;    /* of old and new, or ""                   */
};

struct judgement {
    int            n, count[JUDGE_KINDS]; /* of rows                        */
    struct judged *row;
    int            cells, same;           /* matched; with the same bits    */
    int            tests;                 /* m                              */
    int            held;                  /* runs beside bands of curves    */
    int            untrained;             /* cells in neither               */
    const char    *bands;                 /* what came of that, or ""       */
    const char    *builds;                /* what differs of them, or ""    */
    size_t         room;                  /* of row                         */
    struct arena  *memory;                /* owns all of it                 */
};

struct metric;
struct examples_cache;

struct judge_of {
    const struct baseline *old, *new;
    const char *old_store, *new_store; /* of examples; old may be NULL      */
    /* The examples beside the old baseline; NULL: old_store has them. */
    const struct examples_cache *kept;
    double      margin;                /* in the metric's units; NAN: by the
                                          spread of the baseline's seeds    */
    const struct metric *const *metrics;
    int         exact;                 /* other bits are changed, too       */
};

/* ERR_EMPTY: they have no cell in common; ERR_STORE: a cell is damaged. */
int  judge(struct judgement **out, const struct judge_of *of);
void judge_close(struct judgement *j); /* NULL is fine */
OWNER(judge_close, struct judgement *)

/* One more row, without numbers and not yet counted; it may move with the
 * next one. */
struct judged *judge_add(struct judgement *j, const char *cell,
                         const char *metric, enum judge_verdict verdict,
                         const char *stage, const char *why);
