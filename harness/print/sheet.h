/*
 * sheet: what a verb tells, before it has a form.  People read its parts, in
 * their order; programs its records (CSV) or its object (JSON).  A format is
 * one file with one writer, which knows sheets alone, and a row in
 * print/list.h; so whoever fills a sheet has every format.
 *
 * Text in a sheet is as it was read: from stores, baselines, JSON.  Each writer
 * escapes all of it for its own language, and no other code does.
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

/* ---- a rectangle of text with headings, for people to read (grid.c) ---- */

struct grid_column {
    const char *group;   /* heading over neighbours that share it; "": none */
    const char *title;
    const char *unit;    /* "": none                                        */
    int         left;    /* 1: set flush left                               */
    int         with;    /* 1: never parted from the column before          */
};

struct grid_cell {
    const char *text; /* UTF-8                                            */
    int         best;
    const char *of;   /* whose it is: a row of a store, "vanilla", or of one
                         of its tasks, "vanilla/lm1b"; NULL: not said      */
};

struct grid {
    struct arena *memory;  /* owns all but the cells                        */
    int           columns, cells;
    size_t        room;
    int           rule;    /* a line before this row; 0 or rows: none       */
    int           listing; /* 1: no line below the head; never parted       */
    struct grid_column *column;
    struct grid_cell   *cell; /* row by row; the sheet frees them           */
};

/* The next cell, row by row.  A tab of fmt begins one more: what stands before
 * it in fmt has none. */
void grid_add(struct grid *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* One of a number in that form; of NAN: none. */
void grid_number(struct grid *g, const char *form, double x, const char *none);
void grid_best(struct grid *g); /* marks the last one */
/* Says whose the last one is; task: NULL, it is no number. */
void grid_whose(struct grid *g, const char *variant, const char *task);

int                     grid_rows(const struct grid *g);
const struct grid_cell *grid_at(const struct grid *g, int row, int column);

/* "1.23M" of 1234567, three significant digits, K M B T; with a unit "1.23 MB",
 * k M G T P. */
const char *grid_count(double x, const char *unit, char out[32]);

/* ---- the sheet ---- */

enum part_kind {
    PART_TITLE, PART_HEADING, PART_WARNING, PART_PARAGRAPH,
    PART_ITEM, /* of a list                                             */
    PART_BEST, /* an item: what the mark of grid_best says              */
    PART_LINE, /* is not wrapped                                        */
    PART_CODE, /* nor is this, for others to copy                       */
    PART_FULL, /* that, where there is room: not in text and Markdown   */
    PART_GAP,  /* a blank line, where there is none of its own; no text */
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
    json_t        *records; /* a list of flat objects, all with the same
                               keys; NULL: it has no CSV                   */
    json_t        *object;  /* NULL: it has no JSON                        */
    int            schema;  /* schema_version of the object; 1, if not set */
    int            width;   /* of text: columns that grids and prose may take;
                               0: 80, and lists as wide as they are       */
    int            ascii;   /* 1: of text: arrows are spelt ^ and v        */
};

struct sheet *sheet_new(void);
void          sheet_close(struct sheet *s); /* NULL is fine */
OWNER(sheet_close, struct sheet *)

void sheet_put(struct sheet *s, enum part_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* An empty grid, with a copy of `column`, as the next part. */
struct grid *sheet_grid(struct sheet *s, const struct grid_column *column,
                        int columns);

/* Of one column a letter of `align`, '<' or '>'; titles ends with NULL, or is
 * NULL: it has no head. */
struct grid *sheet_listing(struct sheet *s, const char *align,
                           const char *const *titles);

/* Adds the rows to the object under the name of the relation, makes them the
 * records if there are none, and adds a grid of the columns with a head, which
 * it returns; without rows or heads there is no grid, and it returns NULL. */
struct grid *sheet_relation(struct sheet *s, const struct relation *r);

/* Adds the grid alone. */
struct grid *sheet_grid_of(struct sheet *s, const struct relation *r);

/* Sets a member of the object; takes the value. */
void sheet_fact(struct sheet *s, const char *name, json_t *value);

struct format {
    const char *name;
    void (*write)(const struct sheet *s, FILE *out);
};

extern const struct format *const format_all[]; /* ends with NULL */
extern const char *const          format_names[]; /* likewise     */

enum { SHEET_NARROW = 40, SHEET_WIDE = 10000 }; /* what `width` may be */

/* In a format of list.h, which must be there. */
void sheet_write(const struct sheet *s, const char *format, FILE *out);

/* The same into a file, whole or not at all; path NULL: to stdout, as wide as
 * the terminal that it is, where nothing else is said, and in letters that its
 * locale has.  ERR_IO: it cannot be written; ERR_USAGE: no file can be. */
int sheet_print(const struct sheet *s, const char *format, const char *path);
