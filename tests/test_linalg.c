#include "harness/base/linalg.h"
#include "harness/base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static double *gaussian(int rows, int cols, uint64_t seed)
{
    struct rng_key key = {.seed = seed, .stream = RNG_TEST};
    size_t n = (size_t)rows * (size_t)cols;
    double *a = malloc(n * sizeof *a);

    for (size_t i = 0; i < n; i++)
        a[i] = rng_normal(key, i);
    return a;
}

static double dot_columns(const double *a, int i, const double *b, int j,
                          int rows, int cols)
{
    double sum = 0;

    for (int r = 0; r < rows; r++)
        sum += a[r * cols + i] * b[r * cols + j];
    return sum;
}

static void orthonormal(void **state)
{
    static const int shape[][2] = {{1, 1}, {8, 8}, {32, 4}, {64, 64},
                                   {256, 32}};

    (void)state;
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        int rows = shape[s][0], cols = shape[s][1];
        double *q = gaussian(rows, cols, s), worst = 0;

        linalg_orthonormal(q, rows, cols, q);
        for (int i = 0; i < cols; i++)
            for (int j = 0; j < cols; j++)
                worst = fmax(worst, fabs(dot_columns(q, i, q, j, rows, cols) -
                                         (i == j)));
        if (!(worst < 1e-13))
            fail_msg("%d x %d: |Q^T Q - I| = %g", rows, cols, worst);
        free(q);
    }
}

/* R = Q^T A is upper triangular with a positive diagonal: the one such
 * factorisation, so the signs are folded in. */
static void unique(void **state)
{
    enum { M = 12, N = 5 };
    double *a = gaussian(M, N, 7), q[M * N];

    (void)state;
    linalg_orthonormal(q, M, N, a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double r = dot_columns(q, i, a, j, M, N);

            if (i == j)
                assert_true(r > 0.1);
            else if (i > j)
                assert_true(fabs(r) < 1e-13);
        }
    free(a);
}

/* Under the Haar measure E Q_ij = 0 and E Q_ij^2 = 1/rows; without the signs
 * the first column's first entry would never be positive. */
static void haar(void **state)
{
    enum { M = 4, N = 2, DRAWS = 20000 };
    double mean[M * N] = {0}, square[M * N] = {0};

    (void)state;
    for (int t = 0; t < DRAWS; t++) {
        double *q = gaussian(M, N, 1000 + (uint64_t)t);

        linalg_orthonormal(q, M, N, q);
        for (int i = 0; i < M * N; i++) {
            mean[i] += q[i] / DRAWS;
            square[i] += q[i] * q[i] / DRAWS;
        }
        free(q);
    }
    for (int i = 0; i < M * N; i++) { /* 5 standard errors */
        assert_true(fabs(mean[i]) < 5 * sqrt(1.0 / M / DRAWS));
        assert_true(fabs(square[i] - 1.0 / M) < 5 * sqrt(0.125 / DRAWS));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the columns of Q are orthonormal to 1e-13", orthonormal, NULL, NULL,
         NULL},
        {"Q is the factor that leaves R a positive diagonal", unique, NULL,
         NULL, NULL},
        {"entries of Q have the mean and variance of the Haar measure", haar,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("linalg", tests, NULL, NULL);
}
