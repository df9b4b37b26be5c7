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
};

/* Aligned by display width; `*` behind the best. */
void grid_text(const struct grid *g, FILE *out);

/* A pipe table; the best in bold. */
void grid_markdown(const struct grid *g, FILE *out);

#endif
