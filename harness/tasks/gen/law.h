/*
 * law: data drawn from a known law, the tasks of the science suite.
 *
 * A law draws an example and says -log p of what the example asks.  In the mean
 * no model can lose less than the law itself, example by example and whatever
 * the sample: who does has seen the answer.
 *
 * An example is a function of (seed, task, split, index) by counter-based
 * random numbers of one fixed seed; its split is decided by the hash of its
 * ids (of a smoke generator: of the source, else of the target), so no example
 * is in two of them.  Symbols are the ids from 3.
 */
#pragma once

#include "harness/tasks/task.h"

struct draw; /* random numbers of one example, in order */

int    draw_index(const struct draw *d);  /* of the candidate, from 0 */
int    draw_below(struct draw *d, int n); /* 0 .. n - 1 */
double draw_uniform(struct draw *d);      /* [0,1)      */
const struct task_opts *draw_opts(const struct draw *d); /* of the task */
const void *draw_self(const struct draw *d); /* the law's state         */
void   draw_shuffle(struct draw *d, int *x, int n);

/* What is drawn; as struct example has it.  Room for LAW_ROOM length ids. */
enum { LAW_ROOM = 4 };
struct drawn { /* all else is 0 at first; label -1: it is no example */
    int *source, *target;
    int  nsource, ntarget, prompt, label, subtask, group;
    int  no_words;     /* 1: targets are no words                  */
    const char *text;  /* of the target; NULL: as its ids say      */
    const int  *key;   /* (nkey) what its split is decided by; NULL */
    int         nkey;
};

/* Theory: which rows of attention weights are enough to come as near to a loss
 * as one likes. */
enum law_rows {
    ROWS_UNKNOWN,      /* it does not say        */
    ROWS_ANY,
    ROWS_EVEN,         /* all weights are equal  */
    ROWS_OF_POSITIONS, /* any function of i      */
    ROWS_OF_TOKENS,    /* ... and of x_i         */
    ROWS_OF_PAIRS      /* ... and of x_i and x_j */
};

struct law {
    size_t size;          /* of its state                    */
    int    length, vocab; /* at least; below there is none   */
    int  (*vocab_of)(int length); /* in place of vocab       */
    int    classes;       /* of labels                       */
    uint64_t seed;        /* of a generator of the smoke scale, which says no
                             loss of its own; 0: the science suite's  */
    const void *from;     /* its state at first, or NULL     */

    /* State; d->classes and d->floor where they depend on o: else the floor is
     * measured on the drawn examples, 0 without `nll`.  NULL: there is nothing
     * to begin. */
    void   (*begin)(void *self, struct dataset *d, const struct task_opts *o);
    void   (*draw)(struct draw *r, struct drawn *out);
    /* NULL: 0, the answer follows from what is given. */
    double (*nll)(const void *self, const struct example *e);

    enum law_rows reach; /* of the floor */

    /* The least loss of a probe whose attention weights see no token, nats, and
     * its share of right answers.  NULL: not known. */
    double (*blind)(const struct task_opts *o);
    enum law_rows blind_reach;
    double (*blind_accuracy)(const struct task_opts *o);
};

/* A task of the science suite; what is measured follows from its kind. */
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
