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
 *
 * The same columns read such rows back from the JSON (relation_read.c).
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
    COLUMN_SHOWN, /* the text that `show` returns, in JSON and CSV, too */
    COLUMN_REALS, /* double *: a list of numbers; NULL is left out   */
    COLUMN_LIST   /* a pointer to rows of `list`, `size` bytes each  */
};

enum column_flag {
    COLUMN_NULLABLE = 1, /* null is allowed: of a text; of an enum, for its
                            first word; of a flag, for -1                   */
    COLUMN_LATER = 2,    /* files of earlier versions lack it: the row keeps
                            its value, a real becomes NAN                   */
    COLUMN_SPARSE = 4,   /* left out of JSON if it is NULL, 0 or NAN        */
    COLUMN_DERIVED = 8   /* it follows from other columns and is not read   */
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
    unsigned         flags;
    long long        least, most; /* the range of an integer that is read;
                                     0 to RELATION_MOST if both are 0     */
    size_t           count; /* offset of an int, the length of the list   */
    size_t           size;  /* bytes in a row of a COLUMN_LIST            */
    const struct column *list; /* the columns of such a row               */
};

/* The columns of a list and where its rows are counted. */
#define COLUMN_ROWS(row, member, n, columns)                                  \
    COLUMN_AS(COLUMN_LIST, row, member), .count = offsetof(row, n),           \
    .size = sizeof *((row *)0)->member, .list = columns

enum {
    RELATION_COLUMNS = 64,  /* the most of a relation                   */
    RELATION_MOST = 1 << 24 /* the most rows, and the greatest integer, that
                               are read where a column says nothing else */
};

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

/* Adds the columns that have a name to the object. */
void relation_put(json_t *object, const struct column *c, const void *row,
                  struct arena *a);

/* Makes a row such that every format can hold it: texts are UTF-8 without
 * control characters; numbers have 15 significant digits, or are NAN where they
 * are not finite. */
void relation_clean(const struct column *c, void *row, struct arena *a);
void relation_clean_text(const char **text, struct arena *a);

/* ---- reading (relation_read.c) ---- */

/* What reads a file that is not trusted: it goes on behind the first mistake,
 * with 0, NAN and "", and keeps its message. */
struct relation_reader {
    const char   *path;
    const char   *writer; /* the command that writes such files            */
    struct arena *memory; /* owns what is read                             */
    void         *context; /* belongs to the caller's checks               */
    char          at[96]; /* where it reads: "rows[3].cells[2]."           */
    int           rc;     /* OK or, of the first mistake, ERR_STORE        */
};

/* Looks at a row, whose object is `from`, once its columns are read. */
typedef void relation_check(struct relation_reader *r, json_t *from, void *row);

/* "FILE: rows[3].KEY: expected ..., as written by `...`" */
void relation_wrong(struct relation_reader *r, const char *key,
                    const char *expected);

/* Reads the columns that have a name into a row of zeros. */
void relation_read(struct relation_reader *r, json_t *from,
                   const struct column *c, void *row);

/* Reads a list of at most `most` objects, and calls `check`, unless it is NULL,
 * for each.  Returns *n rows of `size` bytes and one more of zeros; never
 * NULL. */
void *relation_read_rows(struct relation_reader *r, json_t *from,
                         const char *key, int most, int *n,
                         const struct column *c, size_t size,
                         relation_check *check);

/* Reads a list of texts, which ends with NULL; none is an empty one. */
const char **relation_read_texts(struct relation_reader *r, json_t *from,
                                 const char *key);
