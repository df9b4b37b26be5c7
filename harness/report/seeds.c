#include "harness/report/seeds.h"

#include "harness/base/owned.h"
#include "harness/stats/stats.h"
#include "harness/stats/typical.h"

#include <math.h>
#include <stdlib.h>

enum { SEED = 1 }; /* of draws, where there are too many values to count */

static int is_pair(const struct seeds *a, size_t i, const struct seeds *b,
                   size_t j)
{
    return a->seed[i] == b->seed[j] && !isnan(a->value[i]) &&
           !isnan(b->value[j]);
}

static size_t pair_up(double *x, double *y, const struct seeds *a,
                      const struct seeds *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            if (is_pair(a, i, b, j)) {
                x[n] = a->value[i];
                y[n++] = b->value[j];
            }
    return n;
}

static size_t known(double *x, const struct seeds *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->value[i]))
            x[n++] = s->value[i];
    return n;
}

static void compare_pairs(struct seeds_test *out, const double *x,
                          const double *y)
{
    size_t n = out->na;
    OWNED(free) double *d = malloc((n + 1) * sizeof *d);

    for (size_t i = 0; i < n; i++)
        d[i] = typical_clean(x[i] - y[i], fabs(x[i]) + fabs(y[i]));
    out->n = typical_pairs(n);
    out->t = malloc((out->n + 1) * sizeof *out->t);
    typical_of_pairs(out->t, d, n, SEED);
}

static void compare_others(struct seeds_test *out, const double *x,
                           const double *y)
{
    if (out->na == 0 || out->nb == 0)
        return;
    out->n = typical_others(out->na, out->nb);
    out->t = malloc((out->n + 1) * sizeof *out->t);
    typical_of_others(out->t, x, out->na, y, out->nb, SEED);
}

void seeds_open(struct seeds_test *out, const struct seeds *a,
                const struct seeds *b)
{
    OWNED(free) double *x = malloc((a->n + 1) * sizeof *x);
    OWNED(free) double *y = malloc((b->n + 1) * sizeof *y);

    *out = (struct seeds_test){.n = 0};
    out->na = out->nb = pair_up(x, y, a, b);
    out->paired = out->na > 0;
    if (!out->paired) {
        out->na = known(x, a);
        out->nb = known(y, b);
    }
    out->a = stats_mean(x, out->na);
    out->b = stats_mean(y, out->nb);
    (out->paired ? compare_pairs : compare_others)(out, x, y);
}

size_t seeds_more(const struct seeds_test *s, size_t m)
{
    return s->paired ? typical_more_pairs(s->na, m)
                     : typical_more_others(s->na, s->nb, m);
}
