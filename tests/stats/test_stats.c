#include "harness/base/rng.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/correlate.h"
#include "harness/stats/fit.h"
#include "harness/stats/pcg64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g, not %.17g", got, want);
}

static void moments(void **state)
{
    static const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};

    (void)state;
    near(stats_mean(x, 8), 5, 1e-15);
    near(stats_sd(x, 8), sqrt(32.0 / 7), 1e-15);
    assert_true(isnan(stats_mean(x, 0)));
    assert_true(isnan(stats_sd(x, 1)));
}

/* The expected draws are those of numpy.random.default_rng(7).integers(0,
 * 3000000000, dtype=numpy.uint32). The generator's second value, 1875286399, is
 * rejected; otherwise some results would be more likely. */
static void fair_draws(void **state)
{
    static const uint32_t want[] = {2834714867, 2052539810, 2691641402,
                                    1734877356, 2327057070, 2500953064};
    struct pcg64 g;

    (void)state;
    pcg64_seed(&g, 7);
    for (int i = 0; i < 6; i++)
        assert_int_equal(pcg64_below(&g, 3000000000), want[i]);
}

/* Expected values are from scipy.stats.t: 2 sf(2, 10) and ppf(0.9995, 4). */
static void students_t(void **state)
{
    (void)state;
    near(stats_t_p(2, 10), 0.07338803477074037, 1e-12);
    near(stats_t_p(-2, 10), stats_t_p(2, 10), 0);
    near(stats_t_at(0.9995, 4), 8.610301581379337, 1e-7);
    near(stats_t_at(0.975, 7), stats_t_quantile(7), 1e-7);
}

static void ties(void **state)
{
    static const double x[] = {3, 1, 3, 2, 3};
    static const double want[] = {4, 1, 4, 2, 4};
    double rank[5];

    (void)state;
    stats_ranks(rank, x, 5);
    for (int i = 0; i < 5; i++)
        near(rank[i], want[i], 0);
}

/* The textbook example (IQ and hours of television) is 1 - 6 sum d^2 / (n (n^2
 * - 1)) = -29/165. The example with ties, computed by hand, has the ranks 1 2.5
 * 2.5 4 and 1 2 3 4, so it is 4.5 / sqrt(4.5 5). */
static void spearman(void **state)
{
    static const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    static const double tv[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    static const double a[] = {1, 2, 2, 3}, b[] = {10, 20, 30, 40};
    static const double up[] = {1, 8, 27}, down[] = {-1, -2, -3};

    (void)state;
    near(correlate_spearman(iq, tv, 10).r, -29.0 / 165, 1e-15);
    near(correlate_spearman(a, b, 4).r, 4.5 / sqrt(4.5 * 5), 1e-15);
    near(correlate_spearman(a, up, 3).r, 1.5 / sqrt(1.5 * 2), 1e-15);
    near(correlate_spearman(up, down, 3).r, -1, 1e-15);
    assert_true(isnan(correlate_spearman(a, b, 1).r));
    assert_true(isnan(correlate_spearman(a + 1, b, 2).r));
}

/* t(0.975) is 12.7062 with 1 degree of freedom and 2.77645 with 4. */
static void student(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5};
    struct interval two = stats_t_interval(x, 2);
    struct interval five = stats_t_interval(x, 5);

    (void)state;
    near(two.high - 1.5, 12.706204736432095 * sqrt(0.5) / sqrt(2), 1e-9);
    near(five.high - 3, 2.7764451051977987 * sqrt(2.5) / sqrt(5), 1e-9);
    near(five.low + five.high, 6, 1e-12);
    assert_true(isnan(stats_t_interval(x, 1).low));
}

/* The degrees of freedom are 4 if both variances are equal, 2 if one is 0, and
 * 2.25^2 / (0.25^2 / 3 + 2^2) if they differ as here. */
static void welch(void **state)
{
    const struct stats_sample x = {5, 1, 3}, still = {2, 0, 3}, two = {7, 2, 2};
    const struct stats_sample four = {5, 1, 4}, one = {1, 0, 1};
    struct interval alike = stats_welch(x, x), flat = stats_welch(x, still);
    struct interval other = stats_welch(two, four);

    (void)state;
    near(alike.high, 2.7764451051977987 * sqrt(2.0 / 3), 1e-9);
    near(alike.low, -alike.high, 1e-12);
    near(flat.high - 3, 4.302652729911275 / sqrt(3), 1e-9);
    near(flat.low + flat.high, 6, 1e-12);
    near(other.high - 2, stats_t_at(0.975, 5.0625 / (0.0625 / 3 + 4)) * 1.5,
         1e-6);
    assert_true(isnan(stats_welch(still, still).low));
    assert_true(isnan(stats_welch(x, one).low));
}

static void quantiles(void **state)
{
    double x[201];

    (void)state;
    for (int i = 0; i <= 200; i++)
        x[i] = (i * 7) % 201; /* 0 .. 200, shuffled */
    struct interval q = stats_percentiles(x, 201);
    near(q.low, 5, 1e-12);
    near(q.high, 195, 1e-12);
    assert_true(isnan(stats_percentiles(x, 0).low));
}

enum { N = 400, COLUMNS = 3 };

/* Columns: a from N(1,1); b = a + 0.1 + small noise, which differs
 * significantly from a only as pairs; a count. */
static double *examples(void)
{
    struct rng_key key = {.seed = 5, .stream = RNG_TEST};
    double *x = malloc(N * COLUMNS * sizeof *x);

    for (size_t i = 0; i < N; i++) {
        x[i * COLUMNS] = 1 + rng_normal(key, 2 * i);
        x[i * COLUMNS + 1] =
            x[i * COLUMNS] + 0.1 + 0.05 * rng_normal(key, 2 * i + 1);
        x[i * COLUMNS + 2] = 1;
    }
    return x;
}

struct sums { const double *x; double *sum; size_t n, columns; };

static void add_up(void *arg, size_t r, const uint32_t *drawn)
{
    struct sums *s = arg;

    for (size_t i = 0; i < s->n; i++)
        for (size_t c = 0; c < s->columns; c++)
            s->sum[r * s->columns + c] += s->x[drawn[i] * s->columns + c];
}

/* Returns the sum of each column over each resample. */
static double *resampled(const double *x, size_t n, size_t columns,
                         uint64_t seed)
{
    struct sums s = {x, calloc(BOOTSTRAP_RESAMPLES * columns, sizeof *x), n,
                     columns};

    bootstrap_draw(BOOTSTRAP_RESAMPLES, n, seed, add_up, &s);
    return s.sum;
}

/* The interval of a mean is about +-1.96 sd / sqrt(n). Pairs reveal a
 * difference that two separate intervals hide. */
static void paired(void **state)
{
    double *x = examples(), *sums = resampled(x, N, COLUMNS, 1);
    double *one = malloc(BOOTSTRAP_RESAMPLES * sizeof *one);
    double *two = malloc(BOOTSTRAP_RESAMPLES * sizeof *two);

    (void)state;
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        near(sums[r * COLUMNS + 2], N, 0); /* each resample has n draws */
        one[r] = sums[r * COLUMNS] / N;
        two[r] = (sums[r * COLUMNS + 1] - sums[r * COLUMNS]) / N;
    }
    struct interval alone = stats_percentiles(one, BOOTSTRAP_RESAMPLES);
    struct interval pair = stats_percentiles(two, BOOTSTRAP_RESAMPLES);
    near(alone.high - alone.low, 2 * 1.96 / sqrt(N), 0.02);
    near(pair.high - pair.low, 2 * 1.96 * 0.05 / sqrt(N), 0.001);
    assert_true(pair.low > 0.08 && pair.high < 0.12);
    free(one);
    free(two);
    free(sums);
    free(x);
}

static void repeatable(void **state)
{
    double *x = examples();
    double *a = resampled(x, N, COLUMNS, 1), *b = resampled(x, N, COLUMNS, 1);
    double *c = resampled(x, N, COLUMNS, 2);
    size_t bytes = BOOTSTRAP_RESAMPLES * COLUMNS * sizeof *a;

    (void)state;
    assert_memory_equal(a, b, bytes);
    assert_true(memcmp(a, c, bytes) != 0);
    free(a);
    free(b);
    free(c);
    free(x);
}

/* With a single example, every resample is that example. */
static void single(void **state)
{
    static const double x[] = {7.5, 3};
    double *sums = resampled(x, 1, 2, 9);

    (void)state;
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++)
        near(sums[2 * r] / sums[2 * r + 1], 2.5, 0);
    free(sums);
}

/* The 95 % interval of a mean contains the true value in about 95 of 100
 * samples. */
static void coverage(void **state)
{
    enum { SAMPLES = 100, SIZE = 60 };
    double x[SIZE];
    int held = 0;

    (void)state;
    for (uint32_t s = 0; s < SAMPLES; s++) {
        struct rng_key key = {.seed = 77, .stream = RNG_TEST, .step = s};

        for (size_t i = 0; i < SIZE; i++)
            x[i] = rng_uniform(key, i);
        double *sums = resampled(x, SIZE, 1, s);
        struct interval q = stats_percentiles(sums, BOOTSTRAP_RESAMPLES);
        held += q.low < 0.5 * SIZE && 0.5 * SIZE < q.high;
        free(sums);
    }
    assert_in_range(held, 89, 99);
}

/* y = 3 x^1.5, first exactly, then with the last of four points doubled, which
 * adds 3/10 to the slope. */
static void power_law(void **state)
{
    const double x[] = {1, 2, 4, 8};
    double y[4];

    (void)state;
    for (int i = 0; i < 4; i++)
        y[i] = 3 * pow(x[i], 1.5);
    near(fit_exponent(x, y, 4), 1.5, 1e-12);
    y[3] *= 2;
    near(fit_exponent(x, y, 4), 1.8, 1e-12);
    near(fit_exponent(x, y, 2), 1.5, 1e-12);
}

/* ---- rank correlations ---- */

/* Printed tables of rho: for 4 items, 8 of 24 orders reach 0.8; for 5 items, 10
 * of 120 reach 0.9. For 6 items with a tie, all 720 orders were enumerated. */
static void all_orders(void **state)
{
    static const double up[] = {1, 2, 3, 4, 5}, near_end[] = {1, 2, 3, 5, 4};
    static const double turned[] = {2, 1, 3, 4}, tied[] = {1, 2, 2};
    static const double paper[] = {28.1, 23.9, 27.3, 27.3, 27.4, 26.8};
    static const double ours[] = {2.9, 3.1, 2.8, 2.7, 2.75, 3.0};

    (void)state;
    near(rank_spearman(up, turned, 4).p, 8.0 / 24, 1e-15);
    near(rank_kendall(up, up, 4).p, 2.0 / 24, 1e-15);
    near(rank_spearman(up, near_end, 5).p, 10.0 / 120, 1e-15);
    near(rank_kendall(up, near_end, 5).p, 10.0 / 120, 1e-15);
    /* the centred ranks are -1, 1/2, 1/2 and -1, 0, 1: 4 of 6 orders have the
     * sum -+1.5 */
    near(rank_spearman(tied, up, 3).p, 4.0 / 6, 1e-15);
    near(rank_spearman(paper, ours, 6).p, 196.0 / 720, 1e-15);
    near(rank_kendall(paper, ours, 6).p, 256.0 / 720, 1e-15);
    near(rank_spearman(paper, ours, 6).r, correlate_spearman(paper, ours, 6).r,
         0);
    near(rank_kendall(paper, ours, 6).r, correlate_kendall(paper, ours, 6).r,
         0);
}

/* Up to nine items, all orders are counted. Without ties, tau is exact for any
 * number. For ten items, rho uses Student's t. */
static void many_things(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const double y[] = {2, 1, 5, 4, 3, 7, 9, 6, 8, 10};

    (void)state;
    near(rank_kendall(x, y, 9).p, correlate_kendall(x, y, 9).p, 1e-15);
    assert_true(fabs(rank_spearman(x, y, 9).p -
                     correlate_spearman(x, y, 9).p) > 1e-4);
    near(rank_spearman(x, y, 10).p, correlate_spearman(x, y, 10).p, 0);
    near(rank_kendall(x, y, 10).p, correlate_kendall(x, y, 10).p, 0);
}

/* 4 3 2 1 6 5 7 8 has 7 inversions in 28 pairs, so tau is 1/2; sum d^2 is 22,
 * so rho is 1 - 132 / 504. Their variances are 0.437 / 4 and (1 + rho^2 / 2) /
 * 5. */
static void fisher(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const double y[] = {4, 3, 2, 1, 6, 5, 7, 8};
    struct rank_correlation rho = rank_spearman(x, y, 8),
                            tau = rank_kendall(x, y, 8);

    (void)state;
    near(rho.r, 1 - 132.0 / 504, 1e-15);
    near(tau.r, 0.5, 1e-15);
    near(rho.between.low, -0.0424131032069629, 1e-12);
    near(rho.between.high, 0.959135844007769, 1e-12);
    near(tau.between.low, -0.0982029880918332, 1e-12);
    near(tau.between.high, 0.832777960760843, 1e-12);
}

/* There is no interval in three cases: the coefficient is -1 or +1; there are
 * three items; or there are four items and the coefficient is tau. */
static void no_interval(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 3, 2, 5, 4};
    static const double same[] = {7, 7, 7, 7, 7};

    (void)state;
    assert_true(isnan(rank_spearman(x, x, 5).between.low));
    assert_true(isnan(rank_spearman(y, y, 3).between.high));
    assert_true(isnan(rank_spearman(x, y, 3).between.low));
    assert_false(isnan(rank_spearman(x, y, 4).between.low));
    assert_true(isnan(rank_kendall(x, y, 4).between.low));
    assert_false(isnan(rank_kendall(x, y, 5).between.low));
    assert_true(isnan(rank_spearman(x, y, 2).r));
    assert_true(isnan(rank_kendall(x, same, 5).p));
    assert_true(isnan(rank_spearman(x, same, 5).p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"mean and standard deviation", moments, NULL, NULL, NULL},
        {"equal values share the mean of their ranks", ties, NULL, NULL, NULL},
        {"Spearman's correlation equals hand-worked examples", spearman, NULL,
         NULL, NULL},
        {"p of an order is counted among all of them, ties as they are",
         all_orders, NULL, NULL, NULL},
        {"of more than nine things p is the approximation", many_things, NULL,
         NULL, NULL},
        {"the interval of an order is Fisher's", fisher, NULL, NULL, NULL},
        {"an order that is perfect, or of few things, has none", no_interval,
         NULL, NULL, NULL},
        {"Student's interval equals the printed quantiles", student, NULL,
         NULL, NULL},
        {"Welch's interval has the degrees of both samples", welch, NULL, NULL,
         NULL},
        {"percentiles lie between order statistics", quantiles, NULL, NULL,
         NULL},
        {"pairs show a difference that two intervals hide", paired, NULL, NULL,
         NULL},
        {"Student's t is SciPy's", students_t, NULL, NULL, NULL},
        {"draws below a bound are those of NumPy, fair", fair_draws, NULL,
         NULL, NULL},
        {"the same seed draws the same resamples", repeatable, NULL, NULL,
         NULL},
        {"resampling one example changes nothing", single, NULL, NULL, NULL},
        {"the exponent of a power law is found again", power_law, NULL, NULL,
         NULL},
        {"the bootstrap interval covers the truth as often as it says",
         coverage, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
