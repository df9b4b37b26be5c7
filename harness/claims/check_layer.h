/*
 * check_layer: builds one self-attention layer of the variant that a check's
 * arguments name, as training builds it (verify/attention/layer.h), returns its
 * matrices in double, and does small matrix products.  Learned parameters are
 * N(0, 0.6^2), frozen parameters have the distribution that their variant
 * defines, and tokens are N(0, 1).  Every random value depends only on its
 * array and on its position in the array.
 */
#pragma once

#include "harness/claims/check.h"
#include "harness/verify/attention/layer.h"

struct check_layer {
    struct subject      subject;
    struct model_config c;
    struct layer        layer;
};

/* Finds the variant or mixture `name`; `rule` is how the parts of a mixture are
 * combined.  Returns ERR_USAGE if neither exists. */
int check_layer_subject(struct subject *s, const char *name,
                        enum mix_rule rule);

/* Returns layer_config[0] (verify/attention/layer.h) with the sizes and the
 * method that are arguments of the check. */
struct model_config check_layer_config(const struct check_values *v);

/* Builds the layer of a variant, or of a mixture whose parts `rule` combines,
 * as a layer of an encoder with the sizes of *c.  Returns ERR_USAGE if the
 * variant is unknown or cannot have these sizes.  check_layer_scored does the
 * same for a variant, and also returns ERR_USAGE if it is a mixture or computes
 * no attention scores. */
int check_layer_open(struct check_layer *l, const char *variant,
                     enum mix_rule rule, const struct model_config *c);
int check_layer_scored(struct check_layer *l, const char *variant,
                       const struct model_config *c);
/* Closes the layer.  Does nothing if *l is all zeros. */
void check_layer_close(struct check_layer *l);
OWNER_OF_VALUE(check_layer_close, struct check_layer)

/* ---- matrices, all in the layer's memory ---- */

/* Returns the attention scores B (n,n) of head `head` for sentence `sentence`
 * of x (3,n,d), which holds three sentences of n tokens. */
double *check_layer_scores(struct check_layer *l, tensor *x, int head,
                           int sentence);

/* Returns a copy of a tensor or parameter of the layer in double. */
double *check_layer_wide(struct check_layer *l, const tensor *x);
/* Returns an uninitialized matrix (n,m). */
double *check_room(struct check_layer *l, int n, int m);

/* Returns the layer's parameter "self.VARIANT.NAME".  If it does not exist,
 * returns "self.NAME", or NULL if neither exists. */
tensor *check_layer_weight(struct check_layer *l, const char *name);

/* check_times sets y (n,e) to the product x w of x (n,m) and w (m,e).
 * check_turned sets y (m,e) to x^T w for x (n,m) and w (n,e).  check_norm2
 * returns the sum of squares. */
void check_times(int n, int m, int e, const double *x, const double *w,
                 double *y);
void check_turned(int n, int m, int e, const double *x, const double *w,
                  double *y);
double check_norm2(int n, const double *x);
