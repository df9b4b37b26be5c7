/*
 * sheet: the output of a command, before it has a format.  People read its
 * parts, in their order; programs read its records (CSV) or its object (JSON).
 * A format is one file with one writer, which depends only on sheets, and a row
 * in print/list.h; so whatever fills a sheet supports every format.
 *
 * Text in a sheet is unescaped, as read from stores, baselines or JSON.  Each
 * writer escapes all of it for its own language, and no other code does.
 *
 *     struct sheet *s = sheet_new();
 *     sheet_put(s, PART_TITLE, "Table %s", name);
 *     struct grid *g = sheet_listing(s, "<>", head);
 *     grid_add(g, "%s", task);
 *     grid_add(g, "%d", cells);
 *     s->object = json_pack("{s:o}", "rows", rows);
 *     rc = sheet_print(s, "text", NULL);
 *     sheet_close(s);
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/base/relation.h"

#include <stdio.h>

/* ---- grid: a rectangle of text with headings (grid.c) ---- */

struct grid_column {
    const char *group;   /* heading over neighbours that share it; "": none */
    const char *title;
    const char *unit;    /* "": none                                        */
    int         left;    /* 1: flush left                                   */
    int         with;    /* 1: stays with the previous column               */
};

struct grid_cell {
    const char *text; /* UTF-8                                            */
    int         best;
    const char *of;   /* the row of a store, "vanilla", or row and task,
                         "vanilla/lm1b", that it belongs to; NULL: not given */
};

struct grid {
    struct arena *memory;  /* owns all but the cells                        */
    int           columns, cells;
    size_t        room;
    int           rule;    /* a line before this row; 0 or rows: none       */
    int           listing; /* 1: a list, no line below the head             */
    struct grid_column *column;
    struct grid_cell   *cell; /* row by row; the sheet frees them           */
};

/* Adds the next cell, row by row.  Each tab in fmt begins another cell; a
 * conversion before it must not print a tab. */
void grid_add(struct grid *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a cell with a number in this format, or `none` if x is NAN. */
void grid_number(struct grid *g, const char *form, double x, const char *none);
void grid_best(struct grid *g); /* marks the last cell */
/* Sets `of` of the last cell; task: NULL if it is not a number. */
void grid_whose(struct grid *g, const char *variant, const char *task);

int                     grid_rows(const struct grid *g);
const struct grid_cell *grid_at(const struct grid *g, int row, int column);

/* Formats 1234567 as "1.23M", with three significant digits and K M B T; with a
 * unit as "1.23 MB", with k M G T P. */
const char *grid_count(double x, const char *unit, char out[32]);

/* ---- the sheet ---- */

enum part_kind {
    PART_TITLE, PART_HEADING, PART_WARNING, PART_PARAGRAPH,
    PART_ITEM, /* an item of a list                                     */
    PART_BEST, /* an item that explains the mark of grid_best           */
    PART_LINE, /* not wrapped                                           */
    PART_CODE, /* not wrapped; to be copied                             */
    PART_FULL, /* PART_CODE, but not in text and Markdown               */
    PART_GAP,  /* a blank line unless there is one; no text             */
    PART_GRID
};

struct part {
    enum part_kind kind;
    const char    *text; /* UTF-8                */
    struct grid   *grid; /* of PART_GRID         */
};

struct sheet {
    struct arena  *memory;  /* owns all but the JSON                       */
    int            parts;
    size_t         room;
    struct part   *part;
    json_t        *records; /* flat objects, all with the same keys; NULL: no
                               CSV                                         */
    json_t        *object;  /* NULL: no JSON                               */
    int            schema;  /* schema_version of the object; default 1     */
    int            width;   /* text: maximum columns of grids and prose; 0: 80,
                               and lists unlimited                        */
    int            ascii;   /* text: 1: arrows are written ^ and v         */
};

struct sheet *sheet_new(void);
void          sheet_close(struct sheet *s); /* NULL is fine */
OWNER(sheet_close, struct sheet *)

void sheet_put(struct sheet *s, enum part_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends an empty grid with a copy of `column` as the next part. */
struct grid *sheet_grid(struct sheet *s, const struct grid_column *column,
                        int columns);

/* Appends a list.  align: '<' or '>' for each column.  titles ends with NULL,
 * or is NULL: no head. */
struct grid *sheet_listing(struct sheet *s, const char *align,
                           const char *const *titles);

/* Adds the rows to the object under the name of the relation, makes them the
 * records if there are none, and adds a grid of the columns with a head, which
 * it returns; without rows or heads there is no grid, and it returns NULL. */
struct grid *sheet_relation(struct sheet *s, const struct relation *r);

/* Adds only the grid. */
struct grid *sheet_grid_of(struct sheet *s, const struct relation *r);

/* Sets a member of the object and takes the reference to the value. */
void sheet_fact(struct sheet *s, const char *name, json_t *value);

struct format {
    const char *name;
    void (*write)(const struct sheet *s, FILE *out);
};

extern const struct format *const format_all[]; /* ends with NULL */
extern const char *const          format_names[]; /* likewise     */

enum { SHEET_NARROW = 40, SHEET_WIDE = 10000 }; /* range of `width` */

/* Writes the sheet in a format of list.h; an unknown format is a programming
 * error. */
void sheet_write(const struct sheet *s, const char *format, FILE *out);

/* Writes the sheet to a file, completely or not at all, or to stdout if path is
 * NULL.  Text on stdout uses only characters of the locale and, on a terminal,
 * is as wide as the terminal unless the sheet has a width.  Returns ERR_IO if
 * it cannot be written, or ERR_USAGE if the path cannot be a file. */
int sheet_print(const struct sheet *s, const char *format, const char *path);
