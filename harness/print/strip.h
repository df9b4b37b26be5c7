/*
 * strip: splits a wide grid into strips that fit a width.  A strip has the
 * grid's first column and some of the other columns.  Grids are split between
 * groups of columns if possible.  In a list (sheet_listing), text can be
 * wrapped to save width.  The formats `text` and `tex` call it.
 *
 *     for (int from = 1; from < g->columns; from = p.to) {
 *         p = strip_next(g, from, g->columns, 80);
 *         ...
 *     }
 */
#pragma once

#include "harness/print/sheet.h"

/* The first column of a grid and its columns `from` to `to` - 1.  In the
 * functions below, k is the index of a column in the strip, from 0. */
struct strip {
    const struct grid *g;
    int from, to, columns;
    int *width, *best; /* [columns], in g->memory; best: 1 if any cell of the
                          column is best */
};

/* Returns the strip that begins at column `from` and ends before column
 * `before` or earlier.  It has as many whole groups as fit into a width of
 * `most` characters, or as much of the first group as fits, but at least one
 * column.  To fit, the left-aligned columns of a list are made narrower, but
 * not narrower than their longest word.  The last column may be as narrow as 24
 * characters even if it has longer words.  A grid with a single column is one
 * strip, as wide as needed. */
struct strip strip_next(const struct grid *g, int from, int before, int most);

const struct grid_column *strip_column(const struct strip *p, int k);
const struct grid_cell   *strip_cell(const struct strip *p, int row, int k);

/* Returns 1 if column k is the first column of a group. */
int strip_starts_group(const struct strip *p, int k);
int strip_gap(const struct strip *p, int k); /* blanks before column k */
/* strip_group returns the width of the group that begins at column k;
 * strip_group_columns returns its number of columns. */
int strip_group(const struct strip *p, int k);
int strip_group_columns(const struct strip *p, int k);
int strip_width(const struct strip *p); /* of all columns, with gaps */

/* strip_has_groups returns 1 if any column has a group; strip_has_titles
 * returns 1 if any column has a title. */
int strip_has_groups(const struct strip *p);
int strip_has_titles(const struct strip *p);
int strip_text(const char *s); /* returns the width of s on a terminal */

/* Returns the length in bytes of the first line if s is wrapped at a width of
 * `most` characters.  The line has whole words, at least one, and no trailing
 * blanks. */
size_t strip_line(const char *s, int most);
