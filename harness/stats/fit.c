#include "harness/stats/fit.h"

#include "harness/base/err.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

double fit_exponent(const double *x, const double *y, size_t n)
{
    OWNED(free) double *log_x = malloc(2 * n * sizeof *log_x);
    double *log_y = log_x + n, c0, c1, cov00, cov01, cov11, residual;

    REQUIRE(log_x && n >= 2, "a fit through %zu points", n);
    for (size_t i = 0; i < n; i++) {
        log_x[i] = log(x[i]);
        log_y[i] = log(y[i]);
    }
    gsl_fit_linear(log_x, 1, log_y, 1, n, &c0, &c1, &cov00, &cov01, &cov11,
                   &residual);
    return c1;
}

double fit_at(const double *x, const double *y, size_t n, double at)
{
    size_t before = n;

    for (size_t i = 0; i < n; i++) {
        if (isnan(y[i]))
            continue;
        if (before < n && x[before] <= at && at <= x[i])
            return y[before] + (y[i] - y[before]) * (at - x[before]) /
                                   (x[i] - x[before]);
        before = i;
    }
    return NAN;
}

double fit_crossing(const double *x, const double *a, const double *b, size_t n)
{
    double last_x = NAN, last = NAN;

    for (size_t i = 0; i < n; i++) {
        double more = b[i] - a[i];

        if (isnan(more))
            continue;
        if (last * more < 0 || (more == 0 && fabs(last) > 0))
            return last_x + (x[i] - last_x) * last / (last - more);
        last_x = x[i];
        last = more;
    }
    return NAN;
}
