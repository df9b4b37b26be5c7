#include "tests/support/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static real away(real x)
{
    double size = 0.5 + fmod(fabs((double)x), 1);

    return (real)size;
}

void leaf_positive(tensor *x)
{
    for (size_t i = 0; i < tensor_len(x); i++)
        x->x[i] = away(x->x[i]);
}

void leaf_columns(tensor *w)
{
    size_t e = (size_t)tensor_last(w);

    for (size_t i = 0; i < tensor_len(w); i++)
        w->x[i] = i % e % 3 == 1 ? -away(w->x[i]) : away(w->x[i]);
}

static void near_one(const char *what, size_t i, double got, double want,
                     double bound)
{
    if (!(fabs(got - want) <= bound * (1 + fabs(want))))
        fail_msg("%s: element %zu is %.17g, not %.17g", what, i, got, want);
}

void assert_near(const char *what, const real *got, const double *want,
                 size_t n, double bound)
{
    for (size_t i = 0; i < n; i++)
        near_one(what, i, (double)got[i], want[i], bound);
}

void assert_reals(const char *what, const real *got, const real *want,
                  size_t n, double bound)
{
    for (size_t i = 0; i < n; i++)
        near_one(what, i, (double)got[i], (double)want[i], bound);
}

void assert_bits(const char *what, const real *got, const real *want,
                 size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&got[i], &want[i], sizeof *got))
            fail_msg("%s: element %zu is %a, not %a", what, i, (double)got[i],
                     (double)want[i]);
}
