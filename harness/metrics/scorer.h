/*
 * scorer: a metric as a command, `synthbench score NAME`.  The command finds it
 * with scorer_find, sets options with score_options_set and calls scorer_run.
 *
 * Each file score_NAME.c has static functions and ends in
 *     const struct scorer scorer_NAME = {.name = "NAME", ...};
 * with a row SCORER(NAME) in metrics/list.h.  The result of score() holds
 *     score       the main number, a real
 *     signature   how it is computed, a text
 *     printed     the line that the reference tool prints, if it has one
 * and the components, named as in the vectors' expected.json.
 */
#pragma once

#include "harness/base/text.h"
#include "harness/metrics/lines.h"
#include "harness/metrics/result.h"

enum { SCORE_REFS = 16 };

/* ---- options: -S KEY=VALUE, each a field of a scorer's struct options ---- */

enum score_kind {
    SCORE_FLAG, /* int: yes, no, true, false, 1, 0  */
    SCORE_INT,  /* int                              */
    SCORE_REAL, /* double; NAN: no default          */
    SCORE_WORD, /* int or enum: an index in words[] */
    SCORE_TEXT, /* const char *: any text, or NULL  */
};

struct score_option {
    const char        *key;
    enum score_kind    kind;
    size_t             at;          /* SCORE_AT(field)                   */
    const char        *value;       /* default; NULL: none               */
    const char *const *words;       /* SCORE_WORD: NULL at the end       */
    double             least, most; /* SCORE_INT, SCORE_REAL; equal: any */
    const char        *doc;         /* one line                          */
};

#define SCORE_AT(field) offsetof(struct options, field)
#define SCORE_HAS_OPTIONS .options = options, .size = sizeof(struct options)

struct scorer;
struct score_options;

struct score_options *score_options_new(const struct scorer *s);
void                  score_options_free(struct score_options *o);
OWNER(score_options_free, struct score_options *)

/* Sets an option.  Returns ERR_USAGE for an unknown key, with the nearest one,
 * or for a value that is not valid. */
int score_options_set(struct score_options *o, const char *key,
                      const char *value);

/* ---- input ---- */

struct score_input {
    const struct lines *hyp;             /* --hyp, or --pred          */
    const struct lines *ref[SCORE_REFS]; /* --ref in order, or --gold */
    int                 refs;            /* at least 1                */
    const struct lines *groups;          /* --groups, or NULL         */
    const struct score_options *options; /* NULL: use the defaults    */
};

/* Line i of the files. */
struct segment { /* starts as {0}; the texts live until the next read */
    const char *hyp, *ref[SCORE_REFS];
    int         refs;
    struct text text[1 + SCORE_REFS];
};

/* Reads line i of the files.  If `join`, words are joined by single blanks;
 * else white space at both ends is removed. */
void segment_read(struct segment *s, const struct score_input *in, size_t i,
                  int join);
void segment_free(struct segment *s);
OWNER_OF_VALUE(segment_free, struct segment)

/* Returns the scorer's struct options. */
const void *score_given(const struct score_input *in);

/* Returns the path of data that is not part of the program: the option's value
 * `given`, or NAME in the folder of the environment variable
 * SYNTHBENCH_METRIC_DATA, or NULL; the caller frees. */
char *score_data(const char *given, const char *name);

/* ---- scorers ---- */

enum score_takes {
    SCORE_LABELS = 1,   /* --pred --gold instead of --hyp --ref */
    SCORE_GROUPS = 2,   /* needs --groups                       */
    SCORE_ONE_REF = 4,  /* accepts only one --ref               */
    SCORE_UNALIGNED = 8 /* lines of the files are not paired    */
};

struct scorer {
    const char *name;   /* "bleu"                                    */
    const char *title;  /* "BLEU"                                    */
    const char *unit;   /* "%", "1"                                  */
    int         better; /* +1: higher is better, -1: lower is better */
    unsigned    takes;  /* enum score_takes                          */
    const struct score_option *options; /* ends with a NULL key; or NULL */
    size_t      size;   /* of struct options */

    /* in: files are read, and line counts are equal unless SCORE_UNALIGNED.
     * Returns ERR_DATA by lines_bad, or ERR_USAGE for incompatible options. */
    int (*score)(json_t *out, const struct score_input *in);

    /* For resampling, or NULL.  segments: sets *stats to a matrix (hyp->n,
     * *columns), row-major, of statistics that are additive over segments; the
     * caller frees it.  of_sums: returns the score of a sum of rows. */
    int    (*segments)(double **stats, size_t *columns,
                       const struct score_input *in);
    double (*of_sums)(const double *sums, const struct score_input *in);
};

/* Sets *stats for a scorer with one value per segment: rows (value, 1) from
 * x[0], x[stride] and so on.  scorer_mean, its of_sums, then returns their
 * mean. */
void   scorer_values(double **stats, size_t *columns, const double *x,
                     size_t n, size_t stride);
double scorer_mean(const double *sums, const struct score_input *in);

/* Sets sum [columns] to the sum of the rows of x (n,columns). */
void scorer_sum(double *sum, const double *x, size_t n, size_t columns);

/* Returns a list of the values of of_sums for each row of x
 * (hyp->n,columns). */
json_t *scorer_each(const double *x, size_t columns,
                    double (*of_sums)(const double *,
                                      const struct score_input *),
                    const struct score_input *in);

/* Checks that s accepts `in`.  Returns ERR_USAGE, or ERR_DATA for line counts
 * that differ. */
int scorer_check(const struct scorer *s, const struct score_input *in);

/* Checks `in`, then scores; *out is a new result. */
int scorer_run(json_t **out, const struct scorer *s,
               const struct score_input *in);

/* All scorers of list.h, in its order; NULL at the end. */
extern const struct scorer *const scorer_all[];

/* Finds a scorer by its name.  Returns ERR_USAGE with the nearest name if there
 * is none. */
int scorer_find(const struct scorer **out, const char *name);
