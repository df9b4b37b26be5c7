/*
 * pareto_steps: draws the Pareto fronts of a panel as stepped lines.  Each set
 * of comparable points has a front.  If there are several sets, each has its
 * own dash, and a key names the rows that belong to it.
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
    double             worst;  /* y of the worst quality: 0 or 1      */
};

/* Returns the number of lines of the key if it reaches from `left`, a fraction
 * of the picture, to the right edge of the picture; 0 if there is one set. */
int pareto_lines(const struct pareto *s, double left, struct arena *a);

/* Sets gnuplot variables: `front`, the commands that draw the fronts when they
 * are `eval`ed; `sets`, the number of sets in the key; and for set I of the
 * key setI (its name), set_xI, set_yI, stairI (its dash) and stair_hueI.
 * left, top, line: left edge and first line of the key and the height of a
 * line, in fractions of the picture. */
struct pareto_key { double left, top, line; };
void pareto_put(struct picture *p, const struct pareto *s,
                const struct pareto_key *key, struct arena *a);
