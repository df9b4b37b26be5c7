/* evaluate: what a model gives on a whole split, example by example.  The same
 * numbers for any number of threads. */
#pragma once

#include "harness/train/trainer.h"

#include <signal.h>

struct scores {        /* of every example of the split, in its own order */
    int     n;
    double *nll;       /* -log p of the target or label, nats, summed     */
    int    *hits;      /* tokens (or 1 label) guessed right               */
    int    *tokens;    /* of the target; 1 when classifying               */
    int    *guess;     /* label; NULL unless classifying                  */
    const char **text; /* decoded; NULL before evaluate_decode            */
    int     nbest;     /* hypotheses of each example, the best first      */
    const char **best; /* (n,nbest) decoded; "" where there are fewer     */
    double *score;     /* (n,nbest) log p by length; NAN where fewer      */
};

/* Rows of a batch: few enough that evaluation needs no more memory than a
 * step of training, which keeps less of a row but its gradients too. */
enum { EVAL_ROWS = 16, DECODE_ROWS = 32 };

/* The most ids that are decoded of a source so long. */
int decode_limit(int source, int N);

/* Who follows an evaluation; a NULL is nobody. */
struct follower {
    const volatile sig_atomic_t *stop;   /* not 0: end, ERR_STOPPED          */
    void (*tell)(void *arg, long done);  /* examples, after each batch; one
                                            thread at a time                 */
    void *arg;
};

/* Arrays from arena a; f may be NULL. */
int evaluate(struct scores *out, const struct trainer *t,
             const struct dataset *d, enum split split, struct arena *a,
             const struct follower *f);

/* Fills out->text and the n best by decode.beam, at most source + 50 ids, at
 * most N. */
int evaluate_decode(struct scores *out, const struct trainer *t,
                    const struct dataset *d, enum split split,
                    struct arena *a, const struct follower *f);

/* Mean nats a token. */
double scores_cross_entropy(const struct scores *s);
