#include "harness/stats/fit.h"

#include "harness/base/err.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

struct power fit_power(const double *x, const double *y, size_t n)
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
    double error = n > 2 ? sqrt(cov11) : NAN;
    double half = n > 2 ? error * stats_t_quantile((double)n - 2) : NAN;
    return (struct power){exp(c0), c1, error, {c1 - half, c1 + half}};
}

int fit_noisy(const struct power *time, const struct power *work)
{
    return !(time->between.high - time->p <=
             work->between.high - work->p + FIT_SLACK);
}
