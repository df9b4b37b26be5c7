/* linalg: the little dense linear algebra that is asked of GSL. */
#pragma once

#include "harness/base/names.h"

/* Ways to orthonormal columns.  qr and polar are Haar distributed where the
 * entries of gauss are independent N(0,1). */
#define LINALG_METHODS(X)                                                     \
    X(LINALG_QR, "qr")       /* Q of gauss = Q R, R_jj > 0                 */ \
    X(LINALG_HOUSEHOLDER, "householder") /* `cols` reflections by columns  */ \
    X(LINALG_HADAMARD, "hadamard") /* signs, Hadamard matrix, columns by      \
                                      rank; rows a power of two            */ \
    X(LINALG_POLAR, "polar") /* U V^T of gauss = U S V^T                   */ \
    X(LINALG_CAYLEY, "cayley") /* (I - A)(I + A)^-1, A skew-symmetric      */
enum linalg_method { LINALG_METHODS(NAMES_VALUE) };

/* q (rows,cols) row-major, Q^T Q = I, rows >= cols >= 1.  gauss is
 * (rows,cols), of LINALG_CAYLEY (rows,rows), of LINALG_HADAMARD (2,rows). */
void linalg_orthonormal(enum linalg_method method, double *q, int rows,
                        int cols, const double *gauss);

/* How many values gauss has. */
int linalg_gauss(enum linalg_method method, int rows, int cols);

/* Rank of a (rows,cols): singular values above tolerance times the largest. */
int linalg_rank(int rows, int cols, const double *a, double tolerance);

/* Singular values of a (rows,cols), falling: as many as its shorter side. */
void linalg_singular(double *s, int rows, int cols, const double *a);

/* The least and the greatest eigenvalue of the symmetric a (n,n); and of any a
 * (n,n) the least and the greatest |eigenvalue|. */
void linalg_symmetric(double *least, double *greatest, int n,
                      const double *a);
void linalg_moduli(double *least, double *greatest, int n, const double *a);
