/* linalg: the little dense linear algebra that is asked of GSL. */
#ifndef BASE_LINALG_H
#define BASE_LINALG_H

/* q (rows,cols) row-major, Q^T Q = I, rows >= cols >= 1, from the Gaussian
 * matrix gauss of the same shape.  Haar distributed if the entries of gauss
 * are independent N(0,1).  q and gauss may be the same memory. */
void linalg_orthonormal(double *q, int rows, int cols, const double *gauss);

#endif
