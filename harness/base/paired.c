/*
 * Permutation: p = P(|sum of +-d| >= |sum of d|) over all 2^n signs.  They are
 * counted without being walked: the signed sums of either half of the pairs,
 * 2^(n/2) each, are sorted, and two fingers count the couples that add up to
 * enough.
 *
 * Monte Carlo p values count the sample itself: (c + 1) / (R + 1)
 * (Davison and Hinkley, Bootstrap Methods, 1997, section 4.2).
 * Randomisation: Noreen, Computer-Intensive Methods for Testing Hypotheses,
 * 1989.  Bootstrap: Koehn, EMNLP 2004.
 */
#include "harness/base/paired.h"

#include "harness/base/bootstrap.h"
#include "harness/base/err.h"
#include "harness/base/rng.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT = 32, DRAWS = BOOTSTRAP_RESAMPLES };

/* Sums that differ by rounding alone are equal. */
static const double ROUNDING = 1e-12;

static double *new_reals(size_t n)
{
    double *x = malloc((n + 1) * sizeof *x);

    REQUIRE(x, "out of memory: %zu numbers", n);
    return x;
}

/* ---- permutation ---- */

/* The 2^n sums of +-d, sorted. */
static double *signed_sums(const double *d, size_t n)
{
    double *sum = new_reals((size_t)1 << n);

    sum[0] = 0;
    for (size_t i = 0, half = 1; i < n; i++, half *= 2)
        for (size_t k = 0; k < half; k++) {
            sum[half + k] = sum[k] + d[i];
            sum[k] -= d[i];
        }
    gsl_sort(sum, 1, (size_t)1 << n);
    return sum;
}

/* The share of all signs whose sum is `least` or more. */
static double share_above(const double *d, size_t n, double least)
{
    size_t low = n / 2, high = n - low, at = (size_t)1 << high;
    double *x = signed_sums(d, low), *y = signed_sums(d + low, high);
    double count = 0;

    for (size_t i = 0; i < (size_t)1 << low; i++) {
        while (at > 0 && x[i] + y[at - 1] >= least)
            at--;
        count += (double)(((size_t)1 << high) - at);
    }
    free(x);
    free(y);
    return ldexp(count, -(int)n);
}

static double drawn_sum(const double *d, size_t n, struct rng_key key)
{
    double sum = 0;
    uint32_t word[4];

    for (size_t i = 0; i < n; i++) {
        if (i % 128 == 0)
            rng_block(key, i / 128, word);
        sum += word[i % 128 / 32] >> i % 32 & 1 ? d[i] : -d[i];
    }
    return sum;
}

double paired_permutation(const double *d, size_t n, uint64_t seed)
{
    double sum = 0, size = 0;
    int count = 0;

    for (size_t i = 0; i < n; i++) {
        sum += d[i];
        size += fabs(d[i]);
    }
    double least = fabs(sum) - ROUNDING * size;
    if (!isfinite(least))
        return NAN;
    if (n <= EXACT)
        return fmin(1, 2 * share_above(d, n, least));
    for (uint32_t r = 0; r < DRAWS; r++) {
        struct rng_key key = {.seed = seed, .stream = RNG_STATS, .step = r};

        count += fabs(drawn_sum(d, n, key)) >= least;
    }
    return (count + 1.0) / (DRAWS + 1.0);
}

double paired_floor(size_t n)
{
    return n ? ldexp(2, -(int)n) : 1;
}

size_t paired_more(size_t n)
{
    size_t more = 0;

    while (paired_floor(n + more) >= STATS_LEVEL)
        more++;
    return more;
}

/* ---- scores of sums ---- */

static void add(double *sum, const double *row, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        sum[c] += row[c];
}

static double score_all(const double *x, size_t n, struct paired_score s)
{
    double *sum = new_reals(s.columns);

    memset(sum, 0, s.columns * sizeof *sum);
    for (size_t i = 0; i < n; i++)
        add(sum, x + i * s.columns, s.columns);
    double score = s.of(sum, s.self);
    free(sum);
    return score;
}

/* x[i] = a[i] and b[i], side by side */
static double *beside(const double *a, const double *b, size_t n, size_t c)
{
    double *x = new_reals(2 * n * c);

    for (size_t i = 0; i < n; i++) {
        memcpy(x + 2 * i * c, a + i * c, c * sizeof *x);
        memcpy(x + (2 * i + 1) * c, b + i * c, c * sizeof *x);
    }
    return x;
}

static void summarise(struct paired *out, double *d)
{
    int up = 0, down = 0;

    for (int r = 0; r < DRAWS; r++) {
        if (!isfinite(d[r]))
            return;
        up += d[r] >= 0;
        down += d[r] <= 0;
    }
    out->between = stats_percentiles(d, DRAWS);
    out->p = fmin(1, 2 * ((up < down ? up : down) + 1.0) / (DRAWS + 1.0));
}

struct paired paired_bootstrap(const double *a, const double *b, size_t n,
                               struct paired_score s, uint64_t seed)
{
    struct paired out = {.a = score_all(a, n, s), .b = score_all(b, n, s),
                         .between = {NAN, NAN}, .p = NAN};
    double *x = beside(a, b, n, s.columns), *d = new_reals(DRAWS);
    double *sums = new_reals(DRAWS * 2 * s.columns);

    out.difference = out.a - out.b;
    bootstrap_sums(sums, x, n, 2 * s.columns, seed);
    for (size_t r = 0; r < DRAWS; r++) {
        const double *of_a = sums + 2 * r * s.columns;

        d[r] = s.of(of_a, s.self) - s.of(of_a + s.columns, s.self);
    }
    summarise(&out, d);
    free(sums);
    free(d);
    free(x);
    return out;
}

/* The difference of the scores where some outputs have changed places. */
static double exchanged(const double *a, const double *b, size_t n,
                        struct paired_score s, double *sum, struct rng_key key)
{
    size_t c = s.columns;
    uint32_t word[4];

    memset(sum, 0, 2 * c * sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        if (i % 128 == 0)
            rng_block(key, i / 128, word);
        int swap = word[i % 128 / 32] >> i % 32 & 1;
        add(sum, (swap ? b : a) + i * c, c);
        add(sum + c, (swap ? a : b) + i * c, c);
    }
    return s.of(sum, s.self) - s.of(sum + c, s.self);
}

double paired_randomisation(const double *a, const double *b, size_t n,
                            struct paired_score s, uint64_t seed)
{
    double of_a = score_all(a, n, s), of_b = score_all(b, n, s);
    double *sum = new_reals(2 * s.columns);
    double least = fabs(of_a - of_b) - ROUNDING * (fabs(of_a) + fabs(of_b));
    int count = 0;

    for (uint32_t r = 0; r < DRAWS; r++) {
        struct rng_key key = {.seed = seed, .stream = RNG_STATS, .step = r};

        count += fabs(exchanged(a, b, n, s, sum, key)) >= least;
    }
    free(sum);
    return isnan(least) ? NAN : (count + 1.0) / (DRAWS + 1.0);
}
