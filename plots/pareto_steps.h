/*
 * pareto_steps: Pareto's fronts of a panel, one for each set of points that
 * can be held against each other.  Where there are several sets, each has a
 * dash, and a key says which rows it is of.
 */
#pragma once

#include "plots/picture.h"

struct arena;

struct pareto {
    int                n;      /* points                              */
    const double      *x, *y;  /* parts of the panel                  */
    const int         *set;    /* from 0                              */
    const int         *front;  /* 1: on that of its set               */
    const char *const *row;    /* whose point it is: "random,N=32"    */
    int                better; /* of x: +1, -1                        */
    double             worst;  /* y of the worst there is: 0, 1       */
};

/* How many lines the key takes from `left` to the picture's right edge, in
 * parts of it; one set needs none. */
int pareto_lines(const struct pareto *s, double left, struct arena *a);

/* Sets `front`, to be `eval`ed, and of each set in the key setI, set_xI,
 * set_yI, stairI, its dash, and stair_hueI; `sets` of them.  top: of the
 * key's first line; line: its height, parts of the picture. */
struct pareto_key { double left, top, line; };
void pareto_put(struct picture *p, const struct pareto *s,
                const struct pareto_key *key, struct arena *a);
