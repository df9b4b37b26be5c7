/*
 * With p(1) <= ... <= p(n):  max over j <= i of (n - j + 1) p(j), at most 1
 */
#include "harness/stats/adjust.h"

#include "harness/base/err.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

static size_t *order_of(const double *p, size_t n)
{
    size_t *order = malloc((n + 1) * sizeof *order);

    gsl_sort_index(order, p, 1, n);
    return order;
}

void adjust_holm(double *out, const double *p, size_t n)
{
    OWNED(free) size_t *order = order_of(p, n);
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmin(1, (double)(n - i) * p[order[i]]));
        out[order[i]] = most;
    }
}
