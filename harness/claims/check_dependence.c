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

/* Returns the scores of a head if `by` times `u` is added to a token. */
static double *scores(struct check_layer *l, const tensor *u, int token,
                      int head, double by)
{
    int n = u->dim[1], d = u->dim[2];
    tensor *x = layer_tokens(&l->layer, n, 99);

    for (int b = 0; b < x->dim[0]; b++)
        for (int i = 0; i < d; i++) {
            int at = (b * n + token) * d + i;

            x->x[at] = (real)((double)x->x[at] + by * (double)u->x[at]);
        }
    return check_layer_scores(l, x, head, 0);
}

static int run_dependence(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);
    double own = 0, other = 0;

    PASS(check_range("n", v->n, 2, c.N));
    PASS(check_layer_scored(&l, v->variant, &c));
    const tensor *u = layer_tokens(&l.layer, v->n, 55);
    for (int h = 0; h < c.heads; h++)
        for (int token = 0; token < v->n; token++) {
            const double *up = scores(&l, u, token, h, STEP);
            const double *down = scores(&l, u, token, h, -STEP);

            for (int i = 0; i < v->n * v->n; i++) {
                double *to = i / v->n == token ? &own : &other;

                *to = fmax(*to, fabs(up[i] - down[i]) / (2 * STEP));
            }
        }
    check_say(o, "own", own, 0);
    check_say(o, "other", other, 0);
    return OK;
}

const struct check check_dependence = {
    "dependence", "tokens that a row of scores reads",
    "variant d=16 heads=2 rank=2 N=8 n=8", run_dependence,
    {{"own", "largest derivative of a row by its own token"},
     {"other", "largest derivative of a row by another token"}}};
