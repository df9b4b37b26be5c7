/*
 * gradient: measures the gradient that a self-attention layer f passes to its
 * tokens X.  The loss has the gradient G ~ N(0,1) at the output.  Each measure
 * is the norm of a gradient at X, divided by the norm of G:
 *
 *     path        the gradient G W_Q^T of y = X W_Q alone, for one head
 *     block       the gradient of f(X), through queries, keys and values
 *     scores      the part of `block` that passes through the scores B
 *     values      the part of `block` that passes through the values V
 *     residual    the gradient of X + f(X): that of f(X), plus G
 *
 * Parameters start at N(0, 1/rows), which keeps norms on average, and X at N(0,
 * I).  The argument `scale` multiplies X, to saturate the softmax.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "harness/verify/attention/leaf.h"

#include <math.h>

enum { DRAWS = 8 };

struct ask { struct check_layer *l; int n; double scale; };

struct ratios {
    double path[DRAWS], block[DRAWS], scores[DRAWS], values[DRAWS];
    double residual[DRAWS];
};

/* Returns G, the `n` weights by which leaf_sum multiplies the outputs. */
static real *slopes(struct check_layer *l, size_t n)
{
    real *g = arena_take(l->layer.memory, n * sizeof *g);

    leaf_weight(g, n);
    return g;
}

static double norm(size_t n, const real *x)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}

static tensor *tokens(const struct ask *q, int draw)
{
    tensor *x = layer_tokens(&q->l->layer, q->n, (uint64_t)(1000 + draw));

    for (size_t i = 0; i < tensor_len(x); i++)
        x->x[i] *= (real)q->scale;
    return x;
}

static double ratio(struct check_layer *l, const tensor *x, const tensor *y)
{
    return norm(tensor_len(x), x->g) /
           norm(tensor_len(y), slopes(l, tensor_len(y)));
}

/* Returns the measure `path` of a draw, for y = X W, where W (d,k) holds the
 * first head's columns of W_Q. */
static double path(const struct ask *q, int draw)
{
    struct layer *l = &q->l->layer;
    const tensor *all = check_layer_weight(q->l, "q");
    int d = l->c.d, k = config_head(&l->c);
    tensor w = {.nd = 2, .dim = {d, k},
                .x = arena_take(l->memory, (size_t)(d * k) * sizeof(real))};
    tensor *x = tokens(q, draw);

    for (int i = 0; i < d * k; i++)
        w.x[i] = all->x[i / k * all->dim[1] + i % k];
    tape_begin(l->tape, TAPE_TRAIN, (struct rng_key){0}, 0, 0);
    tensor *y = ad_linear(l->tape, x, &w, NULL, ACT_NONE);
    tape_backward(l->tape, leaf_sum(l->tape, y));
    return ratio(q->l, x, y);
}

/* Runs the program's whole layer forward and backward.  Returns the tokens,
 * which hold their gradient. */
static tensor *whole(const struct ask *q, int draw)
{
    struct layer *l = &q->l->layer;
    tensor *x = tokens(q, draw);

    memset(l->view.grad, 0, l->params.learned * sizeof(real));
    tape_backward(l->tape, leaf_sum(l->tape, layer_run(l, TAPE_TRAIN, x,
                                                       &layer_mask[0])));
    return x;
}

/* Sets *scores and *values to the measures of a draw.  Computes the scores B
 * from one copy of the tokens and the values V from another, so that the
 * gradients of the two copies are separate. */
static void parts(const struct ask *q, int draw, double *scores,
                  double *values)
{
    struct layer *l = &q->l->layer;
    tensor *one = tokens(q, draw), *two = tokens(q, draw);
    tensor *b = layer_scores(l, TAPE_TRAIN, one, &layer_mask[0]);
    tensor *v = ad_linear(l->tape, two, check_layer_weight(q->l, "v"), NULL,
                          ACT_NONE);
    tensor *y = ad_attend(l->tape, b, v, (struct keys){0});

    y = ad_linear(l->tape, y, check_layer_weight(q->l, "o"), NULL, ACT_NONE);
    tape_backward(l->tape, leaf_sum(l->tape, y));
    *scores = ratio(q->l, one, one);
    *values = ratio(q->l, two, two);
}

/* Fills the learned matrices with N(0, 1/rows), as at the start of training. */
static void start(struct layer *l)
{
    for (int i = 0; i < l->params.n; i++) {
        const struct param *p = &l->params.list[i];

        if (p->kind == PARAM_LEARNED && p->value->nd == 2)
            leaf_fill(p->value->x, tensor_len(p->value),
                      1 / sqrt(p->value->dim[0]), (uint64_t)(200 + i));
    }
}

static void measure(const struct ask *q, struct ratios *r)
{
    for (int i = 0; i < DRAWS; i++) {
        tensor *x = whole(q, i);

        r->block[i] = ratio(q->l, x, x);
        const real *g = slopes(q->l, tensor_len(x));
        real *sum = slopes(q->l, tensor_len(x));
        for (size_t k = 0; k < tensor_len(x); k++)
            sum[k] += x->g[k];
        r->residual[i] = norm(tensor_len(x), sum) / norm(tensor_len(x), g);
        r->path[i] = path(q, i);
        parts(q, i, &r->scores[i], &r->values[i]);
    }
}

static int run_gradient(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);
    struct ask q = {&l, v->n, v->scale};
    struct ratios r;

    PASS(check_range("n", v->n, 1, 512));
    PASS(check_layer_open(&l, v->variant, MIX_LOGITS, &c));
    if (l.subject.mix.n > 1 || !check_layer_weight(&l, "q"))
        return err_set(ERR_USAGE, "%s has no W_Q of its own", v->variant);
    start(&l.layer);
    measure(&q, &r);
    check_mean(o, "path", r.path, DRAWS);
    check_mean(o, "block", r.block, DRAWS);
    check_mean(o, "scores", r.scores, DRAWS);
    check_mean(o, "values", r.values, DRAWS);
    check_mean(o, "residual", r.residual, DRAWS);
    return OK;
}

const struct check check_gradient = {
    "gradient", "norm of the gradient that a layer passes to its input",
    "variant d=64 heads=4 k=0 n=16 N=16 scale=1", run_gradient,
    {{"path", "||G W_Q^T|| / ||G||"},
     {"block", "||dL/dX|| / ||G|| of the whole layer"},
     {"scores", "||dL/dX|| / ||G|| through the scores"},
     {"values", "||dL/dX|| / ||G|| through the values"},
     {"residual", "||G + dL/dX|| / ||G|| of X + f(X)"}}};
