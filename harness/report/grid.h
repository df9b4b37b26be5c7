/* grid: a rectangle of text with headings, for people to read. */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include <stdio.h>

struct grid_column {
    const char *group;   /* heading over neighbours that share it; "": none */
    const char *title;
    const char *unit;    /* "": none                                        */
    int         left;    /* 1: set flush left                               */
};

struct grid_cell { const char *text; int best; }; /* UTF-8 */

struct grid {
    int rows, columns;
    int rule;                   /* a line before this row; 0 or rows: none  */
    struct grid_column *column;
    struct grid_cell   *cell;   /* (rows,columns)                           */
    int *with;                  /* (columns) 1: never parted from the column
                                   before; NULL: any may be                 */
};

/* Aligned by display width; `*` behind the best.  A grid of over 120 columns
 * of text is parted, between groups where it can be, and the first column
 * stands before each part. */
void grid_text(const struct grid *g, FILE *out);

/* A pipe table; the best in bold. */
void grid_markdown(const struct grid *g, FILE *out);

#endif
