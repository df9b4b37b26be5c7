/*
 * BCa (Efron, "Better bootstrap confidence intervals", JASA 1987): of the
 * resampled means t(1) <= ... <= t(R), with the mean m of the sample,
 *
 *   z0 = Phi^-1(share of t below m, those equal to it counting half)
 *   a  = sum (x - m)^3 / (6 (sum (x - m)^2)^1.5)      jackknife of a mean
 *   the interval's ends are the quantiles
 *        Phi(z0 + (z0 + z) / (1 - a (z0 + z))),  z = -+1.96
 */
#include "harness/stats/bootstrap.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const double TAIL = 0.025;

/* Four draws a Philox block; word n / 2^32 is biased by less than n / 2^32. */
static void draw(uint32_t *drawn, size_t n, uint64_t seed, uint32_t r)
{
    struct rng_key key = {.seed = seed, .stream = RNG_STATS, .step = r};
    uint32_t word[4];

    for (size_t i = 0; i < n; i++) {
        if (i % 4 == 0)
            rng_block(key, i / 4, word);
        drawn[i] = (uint32_t)(word[i % 4] * (uint64_t)n >> 32);
    }
}

void bootstrap_draw(size_t n, uint64_t seed,
                    void (*each)(void *arg, size_t r, const uint32_t *drawn),
                    void *arg)
{
    OWNED(free) uint32_t *drawn = malloc((n + 1) * sizeof *drawn);

    REQUIRE(n > 0 && n < UINT32_MAX, "%zu examples", n);
    for (uint32_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        draw(drawn, n, seed, r);
        each(arg, r, drawn);
    }
}

/* ---- the mean of few values ---- */

struct bootstrap {
    uint64_t  seed;
    size_t    n;      /* of the draws; 0: none yet       */
    uint32_t *drawn;  /* (BOOTSTRAP_RESAMPLES,n) indices */
    double   *sums;   /* (BOOTSTRAP_RESAMPLES)           */
};

struct bootstrap *bootstrap_new(uint64_t seed)
{
    struct bootstrap *b = calloc(1, sizeof *b);

    b->seed = seed;
    b->sums = malloc(BOOTSTRAP_RESAMPLES * sizeof *b->sums);
    return b;
}

void bootstrap_free(struct bootstrap *b)
{
    if (!b)
        return;
    free(b->drawn);
    free(b->sums);
    free(b);
}

static void draw_all(struct bootstrap *b, size_t n)
{
    free(b->drawn);
    b->drawn = malloc(BOOTSTRAP_RESAMPLES * n * sizeof *b->drawn);
    b->n = n;
    for (uint32_t r = 0; r < BOOTSTRAP_RESAMPLES; r++)
        draw(b->drawn + r * n, n, b->seed, r);
}

static void resample(struct bootstrap *b, const double *x, size_t n)
{
    if (b->n != n)
        draw_all(b, n);
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        const uint32_t *drawn = b->drawn + r * n;
        double sum = 0;

        for (size_t i = 0; i < n; i++)
            sum += x[drawn[i]];
        b->sums[r] = sum;
    }
}

/* z0, of resampled sums around the sum of x; rounding alone makes no two sums
 * differ. */
static double bias(const double *sums, const double *x, size_t n)
{
    double sum = 0, size = 0, below = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i];
        size += fabs(x[i]);
    }
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        double d = sums[r] - sum;

        below += fabs(d) <= 1e-12 * size ? 0.5 : d < 0;
    }
    return gsl_cdf_ugaussian_Pinv(below / BOOTSTRAP_RESAMPLES);
}

static double acceleration(const double *x, size_t n)
{
    double mean = stats_mean(x, n), two = 0, three = 0;

    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;

        two += d * d;
        three += d * d * d;
    }
    return three / (6 * two * sqrt(two));
}

static double level(double z0, double a, double z)
{
    return gsl_cdf_ugaussian_P(z0 + (z0 + z) / (1 - a * (z0 + z)));
}

static int all_equal(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return 0;
    return 1;
}

struct interval bootstrap_bca(struct bootstrap *b, const double *x, size_t n)
{
    enum { R = BOOTSTRAP_RESAMPLES };

    if (n < BOOTSTRAP_LEAST || !isfinite(stats_mean(x, n)))
        return (struct interval){NAN, NAN};
    if (all_equal(x, n))
        return (struct interval){x[0], x[0]};
    resample(b, x, n);
    double z0 = bias(b->sums, x, n), a = acceleration(x, n);
    double z = gsl_cdf_ugaussian_Qinv(TAIL);
    return (struct interval){
        stats_quantile(b->sums, R, level(z0, a, -z)) / (double)n,
        stats_quantile(b->sums, R, level(z0, a, z)) / (double)n};
}

struct interval bootstrap_interval(struct bootstrap *b, const double *x,
                                   size_t n, const char **method)
{
    int enough = n >= BOOTSTRAP_LEAST;

    if (method)
        *method = enough ? "BCa bootstrap" : n > 1 ? "Student's t" : "none";
    return enough ? bootstrap_bca(b, x, n) : stats_t_interval(x, n);
}
