/*
 * Mann-Whitney, N = na + nb:  U = #(a > b) + #(a = b) / 2, and under H0
 *
 *   exact    every choice of na of the N ranks is as likely
 *   normal   mean na nb / 2,
 *            variance na nb / 12 (N + 1 - sum (t^3 - t) / (N (N - 1))) with t
 *            values equal, half a step towards the mean for continuity
 *
 * and p = 2 P(U >= max(U, na nb - U)); exact or normal as SciPy chooses.
 *
 * Hedges' g = d J(m), m = na + nb - 2,
 *   J(m) = Gamma(m/2) / (sqrt(m/2) Gamma((m - 1) / 2))   (Hedges, 1981)
 * Cliff's delta and Vargha-Delaney's A12 are U on other scales.
 */
#include "harness/base/unpaired.h"

#include "harness/base/err.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT = 8 };

static double *new_reals(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);

    REQUIRE(x, "out of memory: %zu numbers", n);
    return x;
}

/* Cliff's delta times na nb. */
static double dominance(const double *a, size_t na, const double *b, size_t nb)
{
    double sum = 0;

    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++)
            sum += (a[i] > b[j]) - (a[i] < b[j]);
    return sum;
}

/* ---- Mann-Whitney ---- */

/* ways[k][u]: choices of k of the ranks seen so far that have u smaller ranks
 * left out before them, counted with repetition. */
static double exact_p(size_t few, size_t many, double u)
{
    size_t most = few * many, row = most + 1;
    double *ways = new_reals((few + 1) * row), above = 0, all = 0;

    ways[0] = 1;
    for (size_t rank = 0; rank < few + many; rank++)
        for (size_t k = rank + 1 < few ? rank + 1 : few; k >= 1; k--)
            for (size_t v = rank + 1 - k; v <= most; v++)
                ways[k * row + v] += ways[(k - 1) * row + v - (rank + 1 - k)];
    for (size_t v = 0; v <= most; v++) {
        all += ways[few * row + v];
        above += (double)v >= u ? ways[few * row + v] : 0;
    }
    free(ways);
    return fmin(1, 2 * above / all);
}

/* sum t^3 - t over the groups of equal values of a and b together */
static double tied(const double *a, size_t na, const double *b, size_t nb)
{
    size_t n = na + nb;
    double *rank = new_reals(2 * n), *x = rank + n, sum = 0;

    memcpy(x, a, na * sizeof *x);
    memcpy(x + na, b, nb * sizeof *x);
    stats_ranks(rank, x, n);
    for (size_t i = 0; i < n; i++) { /* each of t values brings t^2 - 1 */
        double t = 0;

        for (size_t j = 0; j < n; j++)
            t += rank[j] == rank[i];
        sum += t * t - 1;
    }
    free(rank);
    return sum;
}

static double normal_p(double u, double na, double nb, double ties)
{
    double n = na + nb, mean = na * nb / 2;
    double var = na * nb / 12 * (n + 1 - ties / (n * (n - 1)));

    if (!(var > 0)) /* every value is the same */
        return 1;
    return fmin(1, 2 * gsl_cdf_ugaussian_Q((u - mean - 0.5) / sqrt(var)));
}

struct mann_whitney unpaired_mann_whitney(const double *a, size_t na,
                                          const double *b, size_t nb)
{
    size_t few = na < nb ? na : nb, many = na < nb ? nb : na;

    if (few == 0 || isnan(stats_mean(a, na)) || isnan(stats_mean(b, nb)))
        return (struct mann_whitney){NAN, NAN};
    double pairs = (double)na * (double)nb;
    double u = (pairs + dominance(a, na, b, nb)) / 2;
    double far = fmax(u, pairs - u), ties = tied(a, na, b, nb);
    return (struct mann_whitney){
        u, few <= EXACT && ties == 0
               ? exact_p(few, many, far)
               : normal_p(far, (double)na, (double)nb, ties)};
}

double unpaired_floor(size_t na, size_t nb)
{
    double choices = 1; /* of na of the na + nb ranks */

    for (size_t i = 1; i <= na; i++)
        choices *= (double)(nb + i) / (double)i;
    return fmin(1, 2 / choices);
}

size_t unpaired_more(size_t na, size_t nb)
{
    size_t more = 0;

    while (unpaired_floor(na + more, nb + more) >= STATS_LEVEL)
        more++;
    return more;
}

/* ---- means ---- */

struct interval unpaired_interval(const double *a, size_t na, const double *b,
                                  size_t nb)
{
    if (na < 2 || nb < 2)
        return (struct interval){NAN, NAN};
    double sa = stats_sd(a, na), sb = stats_sd(b, nb);
    double va = sa * sa / (double)na, vb = sb * sb / (double)nb, half = 0;
    double difference = stats_mean(a, na) - stats_mean(b, nb);
    if (va + vb > 0)
        half = sqrt(va + vb) *
               stats_t_quantile((va + vb) * (va + vb) /
                                (va * va / (double)(na - 1) +
                                 vb * vb / (double)(nb - 1)));
    return (struct interval){difference - half, difference + half};
}

double unpaired_cohen_d(const double *a, size_t na, const double *b, size_t nb)
{
    if (na < 2 || nb < 2)
        return NAN;
    double sa = stats_sd(a, na), sb = stats_sd(b, nb);
    double pooled = ((double)(na - 1) * sa * sa + (double)(nb - 1) * sb * sb) /
                    (double)(na + nb - 2);
    return pooled > 0 ? (stats_mean(a, na) - stats_mean(b, nb)) / sqrt(pooled)
                      : NAN;
}

double unpaired_hedges_g(const double *a, size_t na, const double *b, size_t nb)
{
    double half = ((double)na + (double)nb - 2) / 2;

    return unpaired_cohen_d(a, na, b, nb) *
           exp(lgamma(half) - lgamma(half - 0.5) - log(half) / 2);
}

double unpaired_cliff_delta(const double *a, size_t na, const double *b,
                            size_t nb)
{
    return dominance(a, na, b, nb) / ((double)na * (double)nb);
}

double unpaired_a12(const double *a, size_t na, const double *b, size_t nb)
{
    return (unpaired_cliff_delta(a, na, b, nb) + 1) / 2;
}
