#include "harness/stats/rank_correlation.h"

#include "harness/stats/correlate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const struct rank_correlation unknown = {NAN, NAN, {NAN, NAN}};

/* ---- all orders ---- */

/* Ranks are stored as the integers 2 rank - (n + 1), so that comparisons of r
 * are exact: r is a sum over the things, times a factor that is the same for
 * all orders. */
struct orders {
    int x[RANK_EXACT], y[RANK_EXACT];
    int n, kendall;
    int of[RANK_EXACT]; /* the order: thing k has rank y[of[k]]   */
    int ours;           /* the sum for the measured order         */
    int as_great, all;  /* orders with |sum| >= |ours|; all       */
};

static int sign(int x) { return (x > 0) - (x < 0); }

/* Returns what thing k adds to the sum; for tau, in pairs with the things
 * before it. */
static int adds(const struct orders *o, int k)
{
    int sum = 0;

    if (!o->kendall)
        return o->x[k] * o->y[o->of[k]];
    for (int i = 0; i < k; i++)
        sum += sign(o->x[k] - o->x[i]) * sign(o->y[o->of[k]] - o->y[o->of[i]]);
    return sum;
}

static void each(struct orders *o, int k, unsigned used, int sum)
{
    if (k == o->n) {
        o->all++;
        o->as_great += abs(sum) >= abs(o->ours);
        return;
    }
    for (int j = 0; j < o->n; j++)
        if (!(used >> j & 1)) {
            o->of[k] = j;
            each(o, k + 1, used | 1u << j, sum + adds(o, k));
        }
}

static void whole_ranks(int *out, const double *x, size_t n)
{
    double rank[RANK_EXACT];

    stats_ranks(rank, x, n);
    for (size_t i = 0; i < n; i++)
        out[i] = (int)lround(2 * rank[i]) - (int)n - 1;
}

static double exact_p(const double *x, const double *y, size_t n, int kendall)
{
    struct orders o = {.n = (int)n, .kendall = kendall};

    whole_ranks(o.x, x, n);
    whole_ranks(o.y, y, n);
    for (int k = 0; k < o.n; k++) {
        o.of[k] = k;
        o.ours += adds(&o, k);
    }
    each(&o, 0, 0, 0);
    return (double)o.as_great / o.all;
}

/* ---- intervals ---- */

static struct interval fisher(double r, double variance)
{
    double far = gsl_cdf_ugaussian_Qinv(0.025) * sqrt(variance);

    return variance > 0 && isfinite(variance) && fabs(r) < 1
               ? (struct interval){tanh(atanh(r) - far), tanh(atanh(r) + far)}
               : unknown.between;
}

struct rank_correlation rank_spearman(const double *x, const double *y,
                                      size_t n)
{
    struct correlation c = correlate_spearman(x, y, n);

    if (n < 3 || isnan(c.r))
        return unknown;
    return (struct rank_correlation){
        c.r, n <= RANK_EXACT ? exact_p(x, y, n, 0) : c.p,
        fisher(c.r, (1 + c.r * c.r / 2) / ((double)n - 3))};
}

struct rank_correlation rank_kendall(const double *x, const double *y, size_t n)
{
    struct correlation c = correlate_kendall(x, y, n);

    if (n < 3 || isnan(c.r))
        return unknown;
    return (struct rank_correlation){
        c.r, n <= RANK_EXACT ? exact_p(x, y, n, 1) : c.p,
        fisher(c.r, 0.437 / ((double)n - 4))};
}
