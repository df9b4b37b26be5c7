/*
 * sheet: holds the output of a command before it is formatted, and prints it.
 * Formats for people print the sheet's parts, in their order; CSV prints its
 * records, and JSON its object.  A format is one file with one writer, which
 * depends only on sheets, and a row in print/list.h; so every command that
 * fills a sheet supports every format.
 *
 * Text in a sheet is unescaped, as read from stores, baselines or JSON.  Each
 * writer escapes all of it for its own language, and no other code does.  The
 * functions that add text replace only control characters (str_harmless), which
 * would divide a line or steer a terminal in any language.
 *
 *     struct sheet *s = sheet_new();
 *     sheet_put(s, PART_TITLE, "Table %s", name);
 *     sheet_relation(s, &(struct relation){"rows", columns, row, sizeof *row,
 *                                          rows});
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
    const char *group;   /* heading above adjacent columns with the same
                            group; "": none                                 */
    const char *title;
    const char *unit;    /* "": none                                        */
    int         left;    /* 1: flush left                                   */
    int         with;    /* 1: if the grid is split, stays next to the previous
                            column                                          */
};

struct grid_cell {
    const char *text; /* UTF-8                                            */
    int         best; /* 1: marked as best (grid_best)                    */
    const char *of;   /* the row of a store ("vanilla"), or the row and task
                         ("vanilla/lm1b"), whose value the cell shows; NULL:
                         not given                                        */
};

struct grid {
    struct arena *memory;  /* owns all but the cells                        */
    int           columns, cells;
    size_t        room;
    int           rule;    /* the row before which a line is drawn; 0 or the
                              number of rows: no line                       */
    int           listing; /* 1: a list, no line below the head             */
    struct grid_column *column;
    struct grid_cell   *cell; /* row by row; the sheet frees them           */
};

/* Adds the next cell; cells are added row by row.  Each tab in `fmt` begins
 * another cell, so a conversion before a tab must not itself print a tab. */
void grid_add(struct grid *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a cell with x in the format `form`, or the text `none` if x is NAN. */
void grid_number(struct grid *g, const char *form, double x, const char *none);
void grid_best(struct grid *g); /* marks the last cell as best */
/* Sets `of` of the last cell to VARIANT/TASK, or to VARIANT if task is NULL. */
void grid_whose(struct grid *g, const char *variant, const char *task);

int                     grid_rows(const struct grid *g);
const struct grid_cell *grid_at(const struct grid *g, int row, int column);

/* Formats a number with three significant digits: 1234567 as "1.23M" (prefixes
 * K, M, B, T) or, with the unit "B", as "1.23 MB" (k, M, G, T, P). */
const char *grid_count(double x, const char *unit, char out[32]);
/* Formats a number with all its digits: "222,903,552"; "-" if it is NAN. */
const char *grid_digits(double x, char out[32]);

/* ---- the sheet ---- */

enum part_kind {
    PART_TITLE, PART_HEADING, PART_WARNING, PART_PARAGRAPH,
    PART_ITEM, /* an item of a list                                     */
    PART_BEST, /* an item that explains the mark of grid_best           */
    PART_LINE, /* not wrapped                                           */
    PART_CODE, /* not wrapped; to be copied                             */
    PART_GAP,  /* a blank line, unless there is one; has no text        */
    PART_GRID
};

struct part {
    enum part_kind kind;
    const char    *text; /* UTF-8                */
    struct grid   *grid; /* only for PART_GRID   */
};

struct sheet {
    struct arena  *memory;  /* owns all except records and object          */
    int            parts;
    size_t         room;
    struct part   *part;
    json_t        *records; /* flat objects, all with the same keys; NULL: no
                               CSV                                         */
    json_t        *object;  /* NULL: no JSON                               */
    int            schema;  /* schema_version of the object; default 1     */
    int            width;   /* text: maximum columns; 0: 80 for grids and
                               prose, unlimited for lists                 */
    int            ascii;   /* 1: the text format writes arrows as ^ and v */
};

struct sheet *sheet_new(void);
void          sheet_close(struct sheet *s); /* NULL is fine */
OWNER(sheet_close, struct sheet *)

/* Appends a part of any kind but PART_GRID, with its text. */
void sheet_put(struct sheet *s, enum part_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends an empty grid with a copy of `column` as the next part. */
struct grid *sheet_grid(struct sheet *s, const struct grid_column *column,
                        int columns);

/* Appends a list.  align: '<' or '>' for each column.  titles: the head of each
 * column, ending with NULL; if titles itself is NULL, the list has no head. */
struct grid *sheet_listing(struct sheet *s, const char *align,
                           const char *const *titles);

/* Adds the rows of a relation (base/relation.h) to the object, under the
 * relation's name.  If the sheet has no records yet, the rows also become its
 * records.  Then adds a grid of those columns that have a head, and returns the
 * grid, which is a list if no column has a group.  If there are no rows or no
 * heads, adds no grid and returns NULL. */
struct grid *sheet_relation(struct sheet *s, const struct relation *r);

/* Adds the grid that sheet_relation would add, and nothing else. */
struct grid *sheet_grid_of(struct sheet *s, const struct relation *r);

/* Sets a member of the object.  The sheet then owns `value`. */
void sheet_fact(struct sheet *s, const char *name, json_t *value);

/* Sets a member of the object to a list of texts, which ends with NULL. */
void sheet_texts(struct sheet *s, const char *name, const char *const *text);

struct format {
    const char *name;
    void (*write)(const struct sheet *s, FILE *out);
};

extern const struct format *const format_all[]; /* ends with NULL */
extern const char *const          format_names[]; /* ends with NULL */
/* A format that is not in these lists, and prints only the first part that has
 * text. */
#define SHEET_VERDICT "verdict"

enum { SHEET_NARROW = 40, SHEET_WIDE = 10000 }; /* range of `width` */

/* Writes the sheet in a format of list.h; an unknown format is a programming
 * error. */
void sheet_write(const struct sheet *s, const char *format, FILE *out);

/* Writes the sheet to the file `path`, completely or not at all, or to stdout
 * if `path` is NULL.  The text format on stdout uses only characters of the
 * locale and, on a terminal, is as wide as the terminal unless the sheet has a
 * width.  Returns ERR_IO if the sheet cannot be written, or ERR_USAGE if `path`
 * cannot be a file. */
int sheet_print(const struct sheet *s, const char *format, const char *path);
