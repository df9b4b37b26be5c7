/*
 * law: makes the data of the science suite: the tasks gen_... of tasks/list.h,
 * each of which has a known data-generating distribution, the law.  task_open
 * calls law_open for a task that has a law.
 *
 * A law draws an example and computes -log p of its scored part; the mean of
 * this is the entropy floor, d->floor.  The expected loss of a model is never
 * below the expected loss of the law; a model with a lower loss has seen the
 * answers.
 *
 * An example is a function of (seed, task, split, index) by counter-based
 * random numbers with one fixed seed.  The hash of its ids decides its split
 * (for a generator of the scale smoke, the hash of its source or, if it has
 * none, of its target), so no example is in two splits.  Symbols are ids; the
 * first is ID_FIRST (data/dataset.h).
 */
#pragma once

#include "harness/tasks/task.h"

struct draw; /* the random numbers of one example, in order */

int    draw_index(const struct draw *d);  /* index of the draw, from 0 */
int    draw_below(struct draw *d, int n); /* uniform in 0 .. n - 1     */
double draw_uniform(struct draw *d);      /* uniform in [0,1)          */
const struct task_opts *draw_opts(const struct draw *d); /* task options */
const void *draw_self(const struct draw *d); /* the law's state */
void   draw_shuffle(struct draw *d, int *x, int n);

/* The example drawn; the members mean the same as in struct example
 * (data/dataset.h).  `source` and `target` have room for LAW_ROOM * length ids
 * each; all other members start as 0.  A law sets `label` to -1 to reject the
 * draw. */
enum { LAW_ROOM = 4 };
struct drawn {
    int *source, *target;
    int  nsource, ntarget, prompt, label, subtask, group;
    int  no_words;     /* 1: targets have no words               */
    const char *text;  /* text of the target; NULL: that of its ids */
    const int  *key;   /* (nkey) ids whose hash decides the split; NULL: all */
    int         nkey;
};

/* What the attention weights must be able to depend on so that, in theory, a
 * model can come arbitrarily close to a given loss.  Row i has the weights of
 * position i; x_i is the token at position i. */
enum law_rows {
    ROWS_UNKNOWN,      /* no prediction          */
    ROWS_ANY,
    ROWS_EVEN,         /* all weights are equal  */
    ROWS_OF_POSITIONS, /* any function of i      */
    ROWS_OF_TOKENS,    /* any function of i, x_i */
    ROWS_OF_PAIRS      /* any function of i, x_i and, for weight j, x_j */
};

struct law {
    size_t size;          /* bytes of the law's state        */
    int    length, vocab; /* minimum; less is an error       */
    int  (*vocab_of)(int length); /* if set, returns the least vocab */
    int    classes;       /* number of labels                                */
    uint64_t seed;        /* seed of a generator that only scale smoke uses
                             and whose floor is unknown; 0: the seed of the
                             science suite                                   */
    const void *from;     /* initial state, or NULL                          */

    /* Sets the state `self`, and d->classes and d->floor if they depend on o;
     * NULL if there is nothing to set.  If `begin` does not set d->floor, it is
     * 0 if `nll` is NULL, else it is measured on the drawn test examples. */
    void   (*begin)(void *self, struct dataset *d, const struct task_opts *o);
    void   (*draw)(struct draw *r, struct drawn *out);
    /* Returns -log p of the scored part.  NULL: it is 0, because the answer
     * follows from the input. */
    double (*nll)(const void *self, const struct example *e);

    enum law_rows reach; /* weights that suffice to reach d->floor */

    /* For a probe (a model of one attention layer and a linear map) whose
     * attention weights do not depend on tokens: `blind` returns the least
     * possible loss, in nats, and `blind_accuracy` the accuracy; `blind_reach`
     * is the kind of weights that suffices for them.  NULL: unknown. */
    double (*blind)(const struct task_opts *o);
    enum law_rows blind_reach;
    double (*blind_accuracy)(const struct task_opts *o);
};

/* Defines a task of the science suite.  `of` (LANGUAGE, TRANSDUCE or CLASSIFY)
 * determines its kind and metrics; the last arguments initialize its struct
 * law. */
#define LAW(id, named, cited, says, of, ...)                                  \
    const struct task task_##id = {                                           \
        .name = #id, .title = named, .cite = cited, .generator = says,        \
        .kind = TASK_##of, .metrics = LAW_##of,                               \
        .law = &(const struct law){__VA_ARGS__}};
#define LAW_LANGUAGE NAMES("ce", "token_accuracy")
#define LAW_TRANSDUCE NAMES("ce", "token_accuracy", "bleu")
#define LAW_CLASSIFY NAMES("accuracy", "ce")

/* Draws the examples of a task with a law; task_open calls it. */
int law_open(struct dataset *out, const struct task *t,
             const struct task_opts *o);
