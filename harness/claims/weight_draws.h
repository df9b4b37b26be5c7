/*
 * weight_draws: copies the matrices W_Q and W_K of all heads of a layer
 * (check_layer.h), each (d,k), in double, and does small matrix products.  If
 * each head has matrices of its own, they are independent draws from one
 * distribution.  The checks projection and spectrum call draws_open; other
 * checks use only draws_times and the functions after it.
 */
#pragma once

#include "harness/claims/check_layer.h"

struct draws {
    int     d, k, heads; /* W_Q of all heads, then W_K           */
    double *w;           /* (2 heads,d,k), in the layer's memory */
};

/* Opens the layer that the check's arguments `variant`, `method` and sizes
 * describe, and copies its matrices.  Returns ERR_USAGE if the variant has no
 * W_Q and W_K. */
int draws_open(struct draws *w, struct check_layer *l,
               const struct check_args *a);

static inline const double *draws_at(const struct draws *w, int i)
{
    return w->w + (size_t)i * (size_t)w->d * (size_t)w->k;
}

/* draws_times sets y (n,e) to the product x w of x (n,m) and w (m,e).
 * draws_turned sets y (m,e) to x^T w for x (n,m) and w (n,e). */
void draws_times(int n, int m, int e, const double *x, const double *w,
                 double *y);
void draws_turned(int n, int m, int e, const double *x, const double *w,
                  double *y);
double draws_norm2(size_t n, const double *x); /* sum of squares */

/* draws_room returns an uninitialized matrix (n,m); draws_outer returns V W^T
 * (d,d) for V and W (d,k).  Both are in the layer's memory. */
double *draws_room(struct check_layer *l, int n, int m);
double *draws_outer(struct check_layer *l, int d, int k, const double *v,
                    const double *w);

/* Reports (check_say) the mean of n independent values and its standard
 * error. */
void draws_say(struct check_out *o, const char *measure, const double *x,
               int n);
