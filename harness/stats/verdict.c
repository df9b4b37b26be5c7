#include "harness/stats/verdict.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct verdict verdict_unknown = {0, NAN, NAN, {NAN, NAN}};

/* Returns p of verdict.h for c + 1 = k and R = n, before it is limited to 1.
 * No other function computes p. */
static double p_of(size_t k, size_t n, size_t m)
{
    return (double)m * (2 * (double)k / ((double)n + 1));
}

/* Returns k of verdict.h for R = n. */
static size_t cut(size_t n, size_t m)
{
    double guess = STATS_LEVEL * ((double)n + 1) / (2 * (double)m);
    size_t k = (size_t)guess;

    while (k > 0 && !(p_of(k, n, m) < STATS_LEVEL))
        k--;
    while (p_of(k + 1, n, m) < STATS_LEVEL)
        k++;
    return k;
}

int verdict_possible(size_t n, size_t m) { return cut(n, m) > 0; }

double verdict_floor(size_t n, size_t m) { return fmin(1, p_of(1, n, m)); }

static int all_finite(const double *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(t[i]))
            return 0;
    return 1;
}

/* ---- the typical values, in order ---- */

enum { QUANTILES = 65535 }; /* number of quantiles of `crossed` */

/* Returns the typical value t(k) of verdict.h, for k >= 1. */
static double at(const struct known *x, size_t k)
{
    const struct two_way *c = &x->crossed;
    size_t turned = QUANTILES + 1 - k;

    if (x->n)
        return x->t[k - 1];
    if (k == turned)
        return c->mean;
    return k < turned ? c->mean - two_way_reach(c, (double)k / (QUANTILES + 1))
                      : c->mean +
                            two_way_reach(c, (double)turned / (QUANTILES + 1));
}

/* Returns the number of typical values that are below 0 or, if `or_at` is 1, at
 * most 0. */
static size_t count_low(const struct known *x, int or_at)
{
    size_t low = 0, high = known_values(x) + 1; /* t(low) counts, t(high) not */

    while (high - low > 1) {
        size_t k = (low + high) / 2;
        double t = at(x, k);

        if (t < 0 || (or_at && t <= 0))
            low = k;
        else
            high = k;
    }
    return low;
}

void known_close(struct known *k)
{
    free(k->t);
    *k = (struct known){.n = 0};
}

size_t known_values(const struct known *k)
{
    return k->n ? k->n : k->crossed.parts ? QUANTILES : 0;
}

/* ---- the verdict ---- */

static struct interval interval_of(const struct known *x, size_t k)
{
    return k == 0 ? (struct interval){NAN, NAN}
                  : (struct interval){at(x, k), at(x, known_values(x) + 1 - k)};
}

/* Returns 1 if the interval that begins at t(k) is wide only because there are
 * few seeds. */
static int too_few(const struct known *x, size_t k)
{
    return !x->n && k &&
           two_way_too_few(&x->crossed, (double)k / (QUANTILES + 1));
}

double verdict_tail(size_t m)
{
    return (double)cut(QUANTILES, m) / (QUANTILES + 1);
}

struct verdict verdict_of(struct known *x, size_t m)
{
    struct verdict v = verdict_unknown;
    size_t n = known_values(x), k = cut(n, m);

    if (n == 0 || !all_finite(x->t, x->n))
        return v;
    if (x->n)
        gsl_sort(x->t, 1, n);
    size_t down = count_low(x, 1), up = n - count_low(x, 0);
    size_t c = up < down ? up : down;
    v.between = interval_of(x, k);
    v.alone = fmin(1, p_of(c + 1, n, 1));
    v.p = fmin(1, p_of(c + 1, n, m));
    v.sign = c + 1 > k ? 0 : up > down ? 1 : -1;
    if (!v.sign && too_few(x, k))
        v.between = verdict_unknown.between;
    return v;
}

/* If p is close to 0.05, rounding may make p and the quantile disagree on
 * whether the difference is significant.  If they disagree, p decides, and the
 * interval is changed by a rounding error, so that it agrees with p. */
struct verdict verdict_t(double d, double error, double degrees, size_t m)
{
    struct verdict v = verdict_unknown;

    if (!isfinite(d) || !isfinite(error) ||
        ((d != 0 || error != 0) && degrees < 1))
        return v;
    double far = error == 0 ? 0
                            : -error * stats_t_at(STATS_LEVEL /
                                                  (2 * (double)m), degrees);
    v.alone = d == 0 ? 1 : error == 0 ? 0 : stats_t_p(d / error, degrees);
    v.p = fmin(1, (double)m * v.alone);
    v.sign = !(v.p < STATS_LEVEL) ? 0 : d > 0 ? 1 : -1;
    far = v.sign ? fmin(far, nextafter(fabs(d), 0)) : fmax(far, fabs(d));
    v.between = (struct interval){d - far, d + far};
    return v;
}

struct verdict verdict_shared(const struct verdict *v,
                              const struct verdict *own)
{
    struct verdict out = *v;

    out.between = own->sign == v->sign ? own->between : verdict_unknown.between;
    return out;
}

const char *verdict_word(const struct verdict *v, int better)
{
    return v->sign == 0 ? "undecided" : v->sign == better ? "better" : "worse";
}

const char *verdict_bound(double x, int decimals, char out[32])
{
    snprintf(out, 32, "%+.*f", decimals, x);
    if (x != 0 && strtod(out, NULL) == 0)
        snprintf(out, 32, "%+.1g", x);
    return out;
}

const char *verdict_p(double p, char out[24])
{
    for (int digits = 2; digits <= 15; digits++) {
        snprintf(out, 24, "%.*g", digits, p);
        if ((strtod(out, NULL) < STATS_LEVEL) == (p < STATS_LEVEL))
            break;
    }
    return out;
}
