/*
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

static double apart(struct check_layer *one, struct check_layer *two, int n)
{
    tensor *x = layer_tokens(&one->layer, n, 99);
    double most;

    return check_apart((int)tensor_len(x), check_layer_output(one, x),
                       check_layer_output(two, x), &most);
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
    double grows = held(&more) - held(&whole);
    check_say(o, "shorter", apart(&whole, &less, v->n), 0);
    check_say(o, "grows", grows, 0);
    int fits = grows == 0;
    if (fits)
        PASS(corners(&whole, &more));
    check_say(o, "longer", fits && apart(&whole, &more, 2 * c.N) == 0, 0);
    return OK;
}

const struct check check_length = {
    "length", "a layer on sentences shorter and longer than its N",
    "variant d=16 heads=2 rank=2 N=12 n=8", run_length,
    {{"shorter", "largest difference from a layer for n tokens"},
     {"grows", "additional parameters of a layer for 2 N tokens"},
     {"longer", "1 if it runs on 2 N tokens, else 0"}}};
