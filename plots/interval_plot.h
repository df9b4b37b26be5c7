/*
 * interval_plot: draws values with their intervals next to the ranges that are
 * claimed for them, a line for each value, in panels with an axis of their
 * own.  The claims module calls it for each claim.
 */
#pragma once

#include "harness/stats/stats.h"
#include "plots/output.h"

struct interval_line {
    const char *of, *measure;     /* case "k < d", measure "inner"; of "":
                                     every case                            */
    const char *name;             /* of both, in the picture               */
    double      value;
    struct interval between;      /* NAN: none                             */
    struct interval claimed;      /* infinite: no bound; NAN: no claim     */
    const char *verdict;          /* "holds", "fails", "undecided"; "": no
                                     claim                                 */
    const char *measured, *claim; /* the value and the claim, in words     */
};

struct interval_panel {
    const char *const       *title; /* lines; end with NULL      */
    double                   unit;  /* of the axis: 1e6 for millions */
    int                      n;
    const struct interval_line *line;
};

struct interval_plot {
    const char *title, *verdict; /* text above all panels */
    int         panels;
    const struct interval_panel *panel;
};

/* Returns 1 if the axis of the panel is logarithmic: if a claimed bound is
 * less than 1/50 of the greatest value, so that a linear axis would not show
 * it, and no value or interval is negative. */
int interval_logarithmic(const struct interval_panel *p);

/* Writes NAME.tsv, .txt, .gp and the pictures.  Returns ERR_IO or ERR_SPACE if
 * they cannot be written. */
int interval_plot(const struct interval_plot *r, const struct output *to,
                  const char *name);
