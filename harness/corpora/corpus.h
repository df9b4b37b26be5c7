/*
 * corpus: a data set in the files of its distribution, read row by row just as
 * they stand.
 *
 * One file a corpus or a family of them, ending in
 *     const struct corpus corpus_NAME = {...};
 * and a row CORPUS(NAME) in list.h.  `file` reads one file, hands out each row
 * with ROW and each row that its rules leave out with corpus_skip, and refuses
 * what is damaged with ERR_DATA and FILE:LINE.  Where files belong together,
 * `read` opens those of a split itself (corpus_files, corpus_path).  Memory is
 * bounded: rows are not kept.
 */
#pragma once

#include "harness/data/source/files.h"

enum { CORPUS_SPLITS = 8, CORPUS_LAYOUTS = 4, CORPUS_PATH = 4096 };

/* A row is an array of fields that ends with a key of NULL. */
enum field_kind {
    FIELD_TEXT,    /* NULL: null                 */
    FIELD_INTEGER,
    FIELD_REAL,
    FIELD_TEXTS,   /* a list that ends with NULL */
    FIELD_OBJECT
};

struct field {
    const char     *key;
    enum field_kind kind;
    union {
        const char          *text;
        long long            integer;
        double               real;
        const char *const   *texts;
        const struct field  *object;
    };
};

#define TEXT(name, value) {.key = name, .kind = FIELD_TEXT, .text = value}
#define INTEGER(name, value) \
    {.key = name, .kind = FIELD_INTEGER, .integer = value}
#define REAL(name, value) {.key = name, .kind = FIELD_REAL, .real = value}
#define TEXTS(name, value) {.key = name, .kind = FIELD_TEXTS, .texts = value}
#define FIELDS(...) ((const struct field[]){__VA_ARGS__, {.key = NULL}})
#define OBJECT(name, ...) \
    {.key = name, .kind = FIELD_OBJECT, .object = FIELDS(__VA_ARGS__)}

struct skipped {
    const char         *file;   /* below the data folder                 */
    long                line;   /* from 1; 0: the whole file             */
    const char         *reason; /* "empty-label"                         */
    const struct field *more;   /* where exactly; NULL: nothing to add   */
};

/* Where rows, rows left out and the names of files go; skip and file may be
 * NULL.  What a function returns ends the reading when it is negative;
 * CORPUS_ENOUGH ends it and is no failure. */
enum { CORPUS_ENOUGH = -100 };

/* The reason of rows that `skip_nul` leaves out: text with a NUL byte, which is
 * an error otherwise.  Readers of a row a line know it: LM1B, WMT's text, GLUE,
 * and JSON lines. */
#define CORPUS_NUL "nul-byte"

struct sink {
    int (*row)(struct sink *s, const struct field *row);
    int (*skip)(struct sink *s, const struct skipped *k);
    int (*file)(struct sink *s, const char *path, const char *file);
    int skip_nul;
};

struct corpus_reading;
struct jsonl;
struct corpus_split {
    const char *name;  /* "train" */
    const char *files; /* patterns with a blank between; see files.h */
    long long   rows;  /* of the whole distribution; 0: not known */
    long long   earlier_rows; /* of its earlier edition; 0: there is none */
};

struct corpus_layout { /* how the files may lie */
    const char *name;  /* "official" */
    /* Every file of the split, in their order: those that match a pattern in
     * that of their names.  Names without a pattern must be there. */
    int (*file)(struct corpus_reading *x, const char *path);
    int (*object)(void *reading, const struct jsonl *j); /* in place of it: an
                                           object a line; or NULL */
    int (*read)(struct corpus_reading *x); /* of both; or NULL */
    struct corpus_split split[CORPUS_SPLITS]; /* ends with a name of NULL */
};

struct corpus {
    const char *name;    /* as people type it: "glue_mnli" */
    const char *family;  /* whose folder may hold it too: "glue"; or NULL */
    const char *title;   /* "MNLI" */
    const char *from;    /* who hands it out, and under what name */
    const char *counted; /* rows skipped for a reason that begins so are part
                            of the official count; NULL: none are */
    const void *detail;  /* the family's own */
    struct corpus_layout layout[CORPUS_LAYOUTS]; /* ends with a name of NULL */
};

struct corpus_reading { /* of one split */
    const struct corpus        *corpus;
    const struct corpus_layout *layout;
    const struct corpus_split  *split; /* NULL: the layout has no such one */
    char                        folder[CORPUS_PATH];
    const char                 *file; /* the one being read */
    struct sink                *sink;
};

/* ---- for who reads a corpus ---- */

/* Where a split's files are: folder, layout and split of x.  ERR_DATA: shards
 * of the layout do not belong together (shards.h). */
int corpus_locate(struct corpus_reading *x, const struct corpus *c,
                  const char *dir, const char *split);

/* x's split is there: ERR_DATA unless it lies as `first`, the split before it,
 * which is x from now on where its layout was NULL.  Training on one layout and
 * testing on another is on texts that were tokenised otherwise. */
int corpus_agree(struct corpus_reading *first, const struct corpus_reading *x);

/* The folder of a corpus: of DIR/NAME, DIR/FAMILY, DIR the first that holds
 * its files; where none does DIR/NAME if it is there, else DIR. */
int corpus_folder(char out[CORPUS_PATH], const struct corpus *c,
                  const char *dir);

/* The first layout that has files of this split (NULL: of any), else one that
 * has files, else the first.  1, or 0 where no file is there. */
int corpus_choose(const struct corpus_layout **out, const struct corpus *c,
                  const char *folder, const char *split);

/* A split by its name, or NULL. */
const struct corpus_split *corpus_split_of(const struct corpus_layout *l,
                                           const char *split);

/* 1: a file of the split is there. */
int corpus_present(const struct corpus_split *s, const char *folder);

/* split NULL: the first.  ERR_USAGE: no such split. */
int corpus_read(const struct corpus *c, const char *dir, const char *split,
                struct sink *sink);

/* One file below a folder, of a corpus that is read file by file. */
int corpus_read_file(const struct corpus *c, const char *folder,
                     const char *file, struct sink *sink);

/* A field by its key, which may be NULL; or NULL. */
const struct field *corpus_field(const struct field *row, const char *key);

/* ---- for corpora ---- */

/* A `read`: of the split's files only the first that is there, by the layout's
 * `file` or `object`. */
int corpus_first(struct corpus_reading *x);

/* The path of a file below the data folder, which must be a file, and is the
 * one being read from now on. */
int corpus_path(char out[CORPUS_PATH], struct corpus_reading *x,
                const char *file);

/* The files that match a pattern; ERR_DATA: there is none. */
int corpus_files(struct files *out, struct corpus_reading *x,
                const char *pattern);

/* The file that matches a pattern; ERR_DATA: none does, or several do. */
int corpus_only(char out[CORPUS_PATH], struct corpus_reading *x,
                const char *pattern);

int corpus_row(struct corpus_reading *x, const struct field *row);
#define ROW(x, ...) corpus_row(x, FIELDS(__VA_ARGS__))
int corpus_skip(struct corpus_reading *x, long line, const char *reason,
                const struct field *more); /* of the file being read */

/* The n-th word, from 0, of the split's patterns, or NULL; in `out`. */
const char *corpus_pattern(char out[CORPUS_PATH],
                           const struct corpus_split *p, int n);

/* Returns 1 if `name` is that of the data set or of its family. */
int corpus_is(const struct corpus *c, const char *name);

/* Returns 1 if a data set has the family `name`. */
int corpus_family(const char *name);

/* All of list.h, in its order; ends with NULL. */
extern const struct corpus *const corpus_all[];

/* ERR_USAGE with the nearest name. */
int corpus_find(const struct corpus **out, const char *name);
