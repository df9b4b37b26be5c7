/*
 * BCa (Efron, "Better bootstrap confidence intervals", JASA 1987).  Let
 * t(1) <= ... <= t(R) be the resampled means and m the mean of the sample:
 *
 *   z0 = Phi^-1(share of t below m; values equal to m count half)
 *   a  = sum (x - m)^3 / (6 (sum (x - m)^2)^1.5)      jackknife of a mean
 *   the bounds of the interval are the quantiles
 *        Phi(z0 + (z0 + z) / (1 - a (z0 + z))),  z = -+1.96
 */
#include "harness/stats/bootstrap.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const double TAIL = 0.025;

/* Each draw uses one 32-bit word of Philox.  Scaling it by n / 2^32 has a bias
 * of less than n / 2^32. */
static void draw_resample(uint32_t *drawn, size_t n, uint64_t seed, uint32_t r)
{
    enum { WORDS = 4 * RNG_BLOCKS };
    struct rng_key key = {.seed = seed, .stream = RNG_STATS, .step = r};
    uint32_t word[RNG_BLOCKS][4];

    for (size_t i = 0; i < n; i += WORDS) {
        size_t many = n - i < WORDS ? n - i : WORDS;

        rng_blocks(key, i / 4, word);
        for (size_t j = 0; j < many; j++)
            drawn[i + j] = (uint32_t)(word[j / 4][j % 4] * (uint64_t)n >> 32);
    }
}

void bootstrap_draw(size_t resamples, size_t n, uint64_t seed,
                    void (*each)(void *arg, size_t r, const uint32_t *drawn),
                    void *arg)
{
    OWNED(free) uint32_t *drawn = malloc((n + 1) * sizeof *drawn);

    REQUIRE(n > 0 && n < UINT32_MAX, "%zu examples", n);
    for (uint32_t r = 0; r < resamples; r++) {
        draw_resample(drawn, n, seed, r);
        each(arg, r, drawn);
    }
}

/* ---- the mean of few values ---- */

struct sums { const double *x; size_t n; double *sum; };

static void add_up(void *arg, size_t r, const uint32_t *drawn)
{
    const struct sums *s = arg;

    s->sum[r] = 0;
    for (size_t i = 0; i < s->n; i++)
        s->sum[r] += s->x[drawn[i]];
}

/* Returns z0 from the resampled sums and the sum of x.  Two sums that differ by
 * rounding alone count as equal.  If all resamples are on one side, half a
 * resample is counted on the other. */
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
    below = fmin(fmax(below, 0.5), BOOTSTRAP_RESAMPLES - 0.5);
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

struct interval bootstrap_bca(const double *x, size_t n, uint64_t seed)
{
    enum { R = BOOTSTRAP_RESAMPLES };

    if (n < BOOTSTRAP_LEAST || !isfinite(stats_mean(x, n)))
        return (struct interval){NAN, NAN};
    if (all_equal(x, n))
        return (struct interval){x[0], x[0]};
    OWNED(free) double *sums = malloc(R * sizeof *sums);
    bootstrap_draw(R, n, seed, add_up, &(struct sums){x, n, sums});
    double z0 = bias(sums, x, n), a = acceleration(x, n);
    double z = gsl_cdf_ugaussian_Qinv(TAIL);
    return (struct interval){
        stats_quantile(sums, R, level(z0, a, -z)) / (double)n,
        stats_quantile(sums, R, level(z0, a, z)) / (double)n};
}

struct interval bootstrap_interval(const double *x, size_t n, uint64_t seed)
{
    return n >= BOOTSTRAP_LEAST ? bootstrap_bca(x, n, seed)
                                : stats_t_interval(x, n);
}
