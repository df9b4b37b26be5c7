/* trend: draws the values of cells against commits, relative to the first value
 * of each cell, with a small panel for each cell and the same axes in all
 * panels.  If the level of a line changes at a commit, a ring marks the value,
 * with the name of the commit.  `synthbench history plot` calls it. */
#pragma once

#include "plots/easel.h"

struct trend_series {
    const char   *name;   /* the row's name; can end with "/" and a seed  */
    const double *y;      /* [commits]; NAN: not measured                 */
    const char   *change; /* [commits]; 1: a new level starts here        */
};

struct trend {
    const char  *title, *axis; /* axis: "step_seconds, s"                  */
    int          commits, n;
    const char *const   *commit; /* short names, the oldest first          */
    struct trend_series *series;
};

/* Writes FOLDER/NAME.tsv, .txt, .gp and the pictures.  Returns ERR_IO or
 * ERR_SPACE if they cannot be written. */
int trend_plot(const struct trend *t, const struct output *to,
               const char *name);
