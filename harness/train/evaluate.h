/* evaluate: computes the results of a model on a whole split, example by
 * example.  The results are the same for any number of threads.  train/train.c
 * calls evaluate and then, if the task has texts, evaluate_decode. */
#pragma once

#include "harness/train/trainer.h"

#include <signal.h>

struct scores {        /* for every example, in the order of the split */
    int     n;
    double *nll;       /* -log p of the whole target or of the label, nats */
    int    *hits;      /* number of correct tokens; when classifying, 1
                          for a correct label, else 0                  */
    int    *tokens;    /* tokens of the target; 1 when classifying     */
    int    *guess;     /* predicted label; NULL unless classifying     */
    const char **text; /* decoded; NULL before evaluate_decode         */
    int     nbest;     /* hypotheses per example, the best first       */
    const char **best; /* (n,nbest) decoded; "" in place of hypotheses
                          that do not exist                            */
    double *score;     /* (n,nbest) normalized log p; NAN in their place */
};

/* The number of rows of a batch in evaluation and in decoding.  These numbers
 * are small enough that evaluation needs no more memory than a training
 * step. */
enum { EVAL_ROWS = 16, DECODE_ROWS = 32 };

/* Returns the maximum number of ids that are decoded from a source sequence of
 * `source` ids; N is the maximum length of the model. */
int decode_limit(int source, int N);

/* Lets the caller of an evaluation end it and observe its progress.  Each
 * pointer may be NULL. */
struct follower {
    const volatile sig_atomic_t *stop;   /* not 0: end with ERR_STOPPED */
    /* Called after each batch, by one thread at a time; `done` is the number of
     * finished examples. */
    void (*tell)(void *arg, long done);
    void *arg;
};

/* Evaluates a split.  The arrays of `out` are allocated in `a`; f may be NULL.
 * Returns OK, or ERR_STOPPED if *f->stop became nonzero. */
int evaluate(struct scores *out, const struct trainer *t,
             const struct dataset *d, enum split split, struct arena *a,
             const struct follower *f);

/* Decodes a split.  Fills out->best and out->score with the best hypotheses of
 * the beam (config.nbest of them) and out->text with the first of these.  A
 * hypothesis has at most decode_limit ids.  The texts are allocated in `a`.
 * Returns OK, or ERR_STOPPED if *f->stop became nonzero. */
int evaluate_decode(struct scores *out, const struct trainer *t,
                    const struct dataset *d, enum split split,
                    struct arena *a, const struct follower *f);

/* Returns the mean loss of s in nats per token. */
double scores_cross_entropy(const struct scores *s);
