/*
 * relation: a table of rows whose columns are described once: what a column is
 * called in JSON and CSV, what it is called for people, where a row has it,
 * and how people read it.  sheet_relation (print/sheet.h) prints a relation in
 * every format.
 *
 *     struct pair { const char *task; double difference; int seeds; };
 *     static const struct column columns[] = {
 *         {"task", "task", COLUMN(struct pair, task)},
 *         {"difference", "A - B", COLUMN(struct pair, difference), "%+.4g"},
 *         {"seeds", NULL, COLUMN(struct pair, seeds)}, // for programs only
 *         {.type = COLUMN_END}};
 *     sheet_relation(s, &(struct relation){"rows", columns, pair,
 *                                          sizeof *pair, pairs});
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/json.h"

#include <stddef.h>

enum column_type {
    COLUMN_END,  /* ends a list of columns                  */
    COLUMN_TEXT, /* const char *; NULL is null              */
    COLUMN_INT,  /* int                                     */
    COLUMN_LONG, /* long long                               */
    COLUMN_SIZE, /* size_t                                  */
    COLUMN_REAL, /* double; null if it is not finite        */
    COLUMN_JSON, /* json_t *; NULL is null; for programs only */
    /* The macro COLUMN finds those above; these need COLUMN_AS. */
    COLUMN_CHARS, /* char[]                                 */
    COLUMN_WORD,  /* const char *; "" is null, too          */
    COLUMN_ENUM,  /* int or enum: its word in `words`       */
    COLUMN_BOOL,  /* int                                    */
    COLUMN_COUNT, /* size_t; 0 is null                      */
    COLUMN_WHOLE, /* double; an integer in JSON if it is one */
    COLUMN_SHOWN  /* the text that `show` returns, in JSON and CSV, too */
};

/* The type and the place of a member of a row. */
#define COLUMN_AS(of, row, member) .type = of, .at = offsetof(row, member)
#define COLUMN(row, member)                                                   \
    COLUMN_AS(_Generic(&((row *)0)->member, const char **: COLUMN_TEXT,       \
                       const char *const *: COLUMN_TEXT, char **: COLUMN_TEXT, \
                       int *: COLUMN_INT, long long *: COLUMN_LONG,           \
                       size_t *: COLUMN_SIZE, double *: COLUMN_REAL,          \
                       json_t **: COLUMN_JSON),                               \
              row, member)

struct column {
    const char      *name; /* in JSON and CSV; NULL: for people only          */
    const char      *head; /* the heading for people; NULL: for programs only */
    enum column_type type;
    size_t           at;   /* offset in the row                               */
    const char      *form; /* how people see a number, for printf (an integer as
                              a long long); NULL: "%g" or "%lld"              */
    const char      *none; /* what people see of a real that is NAN; NULL: "" */
    /* What people see instead, in the arena's memory or static; NULL is "". */
    const char    *(*show)(const void *row, struct arena *a);
    const char *const *words; /* what the values of a COLUMN_ENUM are called */
    int              left; /* 1: people see it flush left, as a text */
};

enum { RELATION_COLUMNS = 64 }; /* the most of a relation */

struct relation {
    const char          *name;   /* what JSON calls the list               */
    const struct column *column; /* ends with COLUMN_END                   */
    const void          *row;    /* the first one, or pointers to the rows */
    size_t               size;   /* bytes in a row; 0 if `row` has pointers */
    int                  rows;
};

const void *relation_row(const struct relation *r, int i);

/* Returns a value as JSON.  Here and below, `show` gets its memory from the
 * arena. */
json_t *relation_value(const struct column *c, const void *row,
                       struct arena *a);

/* Returns a value as people read it; never NULL. */
const char *relation_text(const struct column *c, const void *row,
                          struct arena *a);

/* Returns 1 if people see the column flush left. */
int relation_left(const struct column *c);

/* Returns an object of the columns of one row that have a name. */
json_t *relation_object(const struct column *c, const void *row,
                        struct arena *a);

/* Returns a list of such objects, one for each row. */
json_t *relation_json(const struct relation *r, struct arena *a);
