/*
 * check_layer: builds one self-attention layer of the variant that a check's
 * arguments name, as training builds it (verify/attention/layer.h), and returns
 * its matrices in double.  Learned parameters are N(0, 0.6^2), frozen
 * parameters have the distribution that their variant defines, and tokens are
 * N(0, 1).  Every random value depends only on its array and on its position in
 * the array.
 *
 * A check reads its arguments, opens the layer, measures, and closes the layer.
 */
#pragma once

#include "harness/claims/check.h"
#include "harness/verify/attention/layer.h"

struct check_layer {
    struct subject      subject;
    struct model_config c;
    struct layer        layer;
};

/* Reads an argument that must be a whole number from `low` to `high`.  Returns
 * ERR_USAGE if it is not. */
int check_layer_int(int *out, const struct check_args *a, const char *name,
                    int low, int high);
/* Reads an argument that is a word.  Returns ERR_USAGE if it is missing. */
int check_layer_word(const char **out, const struct check_args *a,
                     const char *name);

/* Finds the variant or mixture `name`; `rule` is how the parts of a mixture are
 * combined.  Returns ERR_USAGE if neither exists. */
int check_layer_subject(struct subject *s, const char *name,
                        enum mix_rule rule);

/* Builds the layer of a variant, or of a mixture whose parts `rule` combines,
 * as a layer of an encoder with the sizes of *c.  Returns ERR_USAGE if the
 * variant is unknown or cannot have these sizes. */
int check_layer_open(struct check_layer *l, const char *variant,
                     enum mix_rule rule, const struct model_config *c);
/* Closes the layer.  Does nothing if *l is all zeros. */
void check_layer_close(struct check_layer *l);
OWNER_OF_VALUE(check_layer_close, struct check_layer)

/* Opens the layer of the variant that the argument `variant` names, with the
 * sizes that check_layer_sizes reads.  Sets *n to the argument `n`, the number
 * of tokens per sentence, which must be from 2 to N.  Returns ERR_USAGE if the
 * variant is a mixture or computes no attention scores. */
int check_layer_scored(struct check_layer *l, int *n,
                       const struct check_args *a);

/* Sets *c to layer_config[0] (verify/attention/layer.h), in which the sizes d,
 * heads, k, N and rank are replaced by the arguments of these names, if the
 * check has such parameters.  k = 0 means d / heads.  Returns ERR_USAGE if a
 * size is out of range. */
int check_layer_sizes(struct model_config *c, const struct check_args *a);

/* Returns the attention scores B (n,n) of head `head` for sentence `sentence`
 * of x (3,n,d), which holds three sentences of n tokens.  B is in the layer's
 * memory. */
double *check_layer_scores(struct check_layer *l, tensor *x, int head,
                           int sentence);

/* Returns a copy of a tensor or parameter of the layer in double, in the
 * layer's memory. */
double *check_layer_wide(struct check_layer *l, const tensor *x);
/* Returns the layer's parameter "self.VARIANT.NAME".  If it does not exist,
 * returns "self.NAME", or NULL if neither exists. */
tensor *check_layer_weight(struct check_layer *l, const char *name);
/* Returns the same parameter as check_layer_weight.  The member `g` of the
 * parameter is the gradient that layer_backward has computed, or NULL if the
 * parameter is frozen. */
tensor *check_layer_slopes(struct check_layer *l, const char *name);
