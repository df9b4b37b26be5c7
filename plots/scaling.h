/* scaling: draws the time of a training step against length, width or threads,
 * with one line for each variant.  Marks show where, between measured points, a
 * variant is as fast as the first variant.  They also show the greatest length
 * or width at which a variant has no more parameters than dot-product
 * attention.  `synthbench bench` calls scaling_plot. */
#pragma once

#include "harness/stats/fit.h"

enum { SCALING_POINTS = 16, SCALING_SERIES = 8 };

struct scaling_series {
    const char *name;
    double      y[SCALING_POINTS];  /* ms per step, minimum over repeats   */
    struct power power;             /* y ~ x^power.p                       */
    int         noisy;              /* 1: too noisy for an exponent        */
    int         bends;              /* 1: not a power law                  */
    struct interval local;          /* range of the exponents between adjacent
                                       points                              */
    double      even;               /* greatest x at which the variant has no
                                       more parameters than dot-product
                                       attention; NAN: no such x           */
};

struct scaling {
    const char *axis;               /* "length N"                          */
    int         points, n;
    double      x[SCALING_POINTS];
    struct scaling_series series[SCALING_SERIES];
};

/* Writes FOLDER/scaling_NAME.tsv, .txt, .gp, .png, .svg and .pdf.  Returns
 * ERR_IO or ERR_SPACE if they cannot be written. */
int scaling_plot(const struct scaling *s, const char *folder,
                 const char *name);
