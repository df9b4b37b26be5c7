/*
 * chart: draws a picture of lines in one or two panels side by side, with
 * their names at the right, instead of a legend.  The figures curves,
 * logit_change, budget, gap and length call chart_end.
 *
 * The data begins with the rows of the dots, if there are any.  Each line has a
 * block of rows for each panel (picture_block), from which it is drawn; other
 * rows can be before and between these blocks.  If the panel has bands, the
 * line is drawn in its band.
 *
 * Each name is as near to the right end of its line in panel[0] as the other
 * names allow, and a thin line connects the name to this end.
 */
#pragma once

#include "harness/report/report.h"
#include "plots/picture.h"
#include "plots/reference_lines.h"
#include "plots/style.h"

enum { CHART_PANELS = 2, CHART_NO_BLOCK = 1000000 };

/* Marks of the rows before the first block, which have a line's name in the
 * first column: small dots, or the line's mark. */
enum chart_dots { CHART_NONE, CHART_DOTS, CHART_MARKS };

struct chart_panel {
    const char *title, *x_title, *y_title;
    double      left, right;        /* edges, in fractions of the picture   */
    double      least, most;        /* limits of x                          */
    double      low, high;          /* limits of y                          */
    int         log_x, log_y;       /* 1: logarithmic                       */
    int         ticks;              /* 1: x has the ticks of the chart      */
    int         levels;             /* 1: shows the reference lines         */
    int         cut;                /* 1: says that values above `high` are cut
                                       off                                  */
    int         x, y, band;         /* columns of the data, from 1; the band is
                                       in `band` and the column after it; 0: no
                                       band                                 */
    int         every;              /* 1 of `every` points of a line has a
                                       mark; 0: no marks                    */
};

struct chart_line {
    const char   *name, *value;     /* value: text after the name           */
    struct style  look;
    double        end;              /* last y in panel[0], to which the name is
                                       connected; if it is outside low..high,
                                       the nearest limit is used.  If it is not
                                       finite, the name is not connected, and is
                                       at the bottom for -INFINITY, else at the
                                       top                                  */
    int           block[CHART_PANELS]; /* index of its block (picture_block),
                                          or CHART_NO_BLOCK                 */
};

struct chart {
    const char *title, *subtitle;
    const char *order;              /* above the names                      */
    const char *note, *beyond;      /* at the bottom; beyond: text before the
                                       reference lines beyond the axis      */
    int         zero;               /* 1: marks y = 0                       */
    enum chart_dots dots;
    int         panels, n, ticks;
    struct chart_panel panel[CHART_PANELS];
    struct chart_line *line;        /* [n] */
    const double *tick;             /* [ticks]                              */
    struct reference_lines levels;
};

/* Extends the limits of y in the panel by a twentieth on each side, at least by
 * `least`; without values, the limits are 0 and 1. */
void chart_pad(struct chart_panel *panel, double least);

/* Divides `low` and multiplies `high`, the limits of a logarithmic axis, by
 * `factor`.  Without values (low > high), they are first set to 1 and 10. */
void chart_pad_log(double *low, double *high, double factor);

/* Sorts the lines, the lowest `end` first, and draws the picture, for which all
 * data must have been written.  Returns the errors of picture_end. */
int chart_end(struct picture *p, struct chart *c, const struct report *r);
