/*
 * interval_plot: numbers, each beside the range that it is claimed to be in: a
 * line a number, with its interval; panels below each other, an axis each.
 */
#pragma once

#include "harness/stats/stats.h"
#include "plots/output.h"

struct interval_line {
    const char *of, *measure;     /* "k < d", "inner"; of "": always       */
    const char *name;             /* that the picture has for both         */
    double      value;
    struct interval between;      /* NAN: none                             */
    struct interval claimed;      /* infinite: no bound there; NAN: nothing
                                     is claimed                            */
    const char *verdict;          /* "holds", "fails", "undecided"; "": of
                                     no claim                              */
    const char *measured, *claim; /* both, in words                        */
};

struct interval_panel {
    const char *const       *title; /* lines; end with NULL      */
    double                   unit;  /* of its axis: 1e6, of millions */
    int                      n;
    const struct interval_line *line;
};

struct interval_plot {
    const char *title, *verdict; /* words above all of it */
    int         panels;
    const struct interval_panel *panel;
};

/* 1: more than a decade would not be seen on an axis that is not logarithmic:
 * a bound is tiny beside the greatest number, and none is negative. */
int interval_logarithmic(const struct interval_panel *p);

/* NAME.tsv, .txt, .gp and the pictures.  ERR_IO, ERR_SPACE. */
int interval_plot(const struct interval_plot *r, const struct output *to,
                  const char *name);
