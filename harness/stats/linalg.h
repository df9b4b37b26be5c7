/* linalg: the little dense linear algebra that is asked of GSL. */
#ifndef STATS_LINALG_H
#define STATS_LINALG_H

/* Ways to orthonormal columns.  qr and polar are Haar distributed where the
 * entries of gauss are independent N(0,1). */
enum linalg_method {
    LINALG_QR,          /* Q of gauss = Q R, R_jj > 0                       */
    LINALG_HOUSEHOLDER, /* product of `cols` reflections by gauss's columns */
    LINALG_HADAMARD,    /* signs, Hadamard matrix, columns by rank; rows a
                           power of two                                     */
    LINALG_POLAR,       /* U V^T of gauss = U S V^T                         */
    LINALG_CAYLEY       /* (I - A)(I + A)^-1, A skew-symmetric              */
};

/* q (rows,cols) row-major, Q^T Q = I, rows >= cols >= 1.  gauss is
 * (rows,cols), of LINALG_CAYLEY (rows,rows), of LINALG_HADAMARD (2,rows). */
void linalg_orthonormal(enum linalg_method method, double *q, int rows,
                        int cols, const double *gauss);

/* How many values gauss has. */
int linalg_gauss(enum linalg_method method, int rows, int cols);

/* Rank of a (rows,cols): singular values above tolerance times the largest. */
int linalg_rank(int rows, int cols, const double *a, double tolerance);

#endif
