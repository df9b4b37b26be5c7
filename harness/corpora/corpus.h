/*
 * corpus: reads data sets from the files in which they are distributed, row by
 * row and unchanged.  Tasks and the `data` commands call corpus_find, then
 * corpus_read.
 *
 * Each .c file of a data set defines a corpus or a family of corpora:
 *     const struct corpus corpus_NAME = {...};
 * and list.h has a row CORPUS(NAME) for each.  The member `file` of a layout
 * reads one data file: it passes each row to ROW, passes each row that the
 * corpus excludes to corpus_skip, and returns ERR_DATA with FILE:LINE if the
 * data is damaged.  If a row is spread over several files, the member `read`
 * opens the files of a split itself (corpus_files, corpus_path).  Rows are not
 * kept, so memory is bounded.
 */
#pragma once

#include "harness/data/source/files.h"

enum { CORPUS_SPLITS = 8, CORPUS_LAYOUTS = 4, CORPUS_PATH = 4096 };

/* A row is an array of fields; the last has the key NULL. */
enum field_kind {
    FIELD_TEXT,    /* NULL: JSON's null           */
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

/* A function of a sink (see below) returns this to end reading without an
 * error; corpus_read then returns OK. */
enum { CORPUS_ENOUGH = -100 };

/* Reason of a row that is skipped because it has a NUL byte and the sink's
 * `skip_nul` is set.  If `skip_nul` is 0, a NUL byte is an error.  The readers
 * of one row per line support `skip_nul`: those of LM1B, WMT's text, GLUE and
 * JSON lines. */
#define CORPUS_NUL "nul-byte"

/* A sink receives rows, skipped rows and the names of the files read; `skip`
 * and `file` may be NULL.  If a function returns a negative value other than
 * CORPUS_ENOUGH, reading ends with this value as its result. */
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
    long long   earlier_rows; /* rows of the first edition, if it differed,
                                 or 0                                   */
};

struct corpus_layout { /* a possible arrangement of the files */
    const char *name;  /* "official" */
    /* Reads one file of the split.  Called for each file, in the order of the
     * patterns; the files that match one pattern are ordered by name.  The file
     * of a pattern without a wildcard must exist. */
    int (*file)(struct corpus_reading *x, const char *path);
    /* Replaces `file`: reads one JSON object of a file with one object per
     * line; or NULL. */
    int (*object)(void *reading, const struct jsonl *j);
    /* If set, is called once for the whole split, instead of `file` or `object`
     * for each file; or NULL. */
    int (*read)(struct corpus_reading *x);
    struct corpus_split split[CORPUS_SPLITS]; /* ends with a NULL name */
};

struct corpus {
    const char *name;    /* as users type it: "glue_mnli" */
    const char *family;  /* "glue"; a folder of this name may hold the corpus,
                            too; or NULL */
    const char *title;   /* "MNLI" */
    const char *from;    /* the distributor, and the names of the archives */
    const char *counted; /* the official count includes the rows that are
                            skipped for a reason with this prefix; NULL:
                            it includes no skipped row */
    const void *detail;  /* private data of the file that defines the corpus */
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

/* Finds the files of a split: sets `folder`, `layout` and `split` of x.  If the
 * argument `split` is NULL, uses the first split of the layout.  Returns
 * ERR_DATA if shards of the layout do not belong together (shards.h). */
int corpus_locate(struct corpus_reading *x, const struct corpus *c,
                  const char *dir, const char *split);

/* Returns ERR_DATA if the layout of x differs from that of *first, an earlier
 * split of the same corpus.  The files of x must exist.  If first->layout is
 * NULL, x is the first split: only copies it to *first.  The texts of two
 * layouts may be tokenised differently, so a model must not be trained on one
 * layout and tested on another. */
int corpus_agree(struct corpus_reading *first, const struct corpus_reading *x);

/* Sets `out` to the folder of a corpus: the first of DIR/NAME, DIR/FAMILY and
 * DIR that holds files of the corpus.  If no folder holds any, sets `out` to
 * DIR/NAME if this folder exists, else to DIR. */
int corpus_folder(char out[CORPUS_PATH], const struct corpus *c,
                  const char *dir);

/* Sets *out to the first layout whose files of `split` exist in `folder`.  If
 * no layout has such files, or `split` is NULL, sets *out to the first layout
 * with any files in `folder`, or else to the first layout.  Returns 1, or 0 if
 * `folder` holds no files of the corpus. */
int corpus_choose(const struct corpus_layout **out, const struct corpus *c,
                  const char *folder, const char *split);

/* Returns the split called `split`, or NULL if the layout has none. */
const struct corpus_split *corpus_split_of(const struct corpus_layout *l,
                                           const char *split);

/* Returns 1 if a file of the split exists, 0 if none does. */
int corpus_present(const struct corpus_split *s, const char *folder);

/* Returns ERR_DATA with the message that `folder` has no file of this split, or
 * of any split if `split` is NULL. */
int corpus_absent(const struct corpus *c, const char *folder,
                  const char *split);

/* Passes the rows of a split to the sink.  If `split` is NULL, uses the first
 * split.  Returns ERR_USAGE if there is no such split. */
int corpus_read(const struct corpus *c, const char *dir, const char *split,
                struct sink *sink);

/* Passes the rows of one file below a folder to the sink, as the first layout
 * reads them. */
int corpus_read_file(const struct corpus *c, const char *folder,
                     const char *file, struct sink *sink);

/* Returns the field with the key `key`, or NULL if there is none or `key` is
 * NULL. */
const struct field *corpus_field(const struct field *row, const char *key);

/* ---- for corpora ---- */

/* Reads the first existing file of the split and no other, with the layout's
 * `file` or `object`.  A layout can use this function as its `read`. */
int corpus_first(struct corpus_reading *x);

/* Sets `out` to the path of a file below the data folder.  Sets x->file to
 * `file`, not to a copy, so `file` must stay valid as long as x->file is used.
 * Calls sink->file with `out` and `file`, if sink->file is set. */
int corpus_path(char out[CORPUS_PATH], struct corpus_reading *x,
                const char *file);

/* Lists the files that match a pattern.  Returns ERR_DATA if there are none. */
int corpus_files(struct files *out, struct corpus_reading *x,
                const char *pattern);

/* Sets `out` to the name of the only file that matches a pattern.  Returns
 * ERR_DATA if none or several match. */
int corpus_only(char out[CORPUS_PATH], struct corpus_reading *x,
                const char *pattern);

/* Passes a row to the sink. */
int corpus_row(struct corpus_reading *x, const struct field *row);
#define ROW(x, ...) corpus_row(x, FIELDS(__VA_ARGS__))
/* Reports to the sink that a row of the file x->file is skipped. */
int corpus_skip(struct corpus_reading *x, long line, const char *reason,
                const struct field *more);

/* Copies pattern n (from 0) of a split to `out` and returns `out`, or returns
 * NULL if the split has fewer patterns. */
const char *corpus_pattern(char out[CORPUS_PATH],
                           const struct corpus_split *p, int n);

/* Size of the archives to download, about (0: unknown), and the licence (NULL:
 * see the page that corpus.from names). */
struct corpus_terms { double bytes; const char *licence; };
struct corpus_terms corpus_terms(const struct corpus *c);

/* Returns 1 if `name` is the name of the corpus or of its family. */
int corpus_is(const struct corpus *c, const char *name);

/* Returns 1 if `name` is the family of a corpus. */
int corpus_family(const char *name);

/* All corpora of list.h, in its order; NULL at the end. */
extern const struct corpus *const corpus_all[];

/* Finds a corpus by its name.  If no corpus has this name, returns ERR_USAGE,
 * and the message suggests the nearest name. */
int corpus_find(const struct corpus **out, const char *name);
