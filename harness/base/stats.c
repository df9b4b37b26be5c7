#include "harness/base/stats.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TAIL = 0.025;

static const struct interval unknown = {NAN, NAN};

double stats_mean(const double *x, size_t n)
{
    return n ? gsl_stats_mean(x, 1, n) : NAN;
}

double stats_sd(const double *x, size_t n)
{
    return n > 1 ? gsl_stats_sd(x, 1, n) : NAN;
}

void stats_ranks(double *rank, const double *x, size_t n)
{
    size_t *order = malloc((n + 1) * sizeof *order);

    REQUIRE(order, "out of memory: %zu ranks", n);
    gsl_sort_index(order, x, 1, n);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && !(x[order[j]] > x[order[i]]); j++)
            ;
        for (size_t k = i; k < j; k++) /* mean of i + 1 .. j */
            rank[order[k]] = (double)(i + 1 + j) / 2;
    }
    free(order);
}

double stats_spearman(const double *x, const double *y, size_t n)
{
    if (n < 2)
        return NAN;
    double *rank = malloc(2 * n * sizeof *rank);
    REQUIRE(rank, "out of memory: %zu ranks", 2 * n);
    stats_ranks(rank, x, n);
    stats_ranks(rank + n, y, n);
    double cov = gsl_stats_covariance(rank, 1, rank + n, 1, n);
    double var = gsl_stats_variance(rank, 1, n) *
                 gsl_stats_variance(rank + n, 1, n);
    free(rank);
    return var > 0 ? cov / sqrt(var) : NAN;
}

struct interval stats_t_interval(const double *x, size_t n)
{
    if (n < 2)
        return unknown;
    double mean = stats_mean(x, n);
    double half = gsl_cdf_tdist_Qinv(TAIL, (double)n - 1) * stats_sd(x, n) /
                  sqrt((double)n);
    return (struct interval){mean - half, mean + half};
}

/* Four draws a Philox block; word n / 2^32 is biased by less than n / 2^32. */
static size_t draw(struct rng_key key, size_t i, size_t n, uint32_t word[4])
{
    if (i % 4 == 0)
        rng_block(key, i / 4, word);
    return (size_t)(word[i % 4] * (uint64_t)n >> 32);
}

void stats_bootstrap(double *sums, const double *x, size_t n, size_t columns,
                     uint64_t seed)
{
    REQUIRE(n > 0 && n < UINT32_MAX, "%zu examples", n);
    memset(sums, 0, STATS_RESAMPLES * columns * sizeof *sums);
    for (uint32_t r = 0; r < STATS_RESAMPLES; r++) {
        struct rng_key key = {.seed = seed, .stream = RNG_STATS, .step = r};
        double *restrict sum = sums + r * columns;
        uint32_t word[4];

        for (size_t i = 0; i < n; i++) {
            const double *restrict row = x + draw(key, i, n, word) * columns;

            for (size_t c = 0; c < columns; c++)
                sum[c] += row[c];
        }
    }
}

struct interval stats_percentiles(double *x, size_t n)
{
    if (n == 0)
        return unknown;
    gsl_sort(x, 1, n);
    return (struct interval){gsl_stats_quantile_from_sorted_data(x, 1, n, TAIL),
                             gsl_stats_quantile_from_sorted_data(x, 1, n,
                                                                 1 - TAIL)};
}
