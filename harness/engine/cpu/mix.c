/*
 * Mixtures: w = softmax(a), or (1 - s, s) with s = 1 / (1 + exp(-a)).
 *
 * The gradients, where X' is d loss / d X and w_i' = <Y', X_i>, are
 *     softmax  a_i' += w_i (w_i' - sum_j w_j w_j')
 *     sigmoid  a'   += s (1 - s) (w_2' - w_1')
 */
#include "harness/engine/cpu/cpu.h"

void cpu_mix_weights(int parts, int sigmoid, const real *a, double *w)
{
    double top = -INFINITY, sum = 0;

    if (sigmoid) {
        w[1] = 1 / (1 + exp(-(double)a[0]));
        w[0] = 1 - w[1];
        return;
    }
    for (int i = 0; i < parts; i++)
        top = fmax(top, (double)a[i]);
    for (int i = 0; i < parts; i++)
        sum += w[i] = exp((double)a[i] - top);
    for (int i = 0; i < parts; i++)
        w[i] /= sum;
}

void cpu_mix_weights_back(int parts, int sigmoid, const double *w,
                          const double *gw, real *ga)
{
    double mean = 0;

    for (int i = 0; i < parts; i++)
        mean += w[i] * gw[i];
    for (int i = 0; i < (sigmoid ? 1 : parts); i++)
        ga[i] = ga[i] + (real)(sigmoid ? w[0] * w[1] * (gw[1] - gw[0])
                                       : w[i] * (gw[i] - mean));
}

/* part_at returns the offset of block (i,j) of part p in the part, sum_at its
 * offset in y. */
static size_t part_at(const struct mix_sum *s, int p, int i, int j)
{
    const struct mix_part *x = &s->of[p];
    int at = x->b == 1 ? i : i * x->b + j;

    return (size_t)at * s->len;
}

static size_t sum_at(const struct mix_sum *s, int p, int i, int j)
{
    return ((size_t)(s->of[p].first + i) * (size_t)s->b + (size_t)j) * s->len;
}

void cpu_mix(const struct mix_sum *s, const double *w, const real *x0,
             const real *x1, const real *x2, const real *x3, const real *plus,
             real *y)
{
    const real *x[MIX_PARTS_MOST + 1] = {x0, x1, x2, x3};

    x[s->parts] = plus;
    memset(y, 0, (size_t)s->h * (size_t)s->b * s->len * sizeof *y);
    for (int p = 0; p <= s->parts; p++) {
        real factor = p < s->parts && w ? (real)w[p] : 1;

        for (int i = 0; i < s->of[p].h; i++)
            for (int j = 0; j < s->b; j++)
                cpu_axpy(s->len, factor, x[p] + part_at(s, p, i, j),
                         y + sum_at(s, p, i, j));
    }
}

void cpu_mix_back(const struct mix_sum *s, int p, const double *w,
                  const real *gy, const real *x, real *gx, double *gw)
{
    real factor = p < s->parts && w ? (real)w[p] : 1;
    double sum = 0;

    for (int i = 0; i < s->of[p].h; i++)
        for (int j = 0; j < s->b; j++) {
            const real *from = gy + sum_at(s, p, i, j);
            size_t at = part_at(s, p, i, j);

            if (gw)
                cpu_dot(s->len, from, x + at, &sum);
            if (gx)
                cpu_axpy(s->len, factor, from, gx + at);
        }
    if (gw)
        gw[p] = sum;
}
