#include "harness/stats/stats.h"

#include "harness/base/err.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <gsl/gsl_version.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TAIL = 0.025;

static const struct interval unknown = {NAN, NAN};

void stats_library(char out[32])
{
    snprintf(out, 32, "gsl %s", gsl_version);
}

int stats_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double stats_mean(const double *x, size_t n)
{
    return n ? gsl_stats_mean(x, 1, n) : NAN;
}

double stats_sd(const double *x, size_t n)
{
    return n > 1 ? gsl_stats_sd(x, 1, n) : NAN;
}

double stats_interquartile_mean(const double *x, size_t n)
{
    size_t cut = n / 4;
    OWNED(free) double *sorted = malloc((n + 1) * sizeof *sorted);

    if (n > 0)
        memcpy(sorted, x, n * sizeof *x);
    gsl_sort(sorted, 1, n);
    return stats_mean(sorted + cut, n - 2 * cut);
}

void stats_ranks(double *rank, const double *x, size_t n)
{
    OWNED(free) size_t *order = malloc((n + 1) * sizeof *order);

    gsl_sort_index(order, x, 1, n);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && !(x[order[j]] > x[order[i]]); j++)
            ;
        for (size_t k = i; k < j; k++) /* mean of i + 1 .. j */
            rank[order[k]] = (double)(i + 1 + j) / 2;
    }
}

/* GSL's inverse is accurate to eight digits; two steps of Newton's method make
 * the other digits accurate. */
double stats_t_quantile(double degrees)
{
    double t = gsl_cdf_tdist_Qinv(TAIL, degrees);

    for (int i = 0; i < 2; i++)
        t += (gsl_cdf_tdist_Q(t, degrees) - TAIL) /
             gsl_ran_tdist_pdf(t, degrees);
    return t;
}

double stats_t_p(double t, double degrees)
{
    return 2 * gsl_cdf_tdist_Q(fabs(t), degrees);
}

double stats_t_at(double q, double degrees)
{
    return gsl_cdf_tdist_Pinv(q, degrees);
}

struct interval stats_t_interval(const double *x, size_t n)
{
    if (n < 2)
        return unknown;
    double mean = stats_mean(x, n);
    double half = stats_t_quantile((double)n - 1) * stats_sd(x, n) /
                  sqrt((double)n);
    return (struct interval){mean - half, mean + half};
}

struct interval stats_welch(struct stats_sample x, struct stats_sample y)
{
    double a = x.sd * x.sd / x.n, b = y.sd * y.sd / y.n, d = x.mean - y.mean;
    double degrees = (a + b) * (a + b) /
                     (a * a / (x.n - 1) + b * b / (y.n - 1));

    if (x.n < 2 || y.n < 2 || !(degrees > 0))
        return unknown;
    double half = stats_t_quantile(degrees) * sqrt(a + b);
    return (struct interval){d - half, d + half};
}

double stats_quantile(double *x, size_t n, double p)
{
    if (n == 0)
        return NAN;
    double at = p * (double)(n - 1), part = at - floor(at);
    size_t k = (size_t)at;
    double low = gsl_stats_select(x, 1, n, k);
    return part > 0 ? low + part * (gsl_stats_select(x, 1, n, k + 1) - low)
                    : low;
}

struct interval stats_percentiles(double *x, size_t n)
{
    return (struct interval){stats_quantile(x, n, TAIL),
                             stats_quantile(x, n, 1 - TAIL)};
}

struct interval stats_spread(struct interval of)
{
    return of.low < of.high ? of : (struct interval){NAN, NAN};
}

/* ---- p-values of n tests ---- */

/* With p(1) <= ... <= p(n), adjusted p(i) is the maximum over j <= i of
 * (n - j + 1) p(j), at most 1. */
void stats_holm(double *out, const double *p, size_t n)
{
    OWNED(free) size_t *order = malloc((n + 1) * sizeof *order);
    double most = 0;

    gsl_sort_index(order, p, 1, n);
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmin(1, (double)(n - i) * p[order[i]]));
        out[order[i]] = most;
    }
}

/*
 * ---- two independent samples ----
 *
 * Hedges' g is d J(m), where d is Cohen's d, m = na + nb - 2 and
 *   J(m) = Gamma(m/2) / (sqrt(m/2) Gamma((m - 1) / 2))   (Hedges, 1981)
 * Cliff's delta and Vargha-Delaney's A12 are Mann-Whitney's U on other scales.
 */

/* Returns Cliff's delta times na nb. */
static double dominance(const double *a, size_t na, const double *b, size_t nb)
{
    double sum = 0;

    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++)
            sum += (a[i] > b[j]) - (a[i] < b[j]);
    return sum;
}

double stats_cohen_d(const double *a, size_t na, const double *b, size_t nb)
{
    if (na < 2 || nb < 2)
        return NAN;
    double sa = stats_sd(a, na), sb = stats_sd(b, nb);
    double pooled = ((double)(na - 1) * sa * sa + (double)(nb - 1) * sb * sb) /
                    (double)(na + nb - 2);
    return pooled > 0 ? (stats_mean(a, na) - stats_mean(b, nb)) / sqrt(pooled)
                      : NAN;
}

double stats_hedges_g(const double *a, size_t na, const double *b, size_t nb)
{
    double half = ((double)na + (double)nb - 2) / 2;

    return stats_cohen_d(a, na, b, nb) *
           exp(lgamma(half) - lgamma(half - 0.5) - log(half) / 2);
}

double stats_cliff_delta(const double *a, size_t na, const double *b,
                            size_t nb)
{
    return dominance(a, na, b, nb) / ((double)na * (double)nb);
}

double stats_a12(const double *a, size_t na, const double *b, size_t nb)
{
    return (stats_cliff_delta(a, na, b, nb) + 1) / 2;
}
