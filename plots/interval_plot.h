/*
 * interval_plot: draws measured values with their intervals next to the ranges
 * that a claim (docs/glossary.md) states for these values, with one line for
 * each value.  Each panel has its own axis.  `claims` calls interval_plot for
 * each claim.
 */
#pragma once

#include "harness/stats/stats.h"
#include "plots/easel.h"

struct interval_line {
    const char *of, *measure;     /* case ("k < d", or "" for every case) and
                                     measure ("inner")                     */
    const char *name;             /* label for case and measure            */
    double      value;
    struct interval between;      /* NAN: no interval                      */
    struct interval claimed;      /* an infinite end: no bound; NAN: nothing is
                                     claimed                               */
    const char *verdict;          /* "holds", "fails", "undecided"; "": nothing
                                     is claimed                            */
    const char *measured, *claim; /* the value and the claim, in words     */
};

struct interval_panel {
    const char *const       *title; /* lines, ending with NULL       */
    double                   unit;  /* unit of the axis: 1e6 for millions */
    int                      n;
    const struct interval_line *line;
};

struct interval_plot {
    const char *title, *verdict; /* text above all panels */
    int         panels;
    const struct interval_panel *panel;
};

/* Returns 1 if the axis of the panel is logarithmic.  This is so if no value or
 * interval is negative, and if a claimed bound is less than 1/50 of the
 * greatest value and would therefore be invisible on a linear axis. */
int interval_logarithmic(const struct interval_panel *p);

/* Writes NAME.tsv, .txt, .gp and the pictures.  Returns ERR_IO or ERR_SPACE if
 * they cannot be written. */
int interval_plot(const struct interval_plot *r, const struct output *to,
                  const char *name);
