/*
 * The result has m rows and n columns.  With G the matrix `gauss`, it is
 *
 *   qr           Q diag(sign R_jj), where G = Q R.  The signs of R's diagonal
 *                are free, and Householder's algorithm chooses them depending
 *                on G, which biases Q.  The result belongs to the unique
 *                factorisation with R_jj > 0 and is Haar distributed (Mezzadri,
 *                "How to generate random matrices from the classical compact
 *                groups", Notices of the AMS 54, 2007, section 5)
 *   polar        U V^T, where G = U S V^T is the singular value decomposition
 *   householder  the first n columns of H_1 .. H_n, where
 *                H_r = I - 2 v v^T / v^T v, and v is column r of G
 *   hadamard     the first n columns of D H P / sqrt(m), where D has random
 *                signs, H is Sylvester's matrix and P orders the columns
 *                randomly
 *   cayley       the first n columns of (I - A)(I + A)^-1, where
 *                A = (G - G^T) / (2 sqrt(m))
 */
#include "harness/stats/linalg.h"

#include "harness/base/err.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

OWNER(gsl_matrix_free, gsl_matrix *)
OWNER(gsl_vector_free, gsl_vector *)
OWNER(gsl_vector_complex_free, gsl_vector_complex *)
OWNER(gsl_permutation_free, gsl_permutation *)
OWNER(gsl_eigen_symm_free, gsl_eigen_symm_workspace *)
OWNER(gsl_eigen_nonsymm_free, gsl_eigen_nonsymm_workspace *)

static void qr(double *q, size_t m, size_t n, const double *gauss)
{
    OWNED(gsl_matrix_free) gsl_matrix *a = gsl_matrix_alloc(m, n);
    OWNED(gsl_vector_free) gsl_vector *tau = gsl_vector_alloc(n);
    OWNED(gsl_vector_free) gsl_vector *column = gsl_vector_alloc(m);
    gsl_matrix_view out = gsl_matrix_view_array(q, m, n);

    memcpy(a->data, gauss, m * n * sizeof *gauss);
    gsl_linalg_QR_decomp(a, tau);
    for (size_t j = 0; j < n; j++) {
        gsl_vector_set_zero(column);
        gsl_vector_set(column, j, gsl_matrix_get(a, j, j) < 0 ? -1 : 1);
        gsl_linalg_QR_Qvec(a, tau, column);
        gsl_matrix_set_col(&out.matrix, j, column);
    }
}

static void householder(double *q, size_t m, size_t n, const double *gauss)
{
    for (size_t i = 0; i < m * n; i++)
        q[i] = i / n == i % n;
    for (size_t r = n; r-- > 0;) {
        double norm = 0;

        for (size_t i = 0; i < m; i++)
            norm += gauss[i * n + r] * gauss[i * n + r];
        for (size_t j = 0; j < n; j++) {
            double along = 0;

            for (size_t i = 0; i < m; i++)
                along += gauss[i * n + r] * q[i * n + j];
            for (size_t i = 0; i < m; i++)
                q[i * n + j] -= 2 * along / norm * gauss[i * n + r];
        }
    }
}

/* Returns entry (i,j) of Sylvester's matrix: (-1)^c, where c is the number of
 * bits that are 1 in both i and j. */
static int sylvester(size_t i, size_t j)
{
    return __builtin_parityll(i & j) ? -1 : 1;
}

static void hadamard(double *q, size_t m, size_t n, const double *gauss)
{
    OWNED(free) size_t *order = malloc(m * sizeof *order);

    REQUIRE(order && !(m & (m - 1)), "%zu rows are not a power of two", m);
    gsl_sort_index(order, gauss + m, 1, m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            q[i * n + j] = (gauss[i] < 0 ? -1 : 1) * sylvester(i, order[j]) /
                           sqrt((double)m);
}

/* Computes the decomposition `a` = U diag(s) V^T, and replaces `a` by U. */
static void singular(gsl_matrix *a, gsl_matrix *v, gsl_vector *s)
{
    OWNED(gsl_vector_free) gsl_vector *work = gsl_vector_alloc(a->size2);

    gsl_linalg_SV_decomp(a, v, s, work);
}

static void polar(double *q, size_t m, size_t n, const double *gauss)
{
    OWNED(gsl_matrix_free) gsl_matrix *u = gsl_matrix_alloc(m, n);
    OWNED(gsl_matrix_free) gsl_matrix *v = gsl_matrix_alloc(n, n);
    OWNED(gsl_vector_free) gsl_vector *s = gsl_vector_alloc(n);

    memcpy(u->data, gauss, m * n * sizeof *gauss);
    singular(u, v, s);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            q[i * n + j] = 0;
            for (size_t k = 0; k < n; k++)
                q[i * n + j] += gsl_matrix_get(u, i, k) *
                                gsl_matrix_get(v, j, k);
        }
}

/* Solves (I + A) Q = I - A, because (I - A)(I + A)^-1 = (I + A)^-1 (I - A). */
static void cayley(double *q, size_t m, size_t n, const double *gauss)
{
    OWNED(gsl_matrix_free) gsl_matrix *plus = gsl_matrix_alloc(m, m);
    OWNED(gsl_vector_free) gsl_vector *right = gsl_vector_alloc(m);
    OWNED(gsl_vector_free) gsl_vector *x = gsl_vector_alloc(m);
    OWNED(gsl_permutation_free) gsl_permutation *order =
        gsl_permutation_alloc(m);
    int sign;

    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            gsl_matrix_set(plus, i, j, (i == j) + (gauss[i * m + j] -
                                                   gauss[j * m + i]) /
                                                      (2 * sqrt((double)m)));
    for (size_t j = 0; j < n; j++) /* I - A is the transpose of I + A */
        for (size_t i = 0; i < m; i++)
            q[i * n + j] = gsl_matrix_get(plus, j, i);
    gsl_linalg_LU_decomp(plus, order, &sign);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < m; i++)
            gsl_vector_set(right, i, q[i * n + j]);
        gsl_linalg_LU_solve(plus, order, right, x);
        for (size_t i = 0; i < m; i++)
            q[i * n + j] = gsl_vector_get(x, i);
    }
}

void linalg_orthonormal(enum linalg_method method, double *q, int rows,
                        int cols, const double *gauss)
{
    static void (*const make[])(double *, size_t, size_t, const double *) = {
        [LINALG_QR] = qr, [LINALG_HOUSEHOLDER] = householder,
        [LINALG_HADAMARD] = hadamard, [LINALG_POLAR] = polar,
        [LINALG_CAYLEY] = cayley};

    REQUIRE(cols >= 1 && rows >= cols, "%d rows, %d columns", rows, cols);
    make[method](q, (size_t)rows, (size_t)cols, gauss);
}

int linalg_gauss(enum linalg_method method, int rows, int cols)
{
    return method == LINALG_CAYLEY     ? rows * rows
           : method == LINALG_HADAMARD ? 2 * rows
                                       : rows * cols;
}

/* Uses Jacobi rotations, because Golub and Reinsch's iteration need not
 * terminate if singular values are 0. */
void linalg_singular(double *s, int rows, int cols, const double *a)
{
    size_t m = (size_t)(rows > cols ? rows : cols);
    size_t n = (size_t)(rows > cols ? cols : rows);
    OWNED(gsl_matrix_free) gsl_matrix *u = gsl_matrix_alloc(m, n);
    OWNED(gsl_matrix_free) gsl_matrix *v = gsl_matrix_alloc(n, n);
    gsl_vector_view out = gsl_vector_view_array(s, n);

    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(u, i, j, rows > cols ? a[i * n + j]
                                                : a[j * m + i]);
    gsl_linalg_SV_decomp_jacobi(u, v, &out.vector);
}

int linalg_rank(int rows, int cols, const double *a, double tolerance)
{
    int n = rows > cols ? cols : rows, rank = 0;
    OWNED(free) double *s = malloc((size_t)n * sizeof *s);

    linalg_singular(s, rows, cols, a);
    for (int i = 0; i < n; i++)
        rank += s[i] > tolerance * s[0];
    return rank;
}

static gsl_matrix *square(int n, const double *a)
{
    gsl_matrix *m = gsl_matrix_alloc((size_t)n, (size_t)n);

    memcpy(m->data, a, (size_t)n * (size_t)n * sizeof *a);
    return m;
}

void linalg_symmetric(double *least, double *greatest, int n, const double *a)
{
    OWNED(gsl_matrix_free) gsl_matrix *m = square(n, a);
    OWNED(gsl_vector_free) gsl_vector *lambda = gsl_vector_alloc((size_t)n);
    OWNED(gsl_eigen_symm_free) gsl_eigen_symm_workspace *work =
        gsl_eigen_symm_alloc((size_t)n);

    gsl_eigen_symm(m, lambda, work);
    gsl_vector_minmax(lambda, least, greatest);
}

void linalg_moduli(double *least, double *greatest, int n, const double *a)
{
    OWNED(gsl_matrix_free) gsl_matrix *m = square(n, a);
    OWNED(gsl_eigen_nonsymm_free) gsl_eigen_nonsymm_workspace *work =
        gsl_eigen_nonsymm_alloc((size_t)n);
    OWNED(gsl_vector_complex_free) gsl_vector_complex *lambda =
        gsl_vector_complex_alloc((size_t)n);

    gsl_eigen_nonsymm(m, lambda, work);
    *least = INFINITY;
    *greatest = 0;
    for (size_t i = 0; i < (size_t)n; i++) {
        double r = gsl_complex_abs(gsl_vector_complex_get(lambda, i));

        *least = fmin(*least, r);
        *greatest = fmax(*greatest, r);
    }
}
