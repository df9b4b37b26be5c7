/*
 * dependence: measures on which tokens row i of the scores B depends, by finite
 * differences.  X + e U_m is X with e U added to token m, where U ~ N(0, I) and
 * e is STEP:
 *
 *     own      max_i     |B_ij(X + e U_i) - B_ij(X - e U_i)| / 2 e
 *     other    max_i!=m  |B_ij(X + e U_m) - B_ij(X - e U_m)| / 2 e
 *
 * Both are also maxima over all heads and columns j.  A score that does not
 * depend on a token stays bit-identical, so a measure of 0 is exact.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"

#include <math.h>

#define STEP 0.01

static void shift(tensor *x, const tensor *u, int token, double by)
{
    int n = x->dim[1], d = x->dim[2];

    for (int b = 0; b < x->dim[0]; b++)
        for (int i = 0; i < d; i++) {
            int at = (b * n + token) * d + i;

            x->x[at] = (real)((double)x->x[at] + by * (double)u->x[at]);
        }
}

static double *scores(struct check_layer *l, tensor *x, const tensor *u,
                      int token, int head, double by)
{
    tensor *moved = layer_tokens(&l->layer, x->dim[1], 99);

    shift(moved, u, token, by);
    return check_layer_scores(l, moved, head, 0);
}

struct slopes { double own, other; };

static void look(struct slopes *s, struct check_layer *l, tensor *x,
                 const tensor *u, int token, int head)
{
    int n = x->dim[1];
    const double *up = scores(l, x, u, token, head, STEP);
    const double *down = scores(l, x, u, token, head, -STEP);

    for (int i = 0; i < n * n; i++) {
        double *to = i / n == token ? &s->own : &s->other;

        *to = fmax(*to, fabs(up[i] - down[i]) / (2 * STEP));
    }
}

static int run_dependence(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);
    struct slopes s = {0};

    PASS(check_range("n", v->n, 2, c.N));
    PASS(check_layer_scored(&l, v->variant, &c));
    tensor *x = layer_tokens(&l.layer, v->n, 99);
    const tensor *u = layer_tokens(&l.layer, v->n, 55);
    for (int h = 0; h < l.c.heads; h++)
        for (int m = 0; m < v->n; m++)
            look(&s, &l, x, u, m, h);
    check_say(o, "own", s.own, 0);
    check_say(o, "other", s.other, 0);
    return OK;
}

const struct check check_dependence = {
    "dependence", "tokens that a row of scores reads",
    "variant d=16 heads=2 rank=2 N=8 n=8", run_dependence,
    {{"own", "largest derivative of a row by its own token"},
     {"other", "largest derivative of a row by another token"}}};
