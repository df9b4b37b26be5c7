/*
 * distinct: a store in which all numbers differ and follow a formula, so that a
 * test can tell where a number in a table or figure comes from.
 *
 * Indices of a number: metric i (its index in distinct_metrics), row r (a
 * variant), seed k (from 1), and task t (its index in distinct_tasks).
 */
#pragma once

#include <stddef.h>

/* Every metric that a table shows, and "ce" of every task. */
struct distinct_metric {
    const char *task, *name, *unit;
    int         better;
};

extern const struct distinct_metric distinct_metrics[]; /* ends with {0} */
extern const char *const distinct_tasks[];              /* ends with NULL */
extern const char *const distinct_rows[];               /* ends with NULL */

enum {
    DISTINCT_ROWS = 2, DISTINCT_SEEDS = 6,
    DISTINCT_STEPS = 80, DISTINCT_EVALS = 8, /* points of the curves */
    DISTINCT_MOVES = 4, DISTINCT_PLACES = 3
};

/* These return an index, or -1 if the name is unknown. */
int distinct_metric_of(const char *task, const char *metric);
int distinct_task_of(const char *task);
int distinct_row_of(const char *variant);

/* Values that a cell stores. The value for k = 3.5 is the mean over the
 * seeds. */
double distinct_value(int i, int r, double k);
double distinct_params(int t, int r);
double distinct_flops(int t, int r);
/* Steps per second. The last seed is marked as too noisy. */
double distinct_speed(int t, int r, int k);
/* Processor seconds by phase ("start" ..) and kernel class ("products" ..,
 * "other"). Cells of the last seed store neither. */
extern const char *const distinct_phases[], *const distinct_kernels[];
double distinct_phase(int t, int r, double k, int phase);
double distinct_kernel(int r, int kernel);
double distinct_train(int t, int r, double k, int point); /* points from 0 */
double distinct_valid(int t, int r, double k, int point);
int    distinct_train_step(int point);
/* Change of the logits at distinct_place[place] in step 2^point. Cells of the
 * last seed do not store it. */
extern const char *const distinct_place[]; /* ends with "cross.0" */
double distinct_move(int t, int r, double k, int place, int point);
int    distinct_valid_step(int point);

/* Test examples: their number, the tokens of one example, and the unigram
 * model's loss in nats/token, as the cell stores it. If t is even, the loss is
 * below the cell's own in the first r + 1 seeds only; if t is odd, in the other
 * seeds only. */
int    distinct_examples(int t);
int    distinct_tokens(int t, int example);
double distinct_unigram(int t, int r, int k);

/* Creates a store with cells of the given tasks (NULL: all) and seeds 1 to
 * `seeds`. The cells of cnndm are SYNTHETIC, those of personachat use a subset.
 * Returns its path; remove it with scratch_remove. */
char *distinct_store(const char *const *tasks, int seeds);
