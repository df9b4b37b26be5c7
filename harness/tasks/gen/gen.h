/*
 * gen: makes synthetic data with known answers for each kind of task.  The
 * scale `smoke` uses this data.  Tasks name these functions as their member
 * `generate`.
 *
 *   permutation  target symbol y_i is source symbol x_pi(i), where pi is one
 *                fixed permutation of the positions; loss 0 can be reached
 *   markov       a text of n symbols x_t out of K.  The first L = GEN_LAG are
 *                uniform; after them, x_t is j with probability P_ij, where i
 *                is x_{t-L}.  P = sum_k w_k Pi_k, where the Pi_k are fixed
 *                permutation matrices and the w_k weights, is doubly
 *                stochastic, so every x_t is uniform.  The loss is at least
 *                (L ln K + (n - L) h(P)) / n  nats per token, where
 *                h(P) = -1/K sum_ij P_ij ln P_ij
 *   majority     a bag of symbols of four classes; the label is the class that
 *                has at least GEN_MARGIN more symbols than any other; loss 0
 *                can be reached
 *   spans        texts of the markov kind with gaps (tasks/span.h); the least
 *                possible loss is unknown
 *
 * Symbols are ids; the first is ID_FIRST (data/dataset.h).  An example is a
 * function of (recipe, length, vocab, split, index) by counter-based random
 * numbers with one fixed seed.  The hash of an example decides its split, so no
 * example is in two splits.
 */
#pragma once

#include "harness/metrics/labels/benchmark.h"
#include "harness/tasks/task.h"

enum { GEN_LAG = 3, GEN_PERMS = 4, GEN_CLASSES = 4, GEN_MARGIN = 2,
       GEN_VOCAB = 8 /* minimum number of ids */,
       GEN_SEED = 1 /* seed of the fixed parts and of the smoke scale */ };

int gen_permutation(struct dataset *out, const struct task_opts *o);
int gen_markov(struct dataset *out, const struct task_opts *o);
int gen_majority(struct dataset *out, const struct task_opts *o);
int gen_spans(struct dataset *out, const struct task_opts *o);

/* Generates the examples of a benchmark (gen_labels.c).  The source is a symbol
 * that names the subtask, followed by a bag of symbols.  The target is the
 * subtask's label, as symbols, for the most frequent class of the bag
 * (gen_leader); loss 0 can be reached. */
int gen_labels(struct dataset *out, const struct task_opts *o,
               const struct benchmark_subtask *of);

/* Sets pi[0 .. n-1] to the permutation of gen_permutation: y_i = x_pi[i]. */
void gen_positions(int *pi, int n);

struct gen_chain {
    int symbols;
    const int *next[GEN_PERMS]; /* (symbols): Pi_k maps i to next[k][i] */
};
extern const int gen_examples[SPLITS]; /* default numbers of examples */

extern const double gen_weight[GEN_PERMS]; /* the weights w_k */

/* Returns the class that has at least `margin` more symbols in a bag of n ids
 * than any other class, or -1 if there is none.  Symbol i belongs to class i
 * mod `classes`, which is at most GEN_CLASSES. */
int gen_leader(const int *ids, int n, int classes, int margin);

/* Returns ERR_USAGE for options that no generator can satisfy. */
int gen_check(const struct task_opts *o);
/* Returns the split of an example with that hash: one in 8 is in validation,
 * one in 8 in test. */
enum split gen_split(uint64_t hash);

/* Makes the permutations Pi_k of the markov generator, in arena `a`. */
void gen_chain(struct gen_chain *c, int symbols, struct arena *a);
/* gen_step returns the successor of symbol `from` that the random number u in
 * [0,1) selects; gen_chance returns P_ij. */
int    gen_step(const struct gen_chain *c, int from, double u);
double gen_chance(const struct gen_chain *c, int i, int j);
double gen_entropy(const struct gen_chain *c); /* h(P) in nats */

/* The hidden Markov chain of the task gen_hmm (gen_markov.c), which is not the
 * generator gen_markov.  The chain keeps its state with probability gen_stay,
 * else changes to one of the other states with equal probability.  gen_emission
 * sets row[x] to the probability that `state` emits symbol x. */
enum { GEN_STATES = 4 };
extern const double gen_stay;
void gen_emission(double *row, int symbols, int state);
