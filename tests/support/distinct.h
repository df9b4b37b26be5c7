/*
 * distinct: a store in which all numbers differ and follow a formula, so that a
 * test can recognise where a number in a table or figure comes from.
 *
 * The parameters below are indices: i of a metric in distinct_metrics, r of a
 * row (a variant) in distinct_rows, t of a task in distinct_tasks. k is a seed,
 * from 1.
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

/* Each of these functions returns an index, or -1 if the name is unknown. */
int distinct_metric_of(const char *task, const char *metric);
int distinct_task_of(const char *task);
int distinct_row_of(const char *variant);

/* These functions return values that a cell stores. The value for k = 3.5 is
 * the mean over the seeds. */
double distinct_value(int i, int r, double k);
double distinct_params(int t, int r);
double distinct_flops(int t, int r);
/* Returns steps per second. The last seed is marked as too noisy. */
double distinct_speed(int t, int r, int k);
double distinct_train(int t, int r, double k, int point); /* points from 0 */
double distinct_valid(int t, int r, double k, int point);
int    distinct_train_step(int point);
/* distinct_move returns the change of the logits at distinct_place[place] in
 * step 2^point. Cells of the last seed do not store it. */
extern const char *const distinct_place[]; /* ends with "cross.0" */
double distinct_move(int t, int r, double k, int place, int point);
int    distinct_valid_step(int point);

/* distinct_examples returns the number of test examples, distinct_tokens the
 * tokens of one of them, and distinct_unigram the loss of the unigram model in
 * nats/token. That loss is below the cell's own loss in the first r + 1 seeds
 * if t is even, and in the other seeds if t is odd. */
int    distinct_examples(int t);
int    distinct_tokens(int t, int example);
double distinct_unigram(int t, int r, int k);

/* Creates a store with cells of the given tasks (NULL: all) and of the seeds 1
 * to `seeds`. The cells of cnndm are synthetic, those of personachat use a
 * subset of the official data. Returns the path of the store; remove it with
 * scratch_remove. */
char *distinct_store(const char *const *tasks, int seeds);
