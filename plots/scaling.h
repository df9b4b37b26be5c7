/* scaling: how the cost of a step grows, a line a variant; where each is as
 * fast as the first, between what was measured; and where the predicted
 * break-even of parameters with dot products lies. */
#pragma once

#include "harness/stats/fit.h"

enum { SCALING_POINTS = 16, SCALING_SERIES = 8 };

struct scaling_series {
    const char *name;
    double      y[SCALING_POINTS];  /* milliseconds a step, the least      */
    struct power power;             /* y ~ x^power.p                       */
    int         noisy;              /* 1: too much for an exponent         */
    int         bends;              /* 1: it is no power law               */
    struct interval local;          /* exponents between points, all told  */
    double      even;               /* x of the break-even; NAN: none      */
};

struct scaling {
    const char *axis;               /* "length N"                          */
    int         points, n;
    double      x[SCALING_POINTS];
    struct scaling_series series[SCALING_SERIES];
};

/* FOLDER/scaling_NAME.tsv, .gp, .png, .svg, .pdf.  ERR_IO, ERR_SPACE. */
int scaling_plot(const struct scaling *s, const char *folder,
                 const char *name);
