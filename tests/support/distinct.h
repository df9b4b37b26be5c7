/*
 * distinct: a store in which every number is another one, known by formula, so
 * that a table or a figure that shows one shows from where it has it.
 *
 * A number is of metric i (its place in distinct_metrics), row r (a variant),
 * seed k from 1 on, and task t (its place in distinct_tasks).
 */
#pragma once

#include <stddef.h>

/* Every metric that a table shows, and "ce" of every task. */
struct distinct_metric {
    const char *task, *name, *unit;
    int         better;
};

extern const struct distinct_metric distinct_metrics[]; /* ends with {0} */
extern const char *const distinct_tasks[];              /* NULL          */
extern const char *const distinct_rows[];               /* NULL          */

enum {
    DISTINCT_ROWS = 2, DISTINCT_SEEDS = 6,
    DISTINCT_STEPS = 80, DISTINCT_EVALS = 8, /* points of the curves */
    DISTINCT_MOVES = 4, DISTINCT_PLACES = 3
};

/* Places; -1: it has none. */
int distinct_metric_of(const char *task, const char *metric);
int distinct_task_of(const char *task);
int distinct_row_of(const char *variant);

/* What a cell stores.  The mean over the seeds is that of k = 3.5. */
double distinct_value(int i, int r, double k);
double distinct_params(int t, int r);
double distinct_flops(int t, int r);
double distinct_speed(int t, int r, int k); /* steps a second; the last seed's
                                               is too noisy to count */
/* Processor seconds of phases ("start" ..) and kernels ("products" ..,
 * "other"); cells of the last seed say nothing of either. */
extern const char *const distinct_phases[], *const distinct_kernels[];
double distinct_phase(int t, int r, double k, int phase);
double distinct_kernel(int r, int kernel);
double distinct_train(int t, int r, double k, int point); /* curves, from 0 */
double distinct_valid(int t, int r, double k, int point);
int    distinct_train_step(int point);
/* Of distinct_place[place] in step 2^point; cells of the last seed say nothing
 * of it. */
extern const char *const distinct_place[]; /* the last one is "cross.0" */
double distinct_move(int t, int r, double k, int place, int point);
int    distinct_valid_step(int point);

/* Of the test examples: how many, tokens of one, nats a token and a word of the
 * unigram model as that cell has it, which is less than the cell's own in the
 * first r + 1 seeds alone, of every other task in the others alone. */
int    distinct_examples(int t);
int    distinct_tokens(int t, int example);
double distinct_unigram(int t, int r, int k);

/* Cells of those tasks alone (NULL: all), and seeds 1 to `seeds`; the cells of
 * cnndm are SYNTHETIC, those of personachat a subset.  scratch_remove. */
char *distinct_store(const char *const *tasks, int seeds);
