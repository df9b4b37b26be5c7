/* trend: what cells gave, commit by commit, a line a cell; where a line begins
 * to be another, a ring around the value, and the commit at the top. */
#pragma once

#include "plots/output.h"

struct trend_series {
    const char   *name;   /* of a row; "/" and a seed behind it           */
    const double *y;      /* one a commit; NAN: not measured              */
    const char   *change; /* one a commit; 1: it is another from here on  */
};

struct trend {
    const char  *title, *axis; /* "step_seconds, s"                        */
    int          commits, n;
    const char *const   *commit; /* short names, the oldest first          */
    struct trend_series *series;
};

/* FOLDER/NAME.tsv, .txt, .gp, .png, .svg, .pdf.  ERR_IO, ERR_SPACE. */
int trend_plot(const struct trend *t, const struct output *to,
               const char *name);
