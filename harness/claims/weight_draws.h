/*
 * weight_draws: the matrices W_Q and W_K of the heads of a laid layer, each
 * (d,k), in double: independent draws of one construction, where heads have
 * their own.
 */
#pragma once

#include "harness/claims/check_layer.h"

struct draws {
    int     d, k, heads; /* W_Q of all heads, then W_K of them: 2 heads */
    double *w;           /* (2 heads,d,k), in the layer's memory        */
};

/* The layer of the arguments `variant`, `method` and the check's sizes.
 * ERR_USAGE: it has no such matrices. */
int draws_open(struct draws *w, struct check_layer *l,
               const struct check_args *a);

static inline const double *draws_at(const struct draws *w, int i)
{
    return w->w + (size_t)i * (size_t)w->d * (size_t)w->k;
}

/* y (n,e) = x (n,m) w (m,e), and y (m,e) = x (n,m)^T w (n,e) */
void draws_times(int n, int m, int e, const double *x, const double *w,
                 double *y);
void draws_turned(int n, int m, int e, const double *x, const double *w,
                  double *y);
double draws_norm2(size_t n, const double *x); /* sum of squares */

/* In the layer's memory: (n,m) of it, and V W^T (d,d), V and W (d,k). */
double *draws_room(struct check_layer *l, int n, int m);
double *draws_outer(struct check_layer *l, int d, int k, const double *v,
                    const double *w);

/* What independent values are in the mean, and its standard error. */
void draws_say(struct check_out *o, const char *measure, const double *x,
               int n);
