/*
 * relation: a table of rows whose columns are described once.  The description
 * of a column has its name in JSON and CSV, its heading in text tables, its
 * offset in a row, and the text format of its values.  sheet_relation
 * (print/sheet.h) prints a relation in every format.  "For people" means in
 * text tables; "for programs" means in JSON and CSV.
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
 * With the same columns, relation_read and relation_read_rows read the rows
 * back from JSON (relation_read.c).
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/json.h"

#include <stddef.h>

/* Each comment states the C type of the member and which values are written as
 * null. */
enum column_type {
    COLUMN_END,  /* ends a list of columns                  */
    COLUMN_TEXT, /* const char *; NULL is null              */
    COLUMN_INT,  /* int                                     */
    COLUMN_LONG, /* long long                               */
    COLUMN_SIZE, /* size_t                                  */
    COLUMN_REAL, /* double; null if it is not finite        */
    COLUMN_JSON, /* json_t *; NULL is null; for programs only */
    /* COLUMN selects one of the types above.  The types below need
     * COLUMN_AS. */
    COLUMN_CHARS, /* char[]                                 */
    COLUMN_WORD,  /* const char *; "" is null, too          */
    COLUMN_ENUM,  /* int or enum: index in column.words     */
    COLUMN_BOOL,  /* int                                    */
    COLUMN_COUNT, /* size_t; 0 is null                      */
    COLUMN_WHOLE, /* double; in JSON an integer if it is whole */
    /* The text that column.show returns, also in JSON and CSV. */
    COLUMN_SHOWN,
    /* const char *; if it is NULL, the double at offset column.count, as
     * COLUMN_WHOLE.  relation_read cannot read such a column. */
    COLUMN_EITHER,
    COLUMN_REALS, /* double *: a list of numbers; NULL is an empty list */
    /* const char **: texts, ending with NULL; NULL is empty.  If it is missing,
     * it is read as an empty list. */
    COLUMN_TEXTS,
    COLUMN_LIST   /* a pointer to rows with the columns column.list */
};

enum column_flag {
    /* Null is allowed.  It is read as NULL for a text, as 0 (the first word)
     * for an enum, and as -1 for a COLUMN_BOOL. */
    COLUMN_NULLABLE = 1,
    /* Files from earlier versions lack the column.  If it is missing, the
     * member is left unchanged, but a real becomes NAN. */
    COLUMN_LATER = 2,
    /* The value is left out of JSON if it is NULL, 0 or NAN, and read as for
     * COLUMN_LATER if it is missing. */
    COLUMN_SPARSE = 4,
    /* relation_read ignores the value, which follows from other columns. */
    COLUMN_DERIVED = 8
};

/* COLUMN_AS and COLUMN initialize the type and the offset of a column that is
 * the member `member` of struct `row`.  COLUMN_AS takes the type `of`; COLUMN
 * selects the type that fits the member. */
#define COLUMN_AS(of, row, member) .type = of, .at = offsetof(row, member)
#define COLUMN(row, member)                                                   \
    COLUMN_AS(_Generic(&((row *)0)->member, const char **: COLUMN_TEXT,       \
                       const char *const *: COLUMN_TEXT, char **: COLUMN_TEXT, \
                       int *: COLUMN_INT, long long *: COLUMN_LONG,           \
                       size_t *: COLUMN_SIZE, double *: COLUMN_REAL,          \
                       json_t **: COLUMN_JSON),                               \
              row, member)
/* Before COLUMN or COLUMN_AS of another struct: the column is a member of the
 * struct to which the member `pointer` of struct `row` points. */
#define COLUMN_VIA(row, pointer) .via = offsetof(row, pointer) + 1

/* The type of a function that checks `row` after it has been read from the JSON
 * object `from`. */
struct relation_reader;
typedef void relation_check(struct relation_reader *r, json_t *from, void *row);

struct column {
    const char      *name; /* in JSON and CSV; NULL: for people only          */
    const char      *head; /* the heading for people; NULL: for programs only */
    enum column_type type;
    /* If not 0, the row has a pointer at offset via - 1, and `at` is an offset
     * in the struct to which this pointer points.  relation_clean leaves the
     * value of such a column unchanged.  `via` must be 0 for COLUMN_EITHER and
     * lists; in relation_read, such a column must have the flag
     * COLUMN_DERIVED. */
    size_t           via;
    size_t           at;   /* offset in the row                               */
    /* The printf format of a number for people.  An integer is passed as long
     * long.  NULL: "%g" or "%lld". */
    const char      *form;
    /* The text for people if a real is NAN; NULL: "". */
    const char      *none;
    /* If set, sheets show a number to people with three digits, a prefix and
     * this unit, which is "" for a number without a unit.  If it is "s", they
     * show a time (str_duration); if it is ",", all digits (grid_digits). */
    const char      *unit;
    /* If set, returns the text for people, which is static or in arena `a`;
     * NULL means "". */
    const char    *(*show)(const void *row, struct arena *a);
    const char *const *words; /* the words of a COLUMN_ENUM */
    /* 1: flush left for people; -1: flush right; 0: texts left, others right */
    int              left;
    const char      *group; /* heading above adjacent columns with the same
                               group; NULL: none */
    unsigned         flags;
    /* The range that relation_read accepts for an integer; 0 to RELATION_MOST
     * if both are 0.  For a list, `most` is the greatest number of rows; 0
     * means RELATION_MOST. */
    long long        least, most;
    /* For a list: the offset of the int that is its length.  For
     * COLUMN_EITHER: the offset of the number. */
    size_t           count;
    /* For a COLUMN_LIST: the bytes in one of its rows, and their columns. */
    size_t           size;
    const struct column *list;
    /* For a COLUMN_LIST: called for each of its rows that is read; or NULL. */
    relation_check  *check;
};

/* Initializes a COLUMN_LIST: `member` points to its rows, the member `n`, an
 * int, counts them, and `columns` describes them. */
#define COLUMN_ROWS(row, member, n, columns)                                  \
    COLUMN_AS(COLUMN_LIST, row, member), .count = offsetof(row, n),           \
    .size = sizeof *((row *)0)->member, .list = columns

/* Initializes a COLUMN_EITHER of two members of struct `row`. */
#define COLUMN_TEXT_OR(row, text, number)                                     \
    COLUMN_AS(COLUMN_EITHER, row, text), .count = offsetof(row, number)

enum {
    RELATION_COLUMNS = 64,  /* the maximum number of columns            */
    /* The functions of relation_read.c accept at most this number of rows in a
     * list and, in a column without a range, at most this integer. */
    RELATION_MOST = 1 << 24
};

struct relation {
    const char          *name;   /* the name of the list in JSON           */
    const struct column *column; /* ends with COLUMN_END                   */
    const void          *row;    /* the first row, or pointers to the rows */
    size_t               size;   /* bytes in a row; 0 if `row` has pointers */
    int                  rows;
};

/* Returns the i-th row. */
const void *relation_row(const struct relation *r, int i);

/* Returns the value of column `c` in a row as JSON.  Here and below, the arena
 * is passed to column.show. */
json_t *relation_value(const struct column *c, const void *row,
                       struct arena *a);

/* Returns the value of column `c` in a row as text for people; never NULL. */
const char *relation_text(const struct column *c, const void *row,
                          struct arena *a);

/* Returns 1 if text tables print the column flush left. */
int relation_left(const struct column *c);

/* Returns an object with the values of one row in all columns that have a
 * name. */
json_t *relation_object(const struct column *c, const void *row,
                        struct arena *a);

/* Returns the list of the objects of all rows (relation_object). */
json_t *relation_json(const struct relation *r, struct arena *a);

/* Adds the values of one row, in all columns that have a name, to `object`. */
void relation_put(json_t *object, const struct column *c, const void *row,
                  struct arena *a);

/* Changes the values of a row so that they are valid in every format: texts are
 * UTF-8 without control characters, and numbers have 15 significant digits, or
 * are NAN if they are not finite. */
void relation_clean(const struct column *c, void *row, struct arena *a);
void relation_clean_text(const char **text, struct arena *a);

/* ---- reading (relation_read.c) ---- */

/* A reader of a file that is not trusted.  After the first error it keeps the
 * message of that error and yields 0, NAN and "" for everything else. */
struct relation_reader {
    const char   *path;
    const char   *writer; /* the command that wrote the file; for messages */
    struct arena *memory; /* owns the rows that are read                   */
    void         *context; /* for the `check` functions of the caller      */
    char          at[96]; /* current position: "rows[3].cells[2]."         */
    int           rc;     /* OK, or ERR_STORE after an error               */
};

/* Records the error "FILE: rows[3].KEY: expected EXPECTED, as written by
 * `WRITER`", unless an error is already recorded. */
void relation_wrong(struct relation_reader *r, const char *key,
                    const char *expected);

/* Reads the file r->path.  The caller calls json_decref on *root.  Returns the
 * errors of json_read, whose message also names r->writer if the file is not
 * JSON. */
int relation_open(json_t **root, const struct relation_reader *r);

/* Reads all columns that have a name from the object `from` into `row`, which
 * must be all zeros. */
void relation_read(struct relation_reader *r, json_t *from,
                   const struct column *c, void *row);

/* Reads the list that is member `key` of `from`, at most `most` objects, and
 * calls `check`, unless it is NULL, for each row.  Returns *n rows of `size`
 * bytes each, followed by a row of zeros; never NULL. */
void *relation_read_rows(struct relation_reader *r, json_t *from,
                         const char *key, int most, int *n,
                         const struct column *c, size_t size,
                         relation_check *check);

/* Reads the list of texts that is member `key` of `from`.  The returned list
 * ends with NULL; it is empty if the member is missing. */
const char **relation_read_texts(struct relation_reader *r, json_t *from,
                                 const char *key);
