/*
 * laid: one self-attention layer of the variant that a check's arguments name,
 * as the program lays and runs it (verify/attention/layer.h), and its matrices
 * in double.  Learned values are N(0, 0.6^2), frozen ones their own draw; the
 * tokens N(0, 1).  Every draw is a function of names and places alone.
 */
#pragma once

#include "harness/claims/check.h"
#include "harness/verify/attention/layer.h"

struct check_layer {
    struct subject      subject;
    struct model_config c;
    struct layer        layer;
};

/* The whole number that an argument gives, low .. high.  ERR_USAGE. */
int check_layer_int(int *out, const struct check_args *a, const char *name,
                    int low, int high);
/* The word that an argument gives.  ERR_USAGE: it is missing. */
int check_layer_word(const char **out, const struct check_args *a,
                     const char *name);

/* The variant, or mixture, of this name.  ERR_USAGE. */
int check_layer_subject(struct subject *s, const char *name,
                        enum mix_rule rule);

/* c: all sizes but what a laid layer needs and no claim is about.  ERR_USAGE:
 * there is no such variant, or no such layer. */
int check_layer_open(struct check_layer *l, const char *variant,
                     enum mix_rule rule, const struct model_config *c);
void check_layer_close(struct check_layer *l); /* of zeros: nothing */
OWNER_OF_VALUE(check_layer_close, struct check_layer)

/* That of the arguments `variant` and check_layer_sizes's, which has scores of
 * its own, and n, the tokens of a sentence.  ERR_USAGE. */
int check_layer_scored(struct check_layer *l, int *n,
                       const struct check_args *a);

/* The sizes of arguments d, heads, k, N and rank, as many as the check has; k
 * of 0 is d / heads.  ERR_USAGE. */
int check_layer_sizes(struct model_config *c, const struct check_args *a);

/* B of a head and sentence, (n,n); x (3,n,d). */
double *check_layer_scores(struct check_layer *l, tensor *x, int head,
                           int sentence);

/* A tensor of the layer in double, in its memory: of parameters too. */
double *check_layer_wide(struct check_layer *l, const tensor *x);
/* Its parameter self.VARIANT.NAME, or self.NAME; NULL: there is none. */
tensor *check_layer_weight(struct check_layer *l, const char *name);
/* The same with its gradient, g, as layer_backward leaves it; NULL: frozen. */
tensor *check_layer_slopes(struct check_layer *l, const char *name);
