#include "harness/base/rng.h"
#include "harness/stats/linalg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    enum linalg_method method = *(const enum linalg_method *)*state;

    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        int rows = shape[s][0], cols = shape[s][1];
        int n = linalg_gauss(method, rows, cols);
        double *gauss = gaussian(n, 1, s), worst = 0;
        double *q = gaussian(rows, cols, 0);

        linalg_orthonormal(method, q, rows, cols, gauss);
        for (int i = 0; i < cols; i++)
            for (int j = 0; j < cols; j++)
                worst = fmax(worst, fabs(dot_columns(q, i, q, j, rows, cols) -
                                         (i == j)));
        if (!(worst < 1e-13))
            fail_msg("%d x %d: |Q^T Q - I| = %g", rows, cols, worst);
        free(gauss);
        free(q);
    }
}

/* R = Q^T A is upper triangular with a positive diagonal. This factorisation is
 * unique, so the test detects wrong signs. */
static void unique(void **state)
{
    enum { M = 12, N = 5 };
    double *a = gaussian(M, N, 7), q[M * N];

    (void)state;
    linalg_orthonormal(LINALG_QR, q, M, N, a);
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

/* With A = U S V^T, the nearest orthonormal matrix is Q = U V^T: Q^T A = V S
 * V^T is symmetric and positive definite. */
static void nearest(void **state)
{
    enum { M = 12, N = 5 };
    double *a = gaussian(M, N, 7), q[M * N];

    (void)state;
    linalg_orthonormal(LINALG_POLAR, q, M, N, a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double here = dot_columns(q, i, a, j, M, N);

            assert_true(fabs(here - dot_columns(q, j, a, i, M, N)) < 1e-12);
            assert_true(i != j || here > 0.1);
        }
    free(a);
}

static void shapes_of_hadamard(void **state)
{
    double *gauss = gaussian(2, 16, 3), q[16 * 5];

    (void)state;
    linalg_orthonormal(LINALG_HADAMARD, q, 16, 5, gauss);
    for (int i = 0; i < 16 * 5; i++)
        assert_true(fabs(q[i]) == 0.25);
    free(gauss);
}

/* Checks the Cayley transform Q: (I + A) Q = I - A, with A = (G - G^T) / (2
 * sqrt(M)). */
static void transform(void **state)
{
    enum { M = 6 };
    double *g = gaussian(M, M, 7), q[M * M];

    (void)state;
    linalg_orthonormal(LINALG_CAYLEY, q, M, M, g);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            double left = q[i * M + j], a = 0;

            for (int k = 0; k < M; k++) {
                a = (g[i * M + k] - g[k * M + i]) / (2 * sqrt(M));
                left += a * q[k * M + j];
            }
            a = (g[i * M + j] - g[j * M + i]) / (2 * sqrt(M));
            assert_true(fabs(left - ((i == j) - a)) < 1e-13);
        }
    free(g);
}

/* The result depends on exactly as many numbers as are requested; if it uses G
 * - G^T, it does not depend on the diagonal. */
static void numbers_used(void **state)
{
    enum { M = 8, N = 5, MOST = M * M };

    (void)state;
    for (enum linalg_method method = 0; method <= LINALG_CAYLEY; method++) {
        int n = linalg_gauss(method, M, N);
        double *a = gaussian(2, MOST, 5), q[M * N], other[M * N];

        linalg_orthonormal(method, q, M, N, a);
        for (int i = 0; i < 2 * MOST; i++) {
            double kept = a[i];
            int same = 1;

            for (int low = 0; low < 2 && same; low++) {
                /* one of these values changes a rank or a sign */
                a[i] = low ? -100 : 100;
                linalg_orthonormal(method, other, M, N, a);
                same = !memcmp(q, other, sizeof q);
            }
            a[i] = kept;
            if (same == (i < n && (method != LINALG_CAYLEY || i % (M + 1))))
                fail_msg("method %d, number %d of %d", (int)method, i, n);
        }
        free(a);
    }
}

static void ranks(void **state)
{
    double a[] = {1, 2, 3, 2, 4, 6, 1, 0, 1, 0, 2, 2};

    (void)state;
    assert_int_equal(linalg_rank(4, 3, a, 1e-12), 2);
    assert_int_equal(linalg_rank(3, 4, a, 1e-12), 3);
    assert_int_equal(linalg_rank(2, 3, a, 1e-12), 1);
    a[5] = 7; /* no row is a multiple or a sum of others */
    assert_int_equal(linalg_rank(4, 3, a, 1e-12), 3);
}

static void singular_values(void **state)
{
    /* rows (3,4) and (-8,6): orthogonal, of lengths 5 and 10 */
    double a[] = {3, 4, -8, 6}, wide[] = {3, 4, 0, -8, 6, 0}, s[2];

    (void)state;
    linalg_singular(s, 2, 2, a);
    assert_true(fabs(s[0] - 10) < 1e-12 && fabs(s[1] - 5) < 1e-12);
    linalg_singular(s, 2, 3, wide);
    assert_true(fabs(s[0] - 10) < 1e-12 && fabs(s[1] - 5) < 1e-12);
    linalg_singular(s, 3, 2, (double[]){3, -8, 4, 6, 0, 0});
    assert_true(fabs(s[0] - 10) < 1e-12 && fabs(s[1] - 5) < 1e-12);
}

/* If all rows are equal, n - 1 singular values are 0. */
static void singular_of_one_row(void **state)
{
    enum { N = 32 };
    double *row = gaussian(1, N, 9), a[N * N], s[N], norm = 0;

    (void)state;
    for (int i = 0; i < N * N; i++)
        a[i] = row[i % N];
    for (int i = 0; i < N; i++)
        norm += N * row[i] * row[i];
    linalg_singular(s, N, N, a);
    assert_true(fabs(s[0] - sqrt(norm)) < 1e-10 && s[1] < 1e-10 * s[0]);
    free(row);
}

static void eigenvalues(void **state)
{
    double low = 0, high = 0;

    (void)state;
    linalg_symmetric(&low, &high, 2, (double[]){1, 2, 2, 1});
    assert_true(fabs(low + 1) < 1e-12 && fabs(high - 3) < 1e-12);
    /* a rotation by 90 degrees, scaled by two: 2i, -2i; and -3 */
    linalg_moduli(&low, &high, 3, (double[]){0, -2, 0, 2, 0, 0, 0, 0, -3});
    assert_true(fabs(low - 2) < 1e-12 && fabs(high - 3) < 1e-12);
}

/* Under the Haar measure, E Q_ij = 0 and E Q_ij^2 = 1/rows. Without the
 * correction of signs, the first entry of the first column would never be
 * positive. */
static void haar(void **state)
{
    enum { M = 4, N = 2, DRAWS = 20000 };
    enum linalg_method method = *(const enum linalg_method *)*state;
    double mean[M * N] = {0}, square[M * N] = {0};

    for (int t = 0; t < DRAWS; t++) {
        double *gauss = gaussian(M, N, 1000 + (uint64_t)t), q[M * N];

        linalg_orthonormal(method, q, M, N, gauss);
        for (int i = 0; i < M * N; i++) {
            mean[i] += q[i] / DRAWS;
            square[i] += q[i] * q[i] / DRAWS;
        }
        free(gauss);
    }
    for (int i = 0; i < M * N; i++) { /* 5 standard errors */
        assert_true(fabs(mean[i]) < 5 * sqrt(1.0 / M / DRAWS));
        assert_true(fabs(square[i] - 1.0 / M) < 5 * sqrt(0.125 / DRAWS));
    }
}

static enum linalg_method method[] = {LINALG_QR, LINALG_HOUSEHOLDER,
                                      LINALG_HADAMARD, LINALG_POLAR,
                                      LINALG_CAYLEY};

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"qr: columns are orthonormal to 1e-13", orthonormal, NULL, NULL,
         &method[LINALG_QR]},
        {"householder: columns are orthonormal to 1e-13", orthonormal, NULL,
         NULL, &method[LINALG_HOUSEHOLDER]},
        {"hadamard: columns are orthonormal to 1e-13", orthonormal, NULL, NULL,
         &method[LINALG_HADAMARD]},
        {"polar: columns are orthonormal to 1e-13", orthonormal, NULL, NULL,
         &method[LINALG_POLAR]},
        {"cayley: columns are orthonormal to 1e-13", orthonormal, NULL, NULL,
         &method[LINALG_CAYLEY]},
        {"qr: Q leaves R a positive diagonal", unique, NULL, NULL, NULL},
        {"polar: Q is the nearest orthonormal matrix", nearest, NULL, NULL,
         NULL},
        {"cayley: Q is the transform of the skew part", transform, NULL, NULL,
         NULL},
        {"hadamard: all entries have one size", shapes_of_hadamard, NULL, NULL,
         NULL},
        {"qr: entries have the mean and variance of the Haar measure", haar,
         NULL, NULL, &method[LINALG_QR]},
        {"polar: entries have the mean and variance of the Haar measure", haar,
         NULL, NULL, &method[LINALG_POLAR]},
        {"each number drawn decides, and none behind them", numbers_used, NULL,
         NULL, NULL},
        {"the rank counts singular values", ranks, NULL, NULL, NULL},
        {"singular values are the lengths of orthogonal rows", singular_values,
         NULL, NULL, NULL},
        {"singular values of equal rows are 0 but for one",
         singular_of_one_row, NULL, NULL, NULL},
        {"eigenvalues of a mirror, moduli of a turn", eigenvalues, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("linalg", tests, NULL, NULL);
}
