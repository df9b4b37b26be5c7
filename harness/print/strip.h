/*
 * strip: a grid cut into parts that fit: the first column and some others,
 * which stand side by side.  Cut is between groups where it can be.
 * The words of a list's columns may take lines of their own, to save columns.
 *
 *     for (int from = 1; from < g->columns; from = p.to) {
 *         p = strip_next(g, from, g->columns, 80);
 *         ...
 *     }
 */
#pragma once

#include "harness/print/sheet.h"

/* Columns `from` to before `to` behind the first one; what follows numbers
 * them from 0. */
struct strip {
    const struct grid *g;
    int from, to, columns;
    int *width, *best; /* (columns), in g->memory; best: 1 where a cell is */
};

/* The strip that begins at `from`: of the columns before `before` as many whole
 * groups as fit into `most` columns of text, or what fits of one group; one in
 * any case.  What is
 * left of a list's columns is made narrower for that, to its longest word. */
struct strip strip_next(const struct grid *g, int from, int before, int most);

struct strip strip_whole(const struct grid *g); /* however wide it is */

const struct grid_column *strip_column(const struct strip *p, int k);
const struct grid_cell   *strip_cell(const struct strip *p, int row, int k);

int strip_starts_group(const struct strip *p, int k);
int strip_gap(const struct strip *p, int k); /* blanks before column k */
int strip_group(const struct strip *p, int k); /* how wide the group at k is */
int strip_group_columns(const struct strip *p, int k); /* and of how many */
int strip_width(const struct strip *p);

int strip_has_groups(const struct strip *p); /* names of groups to show  */
int strip_has_titles(const struct strip *p);
int strip_text(const char *s); /* how wide a text is on a terminal */

/* Bytes of s that stand in its first line of so many columns: whole words, one
 * in any case; blanks behind them are not of it. */
size_t strip_line(const char *s, int most);
