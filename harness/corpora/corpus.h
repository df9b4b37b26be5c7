/*
 * corpus: data sets in the files of their distribution, read row by row without
 * changes.  Tasks and the `data` commands call corpus_find, then corpus_read.
 *
 * Each file defines a corpus or a family of corpora and ends in
 *     const struct corpus corpus_NAME = {...};
 * with a row CORPUS(NAME) in list.h.  `file` reads one file: it passes each row
 * to ROW and each row that its rules exclude to corpus_skip, and refuses
 * damaged data with ERR_DATA and FILE:LINE.  If several files belong together,
 * `read` opens the files of a split itself (corpus_files, corpus_path).  Rows
 * are not kept, so memory is bounded.
 */
#pragma once

#include "harness/data/source/files.h"

enum { CORPUS_SPLITS = 8, CORPUS_LAYOUTS = 4, CORPUS_PATH = 4096 };

/* A row is an array of fields that ends with a key of NULL. */
enum field_kind {
    FIELD_TEXT,    /* NULL: null                  */
    FIELD_INTEGER,
    FIELD_REAL,
    FIELD_TEXTS,   /* a list with NULL at the end */
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
    const char         *file;   /* relative to the data folder */
    long                line;   /* from 1; 0: the whole file   */
    const char         *reason; /* "empty-label"               */
    const struct field *more;   /* further details; NULL: none */
};

/* Receives rows, skipped rows and the names of files; `skip` and `file` may be
 * NULL.  If a function returns a negative value, reading ends with it;
 * CORPUS_ENOUGH ends reading without an error. */
enum { CORPUS_ENOUGH = -100 };

/* The reason for skipping text with a NUL byte if `skip_nul` is set; otherwise
 * such text is an error.  The readers of one row per line support it: LM1B,
 * WMT's text, GLUE, and JSON lines. */
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
    const char *files; /* patterns separated by blanks; see files.h */
    long long   rows;  /* rows of the whole distribution; 0: unknown */
    long long   earlier_rows; /* rows of an earlier edition; 0: there is none */
};

struct corpus_layout { /* a possible arrangement of the files */
    const char *name;  /* "official" */
    /* Reads one file of the split.  Called for each file in the order of the
     * patterns; the files that match a pattern are ordered by name.  A name
     * without wildcards must exist. */
    int (*file)(struct corpus_reading *x, const char *path);
    /* Instead of `file`: reads one JSON object of a file with an object per
     * line; or NULL. */
    int (*object)(void *reading, const struct jsonl *j);
    int (*read)(struct corpus_reading *x); /* Instead of both: reads the
                                              whole split; or NULL. */
    struct corpus_split split[CORPUS_SPLITS]; /* ends with a NULL name */
};

struct corpus {
    const char *name;    /* as users type it: "glue_mnli" */
    const char *family;  /* its folder may hold the corpus, too: "glue"; or
                            NULL */
    const char *title;   /* "MNLI" */
    const char *from;    /* the distributor, and the names of the archives */
    const char *counted; /* rows skipped for a reason with this prefix are
                            part of the official count; NULL: none are */
    const void *detail;  /* private to the family */
    struct corpus_layout layout[CORPUS_LAYOUTS]; /* ends with a NULL name */
};

struct corpus_reading { /* reads one split */
    const struct corpus        *corpus;
    const struct corpus_layout *layout;
    const struct corpus_split  *split; /* NULL: the layout lacks the split */
    char                        folder[CORPUS_PATH];
    const char                 *file; /* the file being read */
    struct sink                *sink;
};

/* ---- for callers that read a corpus ---- */

/* Finds the files of a split: sets folder, layout and split of x.  If `split`
 * is NULL, uses the first split of the layout.  Returns ERR_DATA if shards of
 * the layout do not belong together (shards.h). */
int corpus_locate(struct corpus_reading *x, const struct corpus *c,
                  const char *dir, const char *split);

/* Checks that the split of x, which is present, has the same layout as *first,
 * an earlier split, and returns ERR_DATA otherwise.  If the layout of *first is
 * NULL, copies x to it.  Texts of two layouts are tokenised differently, so one
 * must not train on one layout and test on the other. */
int corpus_agree(struct corpus_reading *first, const struct corpus_reading *x);

/* Sets `out` to the folder of a corpus: the first of DIR/NAME, DIR/FAMILY and
 * DIR that holds its files.  If none does, this is DIR/NAME if that exists,
 * else DIR. */
int corpus_folder(char out[CORPUS_PATH], const struct corpus *c,
                  const char *dir);

/* Chooses the first layout with files of this split (NULL: of any split), else
 * the first one with any files, else the first.  Returns 1, or 0 if there are
 * no files. */
int corpus_choose(const struct corpus_layout **out, const struct corpus *c,
                  const char *folder, const char *split);

/* Returns a split by its name, or NULL. */
const struct corpus_split *corpus_split_of(const struct corpus_layout *l,
                                           const char *split);

/* Returns 1 if a file of the split exists, 0 if none does. */
int corpus_present(const struct corpus_split *s, const char *folder);

/* Reads a split into the sink; if `split` is NULL, the first one.  Returns
 * ERR_USAGE if there is no such split. */
int corpus_read(const struct corpus *c, const char *dir, const char *split,
                struct sink *sink);

/* Reads one file below a folder, for a corpus that is read file by file. */
int corpus_read_file(const struct corpus *c, const char *folder,
                     const char *file, struct sink *sink);

/* Returns a field by its key, or NULL if there is none or the key is NULL. */
const struct field *corpus_field(const struct field *row, const char *key);

/* ---- for corpora ---- */

/* A `read` function: reads only the first existing file of the split, with the
 * layout's `file` or `object`. */
int corpus_first(struct corpus_reading *x);

/* Sets `out` to the path of a file below the data folder, reports it to the
 * sink and makes it the file being read.  `file` must stay valid while it
 * is. */
int corpus_path(char out[CORPUS_PATH], struct corpus_reading *x,
                const char *file);

/* Lists the files that match a pattern.  Returns ERR_DATA if there are none. */
int corpus_files(struct files *out, struct corpus_reading *x,
                const char *pattern);

/* Sets `out` to the name of the only file that matches a pattern.  Returns
 * ERR_DATA if none or several match. */
int corpus_only(char out[CORPUS_PATH], struct corpus_reading *x,
                const char *pattern);

int corpus_row(struct corpus_reading *x, const struct field *row);
#define ROW(x, ...) corpus_row(x, FIELDS(__VA_ARGS__))
int corpus_skip(struct corpus_reading *x, long line, const char *reason,
                const struct field *more); /* a row of the file being read */

/* Returns the n-th pattern of the split (from 0) in `out`, or NULL. */
const char *corpus_pattern(char out[CORPUS_PATH],
                           const struct corpus_split *p, int n);

/* Returns 1 if `name` is that of the data set or of its family. */
int corpus_is(const struct corpus *c, const char *name);

/* Returns 1 if a data set has the family `name`. */
int corpus_family(const char *name);

/* All corpora of list.h, in its order; NULL at the end. */
extern const struct corpus *const corpus_all[];

/* Finds a corpus by its name.  Returns ERR_USAGE with the nearest name if there
 * is none. */
int corpus_find(const struct corpus **out, const char *name);
