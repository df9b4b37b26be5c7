/*
 * pareto_steps: draws the Pareto fronts of a panel as stepped lines.  Each set
 * of comparable points has one front.  If there are several sets, each front
 * has its own dash pattern, and a key (legend) names the rows of each set.
 * scatter.c calls pareto_put.
 */
#pragma once

#include "plots/picture.h"

struct arena;

struct pareto {
    int                n;      /* points                              */
    const double      *x, *y;  /* [n] fractions of the panel          */
    const int         *set;    /* [n] from 0                          */
    const int         *front;  /* [n] 1: on the front of its set      */
    const char *const *row;    /* [n] row of the point: "random,N=32" */
    int                better; /* +1: greater x is better; -1: less   */
    double             worst;  /* the y where quality is worst: 0 or 1 */
};

/* Returns the number of text lines of a key that extends from `left`, a
 * fraction of the picture, to the right edge of the picture.  Returns 0 if
 * there is only one set. */
int pareto_lines(const struct pareto *s, double left, struct arena *a);

/* Sets gnuplot variables: `front`, commands that draw the fronts when gnuplot
 * evaluates them (`eval`); `sets`, the number of sets in the key; and for each
 * set I of the key, setI (its name), set_xI and set_yI (its place), stairI (its
 * dash) and stair_hueI (its colour).  In struct pareto_key, `left`, `top` and
 * `line` are the left edge of the key, its first line and the height of a line,
 * in fractions of the picture. */
struct pareto_key { double left, top, line; };
void pareto_put(struct picture *p, const struct pareto *s,
                const struct pareto_key *key, struct arena *a);
