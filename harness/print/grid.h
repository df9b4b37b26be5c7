/* grid: a rectangle of text with headings, for people to read. */
#ifndef PRINT_GRID_H
#define PRINT_GRID_H

#include "harness/base/arena.h"

struct grid_column {
    const char *group;   /* heading over neighbours that share it; "": none */
    const char *title;
    const char *unit;    /* "": none                                        */
    int         left;    /* 1: set flush left                               */
    int         with;    /* 1: never parted from the column before          */
};

struct grid_cell { const char *text; int best; }; /* UTF-8 */

struct grid {
    struct arena *memory;  /* owns all but the cells                        */
    int           columns, cells;
    size_t        room;
    int           rule;    /* a line before this row; 0 or rows: none       */
    int           listing; /* 1: no line below the head; never parted       */
    struct grid_column *column;
    struct grid_cell   *cell; /* row by row; the sheet frees them           */
};

/* Empty, with a copy of `column`. */
struct grid *grid_new(struct arena *a, const struct grid_column *column,
                      int columns);

/* The next cell, row by row; what would steer a terminal is '?'. */
void grid_add(struct grid *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void grid_best(struct grid *g); /* marks the last one */

int                     grid_rows(const struct grid *g);
const struct grid_cell *grid_at(const struct grid *g, int row, int column);

/* "1.23M" of 1234567, three significant digits, K M B T; with a unit "1.23 MB",
 * k M G T P. */
const char *grid_count(double x, const char *unit, char out[32]);

#endif
