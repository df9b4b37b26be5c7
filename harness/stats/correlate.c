/*
 * The coefficients and, for r and rho, the distributions under independence:
 *
 * r     = cov(x,y) / sqrt(var(x) var(y));  (1 + r) / 2 ~ Beta(n/2 - 1, n/2 - 1)
 * rho   = r of the ranks;  rho sqrt((n - 2) / (1 - rho^2)) ~ t(n - 2)
 * tau-b = (C - D) / sqrt((P - X) (P - Y)), where P = n (n - 1) / 2 is the
 *         number of pairs, of which C are concordant, D discordant, X tied in x
 *         and Y tied in y
 *         (Kendall, Rank Correlation Methods, 1970, chapters 3 to 5)
 *
 * The p-values, and the choice between an exact p and the normal approximation,
 * are those of SciPy.
 */
#include "harness/stats/correlate.h"

#include "harness/base/err.h"
#include "harness/stats/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct correlation unknown = {NAN, NAN};

/* ---- r ---- */

static double pearson(const double *x, const double *y, size_t n)
{
    double mx = stats_mean(x, n), my = stats_mean(y, n);
    double xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    if (!(xx > 0 && yy > 0))
        return NAN;
    /* If x and y are equal, as ranks may be, the result is exactly 1. */
    return fmax(-1, fmin(1, xy / xx * sqrt(xx / yy)));
}

struct correlation correlate_pearson(const double *x, const double *y,
                                     size_t n)
{
    if (n < 2)
        return unknown;
    double r = pearson(x, y, n), half = (double)n / 2 - 1;
    if (isnan(r))
        return unknown;
    double p = n == 2 ? 1 : 2 * gsl_cdf_beta_P((1 - fabs(r)) / 2, half, half);
    return (struct correlation){r, p};
}

struct correlation correlate_spearman(const double *x, const double *y,
                                      size_t n)
{
    if (n < 2)
        return unknown;
    OWNED(free) double *rank = malloc(2 * n * sizeof *rank);
    double p = NAN;
    stats_ranks(rank, x, n);
    stats_ranks(rank + n, y, n);
    double r = pearson(rank, rank + n, n), degrees = (double)n - 2;
    if (degrees > 0 && fabs(r) < 1)
        p = 2 * gsl_cdf_tdist_Q(fabs(r) * sqrt(degrees / ((1 - r) * (1 + r))),
                                degrees);
    else if (degrees > 0 && !isnan(r))
        p = 0;
    return (struct correlation){r, p};
}

/* ---- tau ---- */

/* Sums over all groups of equal values, where t is the size of a group, for tau
 * and its variance. */
struct ties {
    double pairs; /* sum t (t - 1) / 2           */
    double three; /* sum t (t - 1) (t - 2)       */
    double scale; /* sum t (t - 1) (2 t + 5)     */
};

static struct ties count_ties(const double *x, size_t n)
{
    OWNED(free) double *sorted = malloc(n * sizeof *sorted);
    struct ties ties = {0};

    memcpy(sorted, x, n * sizeof *x);
    gsl_sort(sorted, 1, n);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && !(sorted[j] > sorted[i]); j++)
            ;
        double t = (double)(j - i);
        ties.pairs += t * (t - 1) / 2;
        ties.three += t * (t - 1) * (t - 2);
        ties.scale += t * (t - 1) * (2 * t + 5);
    }
    return ties;
}

/* Returns the two-sided p of c inversions in a random permutation of n things:
 * 2 P(at most c inversions), or 1 if this is greater.  Thing j adds 0 to j - 1
 * inversions, each number with the same probability. */
static double inversions_p(size_t n, size_t c)
{
    OWNED(free) double *p = calloc(c + 1, sizeof *p);
    double sum = 0;

    p[0] = 1;
    for (size_t j = 2; j <= n; j++) {
        for (size_t k = 1; k <= c; k++)
            p[k] += p[k - 1];
        for (size_t k = c; k >= j; k--)
            p[k] -= p[k - j];
        for (size_t k = 0; k <= c; k++)
            p[k] /= (double)j;
    }
    for (size_t k = 0; k <= c; k++)
        sum += p[k];
    return fmin(1, 2 * sum);
}

static double normal_p(double balance, double n, struct ties x, struct ties y)
{
    double m = n * (n - 1);
    double var = (m * (2 * n + 5) - x.scale - y.scale) / 18 +
                 2 * x.pairs * y.pairs / m +
                 (n > 2 ? x.three * y.three / (9 * m * (n - 2)) : 0);

    return 2 * gsl_cdf_ugaussian_Q(fabs(balance) / sqrt(var));
}

struct correlation correlate_kendall(const double *x, const double *y,
                                     size_t n)
{
    enum { EXACT = 33 };
    double against = 0, with = 0, pairs = (double)n * ((double)n - 1) / 2;

    if (n < 2)
        return unknown;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double a = x[i] - x[j], b = y[i] - y[j];

            with += (a > 0 && b > 0) || (a < 0 && b < 0);
            against += (a > 0 && b < 0) || (a < 0 && b > 0);
        }
    struct ties tx = count_ties(x, n), ty = count_ties(y, n);
    if (!(pairs > tx.pairs && pairs > ty.pairs))
        return unknown;
    double few = fmin(with, against), balance = with - against;
    double tau = balance / sqrt(pairs - tx.pairs) / sqrt(pairs - ty.pairs);
    int exact = tx.pairs + ty.pairs == 0 && (n <= EXACT || few <= 1);
    return (struct correlation){
        fmax(-1, fmin(1, tau)),
        exact ? inversions_p(n, (size_t)few)
              : normal_p(balance, (double)n, tx, ty)};
}

/* ---- rank correlations with intervals and exact p-values ---- */

static const struct rank_correlation unranked = {NAN, NAN, {NAN, NAN}};

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
               : (struct interval){NAN, NAN};
}

struct rank_correlation rank_spearman(const double *x, const double *y,
                                      size_t n)
{
    struct correlation c = correlate_spearman(x, y, n);

    if (n < 3 || isnan(c.r))
        return unranked;
    return (struct rank_correlation){
        c.r, n <= RANK_EXACT ? exact_p(x, y, n, 0) : c.p,
        fisher(c.r, (1 + c.r * c.r / 2) / ((double)n - 3))};
}

struct rank_correlation rank_kendall(const double *x, const double *y, size_t n)
{
    struct correlation c = correlate_kendall(x, y, n);

    if (n < 3 || isnan(c.r))
        return unranked;
    return (struct rank_correlation){
        c.r, n <= RANK_EXACT ? exact_p(x, y, n, 1) : c.p,
        fisher(c.r, 0.437 / ((double)n - 4))};
}
