/*
 * gen: data with known answers, for each kind of task.
 *
 *   permutation  y_i = x_pi(i), pi one fixed permutation of the positions;
 *                loss 0 is within reach
 *   markov       x_t ~ P(x_{t-L}, .), the first L uniform, L = GEN_LAG;
 *                P = sum_k w_k Pi_k over fixed permutation matrices: doubly
 *                stochastic, so that every x_t is uniform and the loss cannot
 *                fall under  (L ln K + (n - L) h(P)) / n  nats a token,
 *                h(P) = -1/K sum_ij P_ij ln P_ij,  K symbols
 *   majority     a bag of symbols of four classes; the label is the class that
 *                leads, by GEN_MARGIN or more; loss 0 is within reach
 *   spans        texts of the markov language with holes (tasks/span.h); the
 *                floor of the loss is not known
 *
 * Symbols are the ids from 3.  An example is a function of (recipe, length,
 * vocab, split, index) by counter-based random numbers of one fixed seed; its
 * split is decided by its hash, so no example is in two of them.
 */
#pragma once

#include "harness/metrics/labels/benchmark.h"
#include "harness/tasks/task.h"

enum { GEN_LAG = 3, GEN_PERMS = 4, GEN_CLASSES = 4, GEN_MARGIN = 2,
       GEN_VOCAB = 8 /* at least */,
       GEN_SEED = 1 /* of what is fixed, and of the smoke scale */ };

int gen_permutation(struct dataset *out, const struct task_opts *o);
int gen_markov(struct dataset *out, const struct task_opts *o);
int gen_majority(struct dataset *out, const struct task_opts *o);
int gen_spans(struct dataset *out, const struct task_opts *o);

/* gen_labels.c: the subtasks of a benchmark, a symbol for each; then a bag of
 * symbols, and the class that leads, told in the subtask's own words, which are
 * symbols too; loss 0 is within reach. */
int gen_labels(struct dataset *out, const struct task_opts *o,
               const struct benchmark_subtask *of);

/* pi: y_i = x_pi[i] */
void gen_positions(int *pi, int n);

struct gen_chain {
    int symbols;
    const int *next[GEN_PERMS]; /* (symbols): where Pi_k leads from i */
};
extern const int gen_examples[SPLITS]; /* where none are asked for */

extern const double gen_weight[GEN_PERMS]; /* w */

/* Which of so many classes, at most GEN_CLASSES, leads a bag by the margin or
 * more; -1: none does.  Symbol i is of class i mod `classes`. */
int gen_leader(const int *ids, int n, int classes, int margin);

/* ERR_USAGE: options that no generator could obey. */
int gen_check(const struct task_opts *o);
/* The split of an example with this hash: 1 of 8 validation, 1 of 8 test. */
enum split gen_split(uint64_t hash);

void gen_chain(struct gen_chain *c, int symbols, struct arena *a);
/* What follows `from`, of u in [0,1); and P_ij. */
int    gen_step(const struct gen_chain *c, int from, double u);
double gen_chance(const struct gen_chain *c, int i, int j);
double gen_entropy(const struct gen_chain *c); /* h(P), nats */

/* The hidden chain of gen_markov.c: z stays with chance gen_stay, else goes to
 * each other state alike; row[x] = B(state, x). */
enum { GEN_STATES = 4 };
extern const double gen_stay;
void gen_emission(double *row, int symbols, int state);
