/*
 * Checks of the outputs of layers.
 *
 * linear: compares the output of one head with W_V = W_O = I with R X, where R
 * holds the variant's scores of the same tokens X.  R X is the token mixing of
 * an MLP-Mixer with one linear layer.  Measures the largest difference divided
 * by the largest |R X|.
 *
 * mixture: compares two interpretations of a mixture of scores B_i with shares
 * alpha_i, in one layer with the same weights and tokens:
 *
 *     logits     softmax(sum_i alpha_i B_i) V
 *     weights    sum_i alpha_i softmax(B_i) V
 *
 * Measures the largest difference of the two outputs divided by the largest
 * output.
 *
 * length: runs a layer Y_N, made for N tokens, on other lengths of sentences X.
 *
 *     shorter    largest |Y_N(X) - Y_n(X)| for X of n tokens, where Y_n is a
 *                layer for n with the leading corners of the weights of Y_N
 *     grows      number of additional parameters, learned or frozen, of a
 *                layer for 2 N
 *     longer     1 if `grows` is 0 and, for X of 2 N tokens, Y_N returns what
 *                a layer for 2 N with the same weights returns; else 0
 *
 * If `grows` is not 0, the layer lacks parameters beyond N, and settings refuse
 * sentences longer than N.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the output of the layer for x, without a mask, in double. */
static double *output(struct check_layer *l, tensor *x)
{
    return check_layer_wide(l, layer_run(&l->layer, TAPE_EVAL, x,
                                         &layer_mask[0]));
}

/* Returns the largest |x_i - y_i|, and sets *most to the largest |x_i|. */
static double apart_by(int n, const double *x, const double *y, double *most)
{
    double worst = 0;

    *most = 0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(x[i] - y[i]));
        *most = fmax(*most, fabs(x[i]));
    }
    return worst;
}

/* Compares the outputs of two layers for the same sentences of n tokens. */
static double differ(struct check_layer *one, struct check_layer *two, int n,
                     double *most)
{
    tensor *x = layer_tokens(&one->layer, n, 99);

    return apart_by((int)tensor_len(x), output(one, x), output(two, x), most);
}

/* ---- linear ---- */

static int identity(struct check_layer *l, const char *name)
{
    tensor *w = check_layer_weight(l, name);
    int d = l->c.d;

    if (!w)
        return err_set(ERR_USAGE, "%s has no W_V", l->subject.variant);
    for (int i = 0; i < d * d; i++)
        w->x[i] = i % (d + 1) == 0;
    return OK;
}

static int run_linear(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);
    int n = c.N, d = c.d;
    double most;

    c.heads = 1;
    PASS(check_layer_scored(&l, v->variant, &c));
    PASS(identity(&l, "v"));
    PASS(identity(&l, "o"));
    tensor *x = layer_tokens(&l.layer, n, 99);
    double *want = check_room(&l, n, d);
    check_times(n, n, d, check_layer_scores(&l, x, 0, 0),
                check_layer_wide(&l, x), want);
    double apart = apart_by(n * d, want, output(&l, x), &most);
    check_say(o, "difference", apart / most, 0);
    return OK;
}

const struct check check_linear = {
    "linear", "one head without W_V and W_O, compared with R X",
    "variant d=16 N=12", run_linear,
    {{"difference", "largest |Y - R X| / largest |R X|"}}};

/* ---- mixture ---- */

static int run_mixture(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer one = {0};
    OWNED(check_layer_close) struct check_layer two = {0};
    struct model_config c = check_layer_config(v);
    double most;

    PASS(check_layer_open(&one, v->variant, MIX_LOGITS, &c));
    PASS(check_layer_open(&two, v->variant, MIX_WEIGHTS, &c));
    /* The two layers were filled with different weights, because the names of
     * their parts differ. */
    REQUIRE(two.layer.params.n == one.layer.params.n, "%d and %d parameters",
            two.layer.params.n, one.layer.params.n);
    for (int i = 0; i < two.layer.params.n; i++) {
        const tensor *to = two.layer.params.list[i].value;

        memcpy(to->x, one.layer.params.list[i].value->x,
               tensor_len(to) * sizeof(real));
    }
    double apart = differ(&one, &two, c.N, &most);
    check_say(o, "difference", apart / most, 0);
    return OK;
}

const struct check check_mixture = {
    "mixture", "softmax of mixed scores, compared with mixed softmaxes",
    "variant d=16 heads=2 N=8", run_mixture,
    {{"difference", "largest difference / largest output"}}};

/* ---- length ---- */

/* Copies the leading corner of `x`, a block that has the shape of `y`, to
 * `y`. */
static void corner(const tensor *x, tensor *y)
{
    size_t n = tensor_len(y);

    for (size_t i = 0; i < n; i++) {
        size_t rest = i, at = 0, step = 1;

        for (int k = y->nd - 1; k >= 0; k--) {
            size_t dim = (size_t)y->dim[k];

            at += rest % dim * step;
            step *= (size_t)x->dim[k];
            rest /= dim;
        }
        y->x[i] = x->x[at];
    }
}

static int has_corner(const tensor *x, const tensor *y)
{
    for (int k = 0; k < y->nd; k++)
        if (y->dim[k] > x->dim[k])
            return 0;
    return 1;
}

static int corners(const struct check_layer *from, struct check_layer *to)
{
    for (int i = 0; i < to->layer.params.n; i++) {
        const tensor *x = from->layer.params.list[i].value;
        tensor *y = to->layer.params.list[i].value;

        if (!has_corner(x, y))
            return err_set(ERR_USAGE, "n, N: %s of a layer for n tokens is not "
                           "part of that for N",
                           to->layer.params.list[i].name);
        corner(x, y);
    }
    return OK;
}

static double held(const struct check_layer *l)
{
    return (double)params_total(&l->layer.params, PARAM_LEARNED) +
           (double)params_total(&l->layer.params, PARAM_FROZEN);
}

static int run_length(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer whole = {0};
    OWNED(check_layer_close) struct check_layer less = {0};
    OWNED(check_layer_close) struct check_layer more = {0};
    struct model_config c = check_layer_config(v), short_one = c, long_one = c;

    PASS(check_range("n", v->n, 1, c.N));
    PASS(check_layer_open(&whole, v->variant, MIX_LOGITS, &c));
    short_one.N = v->n;
    long_one.N = 2 * c.N;
    PASS(check_layer_open(&less, v->variant, MIX_LOGITS, &short_one));
    PASS(check_layer_open(&more, v->variant, MIX_LOGITS, &long_one));
    PASS(corners(&whole, &less));
    double grows = held(&more) - held(&whole), most;
    check_say(o, "shorter", differ(&whole, &less, v->n, &most), 0);
    check_say(o, "grows", grows, 0);
    if (grows == 0)
        PASS(corners(&whole, &more));
    int longer = grows == 0 && differ(&whole, &more, 2 * c.N, &most) == 0;
    check_say(o, "longer", longer, 0);
    return OK;
}

const struct check check_length = {
    "length", "a layer on sentences shorter and longer than its N",
    "variant d=16 heads=2 rank=2 N=12 n=8", run_length,
    {{"shorter", "largest difference from a layer for n tokens"},
     {"grows", "additional parameters of a layer for 2 N tokens"},
     {"longer", "1 if it runs on 2 N tokens, else 0"}}};
