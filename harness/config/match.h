/*
 * match: which cells the overrides and exclusions of an experiment mean.
 *
 * A match is a box in the grid of the cells: along each axis some places, or
 * all.  Walking through the boxes costs what they hold, not their number times
 * that of the cells.
 */
#ifndef CONFIG_MATCH_H
#define CONFIG_MATCH_H

#include "harness/config/experiment.h"

enum { MATCH_MAX = 10000000 }; /* cells in all boxes together */

struct match_hit { int override, next; }; /* next: another hit, or -1 */

struct match {
    char             *excluded; /* one a cell                               */
    int              *first;    /* hit of each cell, or -1; in file's order */
    struct match_hit *hit;
};

/* Cells are numbered as the axes say, the last one fastest.  Memory is a's.
 * ERR_USAGE: more than MATCH_MAX. */
int match_cells(struct match *out, const struct experiment *e,
                const struct values axis[AXES], int cells, struct arena *a);

#endif
