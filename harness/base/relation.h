/*
 * relation: a table of rows whose columns are described once: the name of a
 * column in JSON and CSV, its heading for people, its place in a row, and how
 * people read its values.  sheet_relation (print/sheet.h) prints a relation in
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
 *
 * relation_read and relation_read_rows read such rows back from the JSON with
 * the same columns (relation_read.c).
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
    /* COLUMN selects the types above; these need COLUMN_AS. */
    COLUMN_CHARS, /* char[]                                 */
    COLUMN_WORD,  /* const char *; "" is null, too          */
    COLUMN_ENUM,  /* int or enum: index in `words`          */
    COLUMN_BOOL,  /* int                                    */
    COLUMN_COUNT, /* size_t; 0 is null                      */
    COLUMN_WHOLE, /* double; an integer in JSON if it is one */
    /* The text that `show` returns, also in JSON and CSV. */
    COLUMN_SHOWN,
    COLUMN_REALS, /* double *: a list of numbers; NULL is an empty list */
    COLUMN_LIST   /* a pointer to rows of `list`, `size` bytes each  */
};

enum column_flag {
    /* Null is allowed: for a text; for an enum, as its first word; for a flag,
     * as -1. */
    COLUMN_NULLABLE = 1,
    /* Files from earlier versions lack the column: the row keeps its value, and
     * a real becomes NAN. */
    COLUMN_LATER = 2,
    COLUMN_SPARSE = 4,   /* left out of JSON if it is NULL, 0 or NAN        */
    /* The value follows from other columns and is not read. */
    COLUMN_DERIVED = 8
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
    /* The printf format of a number for people (an integer is a long long);
     * NULL: "%g" or "%lld". */
    const char      *form;
    /* The text for people if a real is NAN; NULL: "". */
    const char      *none;
    /* Returns the text for people instead, in the arena's memory or static;
     * NULL is "". */
    const char    *(*show)(const void *row, struct arena *a);
    const char *const *words; /* the words of a COLUMN_ENUM */
    int              left; /* 1: flush left for people, as a text */
    unsigned         flags;
    /* The range of an integer that is read; 0 to RELATION_MOST if both are
     * 0. */
    long long        least, most;
    size_t           count; /* offset of an int: the length of a list     */
    size_t           size;  /* bytes in a row of a COLUMN_LIST            */
    const struct column *list; /* the columns of such a row               */
};

/* A COLUMN_LIST: the member, the int that counts its rows, and their
 * columns. */
#define COLUMN_ROWS(row, member, n, columns)                                  \
    COLUMN_AS(COLUMN_LIST, row, member), .count = offsetof(row, n),           \
    .size = sizeof *((row *)0)->member, .list = columns

enum {
    RELATION_COLUMNS = 64,  /* the most columns of a relation           */
    /* The most rows and the largest integer that are read if a column has no
     * range. */
    RELATION_MOST = 1 << 24
};

struct relation {
    const char          *name;   /* the name of the list in JSON           */
    const struct column *column; /* ends with COLUMN_END                   */
    const void          *row;    /* the first one, or pointers to the rows */
    size_t               size;   /* bytes in a row; 0 if `row` has pointers */
    int                  rows;
};

/* Returns the i-th row. */
const void *relation_row(const struct relation *r, int i);

/* Returns a value as JSON.  Here and below, `show` gets its memory from the
 * arena. */
json_t *relation_value(const struct column *c, const void *row,
                       struct arena *a);

/* Returns a value as text for people; never NULL. */
const char *relation_text(const struct column *c, const void *row,
                          struct arena *a);

/* Returns 1 if the column is flush left for people. */
int relation_left(const struct column *c);

/* Returns an object of the columns of one row that have a name. */
json_t *relation_object(const struct column *c, const void *row,
                        struct arena *a);

/* Returns a list of such objects, one for each row. */
json_t *relation_json(const struct relation *r, struct arena *a);

/* Adds the columns that have a name to the object. */
void relation_put(json_t *object, const struct column *c, const void *row,
                  struct arena *a);

/* Makes the values of a row valid in every format: texts are UTF-8 without
 * control characters, and numbers have 15 significant digits, or are NAN if
 * they are not finite. */
void relation_clean(const struct column *c, void *row, struct arena *a);
void relation_clean_text(const char **text, struct arena *a);

/* ---- reading (relation_read.c) ---- */

/* A reader of a file that is not trusted.  After the first error it continues
 * with 0, NAN and "", and keeps the message of that error. */
struct relation_reader {
    const char   *path;
    const char   *writer; /* the command that writes such files            */
    struct arena *memory; /* owns the rows that are read                   */
    void         *context; /* belongs to the caller's checks               */
    char          at[96]; /* current position: "rows[3].cells[2]."         */
    int           rc;     /* OK, or ERR_STORE after an error               */
};

/* Checks a row, whose JSON object is `from`, after its columns are read. */
typedef void relation_check(struct relation_reader *r, json_t *from, void *row);

/* Records "FILE: rows[3].KEY: expected ..., as written by `...`", if it is the
 * first error. */
void relation_wrong(struct relation_reader *r, const char *key,
                    const char *expected);

/* Reads the columns that have a name into a row that is all zeros. */
void relation_read(struct relation_reader *r, json_t *from,
                   const struct column *c, void *row);

/* Reads a list of at most `most` objects and calls `check` for each row, unless
 * it is NULL.  Returns *n rows of `size` bytes, followed by one of zeros; never
 * NULL. */
void *relation_read_rows(struct relation_reader *r, json_t *from,
                         const char *key, int most, int *n,
                         const struct column *c, size_t size,
                         relation_check *check);

/* Reads a list of texts, which ends with NULL.  A missing list is an empty
 * one. */
const char **relation_read_texts(struct relation_reader *r, json_t *from,
                                 const char *key);
