/*
 * strip: parts of a grid that fit a width: the first column and some of the
 * others.  Parts are cut between groups if possible.  The words of a list's
 * columns may be wrapped to save width.  The text and LaTeX formats use it.
 *
 *     for (int from = 1; from < g->columns; from = p.to) {
 *         p = strip_next(g, from, g->columns, 80);
 *         ...
 *     }
 */
#pragma once

#include "harness/print/sheet.h"

/* The first column and columns `from` to `to` - 1.  The functions below number
 * these columns k from 0. */
struct strip {
    const struct grid *g;
    int from, to, columns;
    int *width, *best; /* (columns), in g->memory; best: 1 if any cell is */
};

/* Returns the strip that begins at `from`: of the columns before `before` as
 * many whole groups as fit into `most` text columns, or as much of one group as
 * fits, but at least one column.  The left-aligned columns of a list are made
 * narrower for that, down to their longest word. */
struct strip strip_next(const struct grid *g, int from, int before, int most);

struct strip strip_whole(const struct grid *g); /* any width */

const struct grid_column *strip_column(const struct strip *p, int k);
const struct grid_cell   *strip_cell(const struct strip *p, int row, int k);

int strip_starts_group(const struct strip *p, int k);
int strip_gap(const struct strip *p, int k); /* blanks before column k */
int strip_group(const struct strip *p, int k); /* width of the group at k */
int strip_group_columns(const struct strip *p, int k); /* its columns     */
int strip_width(const struct strip *p);

int strip_has_groups(const struct strip *p); /* any group has a name     */
int strip_has_titles(const struct strip *p);
int strip_text(const char *s); /* width on a terminal */

/* Returns the number of bytes of s in its first line of `most` columns: whole
 * words, at least one, without the blanks after them. */
size_t strip_line(const char *s, int most);
