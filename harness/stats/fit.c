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
