#include "tests/support/gradcheck.h"

#include "tests/support/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rng_key key = {.seed = 11, .stream = RNG_DROPOUT};

static tensor *run(struct tape *t, double dropout, graph_fn *f, void *arg)
{
    tape_begin(t, TAPE_TRAIN, key, 0, dropout);
    tensor *y = f(t, arg);
    return y->nd == 0 ? y : leaf_sum(t, y);
}

static double slope_at(struct tape *t, double dropout, graph_fn *f, void *arg,
                       real *x)
{
    const double e = 5e-3, weight[] = {45, -9, 1};
    real keep = *x;
    double slope = 0;

    for (int i = 0; i < 6; i++) {
        double sign = i % 2 ? -1 : 1;

        *x = keep + (real)(sign * (i / 2 + 1) * e);
        slope += sign * weight[i / 2] * (double)run(t, dropout, f, arg)->x[0];
    }
    *x = keep;
    return slope / (60 * e);
}

static size_t elements(int n, tensor *const wrt[])
{
    size_t all = 0;

    for (int i = 0; i < n; i++)
        all += tensor_len(wrt[i]);
    return all;
}

/* Returns the gradients of the tape, concatenated. */
static real *taken(struct tape *t, double dropout, graph_fn *f, void *arg,
                   int n, tensor *const wrt[])
{
    size_t at = 0;

    for (int i = 0; i < n; i++)
        memset(wrt[i]->g, 0, tensor_len(wrt[i]) * sizeof(real));
    tape_backward(t, run(t, dropout, f, arg));
    real *g = malloc(elements(n, wrt) * sizeof *g);
    for (int i = 0; i < n; i++) {
        memcpy(g + at, wrt[i]->g, tensor_len(wrt[i]) * sizeof *g);
        at += tensor_len(wrt[i]);
    }
    return g;
}

static double largest(const real *g, size_t n)
{
    double top = 0;

    for (size_t i = 0; i < n; i++)
        top = fmax(top, fabs((double)g[i]));
    return top;
}

double gradcheck(struct tape *t, double dropout, graph_fn *f, void *arg, int n,
                 tensor *const wrt[], const char **where)
{
    static char text[128];
    real *all = taken(t, dropout, f, arg, n, wrt), *g = all;
    double worst = 0, highest = largest(all, elements(n, wrt));

    for (int i = 0; i < n; i++) {
        size_t len = tensor_len(wrt[i]);
        double least = fmax(largest(g, len) / 1e3, highest / 1e5);

        for (size_t j = 0; j < len; j++, g++) {
            double slope = slope_at(t, dropout, f, arg, &wrt[i]->x[j]);
            double size = fmax(fmax(fabs((double)*g), fabs(slope)), least);
            double e = size > 0 ? fabs((double)*g - slope) / size : 0;

            if (e <= worst || isnan(worst))
                continue;
            worst = e;
            snprintf(text, sizeof text,
                     "tensor %d, element %zu: gradient %.12g, slope %.12g", i,
                     j, (double)*g, slope);
        }
    }
    free(all);
    if (where)
        *where = text;
    return worst;
}

void assert_gradient(const char *what, struct tape *t, double dropout,
                     graph_fn *f, void *arg, int n, tensor *const wrt[])
{
    const char *where;
    double worst = gradcheck(t, dropout, f, arg, n, wrt, &where);

    if (!(worst < GRADCHECK_BOUND))
        fail_msg("%s: off by %.3g at %s", what, worst, where);
}
