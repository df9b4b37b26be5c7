/*
 * weight_draws: the matrices W_Q and W_K of the heads of a layer
 * (check_layer.h), each (d,k), in double.  They are independent draws of one
 * construction if heads have their own matrices.  The checks projection and
 * spectrum call draws_open; other checks use only the functions below it.
 */
#pragma once

#include "harness/claims/check_layer.h"

struct draws {
    int     d, k, heads; /* W_Q of all heads, then W_K           */
    double *w;           /* (2 heads,d,k), in the layer's memory */
};

/* Opens the layer of the arguments `variant`, `method` and the check's sizes,
 * and copies its matrices.  Returns ERR_USAGE if it has none. */
int draws_open(struct draws *w, struct check_layer *l,
               const struct check_args *a);

static inline const double *draws_at(const struct draws *w, int i)
{
    return w->w + (size_t)i * (size_t)w->d * (size_t)w->k;
}

/* draws_times sets y (n,e) = x (n,m) w (m,e).  draws_turned sets y (m,e) = x
 * (n,m)^T w (n,e). */
void draws_times(int n, int m, int e, const double *x, const double *w,
                 double *y);
void draws_turned(int n, int m, int e, const double *x, const double *w,
                  double *y);
double draws_norm2(size_t n, const double *x); /* sum of squares */

/* Return memory of the layer: draws_room an uninitialized (n,m), draws_outer V
 * W^T (d,d) for V and W (d,k). */
double *draws_room(struct check_layer *l, int n, int m);
double *draws_outer(struct check_layer *l, int d, int k, const double *v,
                    const double *w);

/* Reports the mean of n independent values and its standard error. */
void draws_say(struct check_out *o, const char *measure, const double *x,
               int n);
