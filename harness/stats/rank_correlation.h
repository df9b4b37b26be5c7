/*
 * rank_correlation: does the order of n things by x go with their order by y?
 *
 *   r        Spearman's rho, Kendall's tau-b (stats/correlate.h)
 *   p        of all n! orders, each as likely, the share with as great |r|,
 *            ties as they are; of more than RANK_EXACT things that of
 *            correlate.h: Student's t for rho, and for tau exact up to 33
 *            things without ties, else normal
 *   between  95 %: tanh(atanh(r) -+ 1.96 s), with s^2 = (1 + rho^2 / 2) / (n -
 *            3), and 0.437 / (n - 4) for tau (Fieller, Hartley, Pearson, 1957;
 *            Bonett and Wright, Psychometrika 65, 2000); unknown at -1 and +1,
 *            and of 3 things (of tau 4)
 *
 * The things are the sample: the interval says how far other things would move
 * r, in so far as they are like these.  What noise x has is in r already, which
 * it pulls towards 0; to draw x anew would shuffle the ranks a second time and
 * pull r once more: an interval around something else.
 */
#pragma once

#include "harness/stats/stats.h"

enum { RANK_EXACT = 9 };

struct rank_correlation {
    double r, p;
    struct interval between;
}; /* NAN: unknown */

/* Unknown if n < 3 or a side is constant. */
struct rank_correlation rank_spearman(const double *x, const double *y,
                                      size_t n);
struct rank_correlation rank_kendall(const double *x, const double *y,
                                     size_t n);
