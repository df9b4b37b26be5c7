/*
 * A = Q R leaves the signs of R's diagonal free, and Householder's choice
 * depends on A, which skews Q.  Q diag(sign R_jj) belongs to the one
 * factorisation with R_jj > 0 and is Haar distributed (Mezzadri, "How to
 * generate random matrices from the classical compact groups", Notices of the
 * AMS 54, 2007, section 5).
 */
#include "harness/base/linalg.h"

#include "harness/base/err.h"

#include <gsl/gsl_linalg.h>
#include <string.h>

void linalg_orthonormal(double *q, int rows, int cols, const double *gauss)
{
    REQUIRE(cols >= 1 && rows >= cols, "%d rows, %d columns", rows, cols);
    size_t m = (size_t)rows, n = (size_t)cols;
    gsl_matrix *a = gsl_matrix_alloc(m, n);
    gsl_vector *tau = gsl_vector_alloc(n), *column = gsl_vector_alloc(m);
    gsl_matrix_view out = gsl_matrix_view_array(q, m, n);

    memcpy(a->data, gauss, m * n * sizeof *gauss);
    gsl_linalg_QR_decomp(a, tau);
    for (size_t j = 0; j < n; j++) {
        gsl_vector_set_zero(column);
        gsl_vector_set(column, j, gsl_matrix_get(a, j, j) < 0 ? -1 : 1);
        gsl_linalg_QR_Qvec(a, tau, column);
        gsl_matrix_set_col(&out.matrix, j, column);
    }
    gsl_vector_free(column);
    gsl_vector_free(tau);
    gsl_matrix_free(a);
}
