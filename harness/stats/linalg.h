/* linalg: orthonormal random matrices, and the rank, singular values and
 * eigenvalues of small dense matrices, computed with GSL. */
#pragma once

#include "harness/base/names.h"

/*
 * Methods that make orthonormal columns.  qr and polar are Haar distributed if
 * the entries of gauss are independent N(0,1).
 *
 *   qr           Q of gauss = Q R with R_jj > 0
 *   householder  product of `cols` reflections, one along each column of gauss
 *   hadamard     signs of the first row of gauss times a Hadamard matrix whose
 *                columns are ordered by the second row; rows: a power of two
 *   polar        U V^T of gauss = U S V^T
 *   cayley       (I - A)(I + A)^-1, where A is skew-symmetric
 */
#define LINALG_METHODS(X)                                                     \
    X(LINALG_QR, "qr")                                                        \
    X(LINALG_HOUSEHOLDER, "householder")                                      \
    X(LINALG_HADAMARD, "hadamard")                                            \
    X(LINALG_POLAR, "polar")                                                  \
    X(LINALG_CAYLEY, "cayley")
enum linalg_method { LINALG_METHODS(NAMES_VALUE) };

/* Writes q (rows,cols), row-major, with Q^T Q = I; rows >= cols >= 1.  gauss is
 * (rows,cols), but (rows,rows) for LINALG_CAYLEY and (2,rows) for
 * LINALG_HADAMARD. */
void linalg_orthonormal(enum linalg_method method, double *q, int rows,
                        int cols, const double *gauss);

/* Returns the number of values of gauss. */
int linalg_gauss(enum linalg_method method, int rows, int cols);

/* Returns the rank of a (rows,cols): the number of singular values above
 * tolerance times the largest. */
int linalg_rank(int rows, int cols, const double *a, double tolerance);

/* Writes the singular values of a (rows,cols) to s in decreasing order; there
 * are min(rows,cols). */
void linalg_singular(double *s, int rows, int cols, const double *a);

/* linalg_symmetric computes the least and the greatest eigenvalue of the
 * symmetric a (n,n); linalg_moduli the least and the greatest |eigenvalue| of
 * any a (n,n). */
void linalg_symmetric(double *least, double *greatest, int n,
                      const double *a);
void linalg_moduli(double *least, double *greatest, int n, const double *a);
