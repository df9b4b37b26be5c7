/* linalg: makes random matrices with orthonormal columns, and computes the
 * rank, singular values and eigenvalues of small dense matrices with GSL. */
#pragma once

#include "harness/base/names.h"

/*
 * Methods that make a matrix with orthonormal columns from a matrix `gauss`.
 * If the entries of `gauss` are independent N(0,1), the results of qr and polar
 * are Haar distributed.
 *
 *   qr           Q of the decomposition `gauss` = Q R with R_jj > 0
 *   householder  product of `cols` reflections, one along each column of
 *                `gauss`
 *   hadamard     signs of the first row of `gauss` times a Hadamard matrix
 *                whose columns are ordered by the second row; `rows` must be a
 *                power of two
 *   polar        U V^T of the decomposition `gauss` = U S V^T
 *   cayley       (I - A)(I + A)^-1, where A is the skew-symmetric matrix made
 *                from `gauss`
 */
#define LINALG_METHODS(X)                                                     \
    X(LINALG_QR, "qr")                                                        \
    X(LINALG_HOUSEHOLDER, "householder")                                      \
    X(LINALG_HADAMARD, "hadamard")                                            \
    X(LINALG_POLAR, "polar")                                                  \
    X(LINALG_CAYLEY, "cayley")
enum linalg_method { LINALG_METHODS(NAMES_VALUE) };

/* Sets q (rows,cols), row-major, to a matrix with orthonormal columns.
 * `gauss` is (rows,rows) for LINALG_CAYLEY, (2,rows) for LINALG_HADAMARD and
 * (rows,cols) otherwise.  Requires rows >= cols >= 1. */
void linalg_orthonormal(enum linalg_method method, double *q, int rows,
                        int cols, const double *gauss);

/* Returns the number of values of `gauss` that linalg_orthonormal reads. */
int linalg_gauss(enum linalg_method method, int rows, int cols);

/* Returns the rank of the matrix `a` (rows,cols): the number of singular values
 * greater than `tolerance` times the largest. */
int linalg_rank(int rows, int cols, const double *a, double tolerance);

/* Writes the min(rows,cols) singular values of `a` (rows,cols) to `s` in
 * decreasing order. */
void linalg_singular(double *s, int rows, int cols, const double *a);

/* linalg_symmetric computes the least and the greatest eigenvalue of a
 * symmetric matrix `a` (n,n); linalg_moduli computes the least and the greatest
 * modulus of the eigenvalues of any matrix `a` (n,n). */
void linalg_symmetric(double *least, double *greatest, int n,
                      const double *a);
void linalg_moduli(double *least, double *greatest, int n, const double *a);
