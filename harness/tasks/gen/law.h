/*
 * law: data-generating distributions, the tasks of the science suite.
 * task_open calls law_open for a task that has a law.
 *
 * A law draws an example and computes -log p of its scored part.  On average,
 * no model can have a lower loss than the law itself, example by example and
 * for any sample; a model that does has seen the answer.
 *
 * An example is a function of (seed, task, split, index) by counter-based
 * random numbers with one fixed seed.  Its split is decided by the hash of its
 * ids (for a smoke generator: of the source, else of the target), so no example
 * is in two splits.  Symbols are the ids from 3.
 */
#pragma once

#include "harness/tasks/task.h"

struct draw; /* the random numbers of one example, in order */

int    draw_index(const struct draw *d);  /* candidate, from 0 */
int    draw_below(struct draw *d, int n); /* 0 .. n - 1        */
double draw_uniform(struct draw *d);      /* [0,1)             */
const struct task_opts *draw_opts(const struct draw *d); /* task options */
const void *draw_self(const struct draw *d); /* the law's state */
void   draw_shuffle(struct draw *d, int *x, int n);

/* The example drawn, as in struct example.  There is room for LAW_ROOM * length
 * ids. */
enum { LAW_ROOM = 4 };
struct drawn { /* other members start as 0; label -1: reject the draw */
    int *source, *target;
    int  nsource, ntarget, prompt, label, subtask, group;
    int  no_words;     /* 1: targets have no words               */
    const char *text;  /* target text; NULL: from its ids        */
    const int  *key;   /* (nkey) ids that decide the split; NULL */
    int         nkey;
};

/* Theory: the rows of attention weights that suffice to come arbitrarily close
 * to a loss. */
enum law_rows {
    ROWS_UNKNOWN,      /* no prediction          */
    ROWS_ANY,
    ROWS_EVEN,         /* all weights are equal  */
    ROWS_OF_POSITIONS, /* any function of i      */
    ROWS_OF_TOKENS,    /* ... and of x_i         */
    ROWS_OF_PAIRS      /* ... and of x_i and x_j */
};

struct law {
    size_t size;          /* bytes of its state        */
    int    length, vocab; /* minimum; less is an error */
    int  (*vocab_of)(int length); /* replaces vocab */
    int    classes;       /* number of labels                                */
    uint64_t seed;        /* of a smoke generator, which defines no loss; 0:
                             the science suite's seed                        */
    const void *from;     /* initial state, or NULL                          */

    /* Sets the state, and d->classes and d->floor if they depend on o.
     * Otherwise the floor is measured on the drawn examples, or is 0 without
     * `nll`.  NULL if there is nothing to set. */
    void   (*begin)(void *self, struct dataset *d, const struct task_opts *o);
    void   (*draw)(struct draw *r, struct drawn *out);
    /* Returns -log p of the scored part.  NULL: 0, the answer follows from the
     * input. */
    double (*nll)(const void *self, const struct example *e);

    enum law_rows reach; /* rows that suffice for the floor */

    /* Return the least loss, in nats, of a probe whose attention weights do not
     * depend on tokens, and its accuracy.  NULL: unknown. */
    double (*blind)(const struct task_opts *o);
    enum law_rows blind_reach;
    double (*blind_accuracy)(const struct task_opts *o);
};

/* Defines a task of the science suite; its kind determines the metrics. */
#define LAW(id, named, cited, says, of, ...)                                  \
    const struct task task_##id = {                                           \
        .name = #id, .title = named, .cite = cited, .generator = says,        \
        .kind = TASK_##of, .metrics = LAW_##of,                               \
        .law = &(const struct law){__VA_ARGS__}};
#define LAW_LANGUAGE NAMES("ce", "token_accuracy")
#define LAW_TRANSDUCE NAMES("ce", "token_accuracy", "bleu")
#define LAW_CLASSIFY NAMES("accuracy", "ce")

int law_open(struct dataset *out, const struct task *t,
             const struct task_opts *o);
