#include "harness/stats/verdict.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct verdict verdict_unknown = {0, NAN, NAN, {NAN, NAN}};

/* p of c + 1 = k; the only place where p is computed. */
static double p_of(size_t k, size_t n, size_t m)
{
    return (double)m * (2 * (double)k / ((double)n + 1));
}

/* k of the header. */
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

static struct interval interval_of(const double *t, size_t n, size_t k)
{
    return k == 0 ? (struct interval){NAN, NAN}
                  : (struct interval){t[k - 1], t[n - k]};
}

struct verdict verdict_of(double *t, size_t n, size_t m)
{
    struct verdict v = verdict_unknown;
    size_t up = 0, down = 0, k = cut(n, m);

    if (n == 0 || !all_finite(t, n))
        return v;
    gsl_sort(t, 1, n);
    for (size_t i = 0; i < n; i++) {
        up += t[i] >= 0;
        down += t[i] <= 0;
    }
    size_t c = up < down ? up : down;
    v.between = interval_of(t, n, k);
    v.alone = fmin(1, p_of(c + 1, n, 1));
    v.p = fmin(1, p_of(c + 1, n, m));
    v.sign = c + 1 > k ? 0 : up > down ? 1 : -1;
    return v;
}

struct verdict verdict_shared(const struct verdict *v, double *t, size_t n,
                              size_t m)
{
    struct verdict own = verdict_of(t, n, m), out = *v;

    out.between = own.sign == v->sign ? own.between
                                      : verdict_unknown.between;
    return out;
}

const char *verdict_word(const struct verdict *v, int better)
{
    return v->sign == 0 ? "undecided" : v->sign == better ? "better" : "worse";
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
