/*
 * gen: synthetic data with known answers for each kind of task, used at the
 * smoke scale.  Tasks name these functions as their generators.
 *
 *   permutation  y_i = x_pi(i), pi one fixed permutation of the positions;
 *                loss 0 can be reached
 *   markov       x_t ~ P(x_{t-L}, .), the first L uniform, L = GEN_LAG;
 *                P = sum_k w_k Pi_k over fixed permutation matrices: doubly
 *                stochastic, so that every x_t is uniform and the loss is at
 *                least  (L ln K + (n - L) h(P)) / n  nats per token,
 *                h(P) = -1/K sum_ij P_ij ln P_ij,  K symbols
 *   majority     a bag of symbols of four classes; the label is the class that
 *                leads by GEN_MARGIN or more; loss 0 can be reached
 *   spans        texts of the markov language with gaps (tasks/span.h); the
 *                floor of the loss is unknown
 *
 * Symbols are the ids from 3.  An example is a function of (recipe, length,
 * vocab, split, index) by counter-based random numbers with one fixed seed.
 * Its hash decides its split, so no example is in two splits.
 */
#pragma once

#include "harness/metrics/labels/benchmark.h"
#include "harness/tasks/task.h"

enum { GEN_LAG = 3, GEN_PERMS = 4, GEN_CLASSES = 4, GEN_MARGIN = 2,
       GEN_VOCAB = 8 /* minimum */,
       GEN_SEED = 1 /* seed of the fixed parts and of the smoke scale */ };

int gen_permutation(struct dataset *out, const struct task_opts *o);
int gen_markov(struct dataset *out, const struct task_opts *o);
int gen_majority(struct dataset *out, const struct task_opts *o);
int gen_spans(struct dataset *out, const struct task_opts *o);

/* Generates the subtasks of a benchmark (gen_labels.c), a symbol for each,
 * followed by a bag of symbols.  The target is the class that leads, in the
 * subtask's own words, which are symbols, too; loss 0 can be reached. */
int gen_labels(struct dataset *out, const struct task_opts *o,
               const struct benchmark_subtask *of);

/* Sets the permutation pi: y_i = x_pi[i]. */
void gen_positions(int *pi, int n);

struct gen_chain {
    int symbols;
    const int *next[GEN_PERMS]; /* (symbols): Pi_k maps i to next[k][i] */
};
extern const int gen_examples[SPLITS]; /* by default */

extern const double gen_weight[GEN_PERMS]; /* w */

/* Returns the class, of at most GEN_CLASSES, that leads a bag by `margin` or
 * more, or -1 if none does.  Symbol i is of class i mod `classes`. */
int gen_leader(const int *ids, int n, int classes, int margin);

/* Returns ERR_USAGE for options that no generator can satisfy. */
int gen_check(const struct task_opts *o);
/* Returns the split of an example by its hash: 1 of 8 validation, 1 of 8
 * test. */
enum split gen_split(uint64_t hash);

void gen_chain(struct gen_chain *c, int symbols, struct arena *a);
/* Returns the successor of `from` for u in [0,1); and P_ij. */
int    gen_step(const struct gen_chain *c, int from, double u);
double gen_chance(const struct gen_chain *c, int i, int j);
double gen_entropy(const struct gen_chain *c); /* h(P) in nats */

/* The hidden chain of gen_markov.c: z stays with probability gen_stay, else
 * moves to each other state with equal probability; row[x] = B(state, x). */
enum { GEN_STATES = 4 };
extern const double gen_stay;
void gen_emission(double *row, int symbols, int state);
