#include "harness/stats/design.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <math.h>

enum { INTERVALS = 500 };

static const double FAR = 9;      /* P(Z > 9) is 1e-19                      */
static const double NORMAL = 1e5; /* limit of f; a greater f changes P by at
                                     most 1e-6                              */

struct tail { double c, degrees, shift; };

/* Returns P(X < x) for X chi squared.  GSL fails where P is 0 or 1 to 13
 * digits, so there the result is exactly 0 or 1. */
static double chi_squared(double x, double degrees)
{
    double far = 40 * sqrt(2 * degrees);

    return x < degrees - far   ? 0
           : x > degrees + far ? 1
                               : gsl_cdf_chisq_P(x, degrees);
}

static double below(double z, void *arg)
{
    const struct tail *t = arg;
    double ratio = (z + t->shift) / t->c;

    return gsl_ran_ugaussian_pdf(z) *
           chi_squared(t->degrees * ratio * ratio, t->degrees);
}

double design_tail(double c, double degrees, double shift)
{
    struct tail t = {c, fmin(degrees, NORMAL), shift};
    gsl_function f = {below, &t};
    double low = fmax(-FAR, -shift), p = 0, error;

    if (low >= FAR)
        return 0;
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(INTERVALS);
    gsl_integration_qag(&f, low, FAR, 1e-9, 0, INTERVALS, GSL_INTEG_GAUSS61, w,
                        &p, &error);
    gsl_integration_workspace_free(w);
    return p;
}

static double satterthwaite(const struct two_way *c)
{
    double v = 0, squares = 0;

    for (int i = 0; i < c->parts; i++) {
        double part = c->part[i].variance;

        v += part;
        squares += part > 0 ? part * part / c->part[i].degrees : 0;
    }
    return v * v / squares;
}

double design_power(const struct design *d, size_t n, double difference,
                    double level)
{
    double seeds = (double)n;
    struct two_way c = {.parts = 3, .part = {
        {d->of_seed / seeds, seeds - 1}, {d->of_other / seeds, seeds - 1},
        {d->of_examples, d->degrees}}};
    double error = two_way_error(&c);

    if (!(error > 0))
        return fabs(difference) > 0;
    double far = two_way_reach(&c, level / 2) / error;
    double shift = fabs(difference) / error, degrees = satterthwaite(&c);
    return design_tail(far, degrees, shift) + design_tail(far, degrees, -shift);
}

size_t design_seeds(const struct design *d, double difference, double level,
                    double power, size_t most)
{
    size_t low = 1, high = 2; /* `low` seeds are not enough */

    while (high < most && design_power(d, high, difference, level) < power) {
        low = high;
        high = high < most / 2 ? 2 * high : most;
    }
    if (design_power(d, high, difference, level) < power)
        return 0;
    while (high - low > 1) {
        size_t n = (low + high) / 2;

        if (design_power(d, n, difference, level) < power)
            low = n;
        else
            high = n;
    }
    return high;
}

static double power_of(struct design d, size_t n, double difference,
                       double level, double times)
{
    d.of_examples /= times;
    return design_power(&d, n, difference, level);
}

double design_examples(const struct design *d, size_t n, double difference,
                       double level, double power)
{
    double less = 1, more = DESIGN_MOST;

    if (power_of(*d, n, difference, level, more) < power)
        return 0;
    while (more > 1.01 * less) {
        double times = sqrt(less * more);
        int enough = power_of(*d, n, difference, level, times) >= power;

        *(enough ? &more : &less) = times;
    }
    return more;
}

struct interval design_spread(size_t n)
{
    double degrees = (double)n - 1;

    return (struct interval){
        sqrt(degrees / gsl_cdf_chisq_Qinv(0.025, degrees)),
        sqrt(degrees / gsl_cdf_chisq_Pinv(0.025, degrees))};
}
