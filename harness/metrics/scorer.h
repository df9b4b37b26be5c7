/*
 * scorer: computes a metric of text files, for `synthbench score NAME`.  The
 * command calls scorer_find, score_options_set for each option and scorer_run.
 *
 * Each file score_NAME.c has static functions and ends with
 *     const struct scorer scorer_NAME = {.name = "NAME", ...};
 * and metrics/list.h has a row SCORER(NAME).  The result of a scorer holds
 *     score       the main number, a real
 *     signature   how the score is computed, a text
 *     printed     the line that the reference tool prints, if it prints one
 * Its other members are components, named as in expected.json (result.h).
 */
#pragma once

#include "harness/base/key.h"
#include "harness/base/text.h"
#include "harness/metrics/lines.h"
#include "harness/metrics/result.h"

enum { SCORE_REFS = 16 };

/* ---- options: -S KEY=VALUE, each a field of a scorer's struct options ---- */

/* Initializes the offset and size of a struct key (base/key.h).  An option
 * without an initial value is NULL if it is a text, and NAN if it is a real. */
#define SCORE_AT(field)                                                       \
    offsetof(struct options, field), sizeof(((struct options *)0)->field)
#define SCORE_HAS_OPTIONS .options = options, .size = sizeof(struct options)

struct scorer;
struct score_options;

struct score_options *score_options_new(const struct scorer *s);
void                  score_options_free(struct score_options *o);
OWNER(score_options_free, struct score_options *)

/* Sets an option.  Returns ERR_USAGE if the value is not valid or the key is
 * unknown; in this case the message suggests the nearest key. */
int score_options_set(struct score_options *o, const char *key,
                      const char *value);

/* ---- input ---- */

struct score_input {
    const struct lines *hyp;             /* --hyp, or --pred            */
    const struct lines *ref[SCORE_REFS]; /* --ref in order, or --gold   */
    int                 refs;            /* number of `ref`, at least 1 */
    const struct lines *groups;          /* --groups, or NULL           */
    const struct score_options *options; /* NULL: use the defaults      */
};

/* The lines of all files that have the same line number. */
struct segment { /* starts as {0}; `hyp`, `ref` live until the next read */
    const char *hyp, *ref[SCORE_REFS];
    int         refs;
    struct text text[1 + SCORE_REFS];
};

/* Reads line i of each file.  If `join` is 1, the words of a line are joined by
 * single blanks; if it is 0, white space at both ends is removed. */
void segment_read(struct segment *s, const struct score_input *in, size_t i,
                  int join);
void segment_free(struct segment *s);
OWNER_OF_VALUE(segment_free, struct segment)

/* Returns the scorer's `struct options` with the values of in->options. */
const void *score_given(const struct score_input *in);

/* Returns the path of data that is not part of the program.  If `given`, the
 * value of an option, is not NULL, the path is a copy of `given`.  Otherwise,
 * it is the path of the file `name` in the folder that the environment variable
 * SYNTHBENCH_METRIC_DATA names; if the variable is not set or the file does not
 * exist, returns NULL.  The caller frees the path. */
char *score_data(const char *given, const char *name);

/* ---- scorers ---- */

enum score_takes {
    SCORE_LABELS = 1,   /* --pred --gold instead of --hyp --ref */
    SCORE_GROUPS = 2,   /* needs --groups                       */
    SCORE_ONE_REF = 4,  /* accepts only one --ref               */
    SCORE_UNALIGNED = 8 /* line i of one file does not belong to
                           line i of another                    */
};

struct scorer {
    const char *name;   /* "bleu"                                    */
    const char *title;  /* "BLEU"                                    */
    const char *unit;   /* "%", "1"                                  */
    unsigned    takes;  /* bits of enum score_takes                  */
    const struct key *options; /* ends with a NULL name; or NULL     */
    size_t      size;   /* of struct options */

    /* Adds the score to `out`.  The files of `in` have already been read, and
     * have equal numbers of lines unless SCORE_UNALIGNED is set.  Returns
     * ERR_DATA (lines_bad) if a line is not valid, ERR_USAGE if options are
     * incompatible. */
    int (*score)(json_t *out, const struct score_input *in);

    /* `segments` and `of_sums` serve resampling; both may be NULL.
     * `segments` sets *stats to a row-major matrix (hyp->n, *columns): row i
     * holds statistics of segment i that can be added up over segments.  The
     * caller frees the matrix.  `of_sums` returns the score of some segments
     * from the sums of the columns over the rows of these segments. */
    int    (*segments)(double **stats, size_t *columns,
                       const struct score_input *in);
    double (*of_sums)(const double *sums, const struct score_input *in);
};

/* Both functions serve scorers with one value per segment.  The member
 * `segments` of such a scorer calls scorer_values, which sets row i of *stats
 * to (x[i * stride], 1).  Its member `of_sums` is scorer_mean, which returns
 * the mean of the values. */
void   scorer_values(double **stats, size_t *columns, const double *x,
                     size_t n, size_t stride);
double scorer_mean(const double *sums, const struct score_input *in);

/* Sets sum[j] to the sum of column j of `x` (n,columns), for each column j. */
void scorer_sum(double *sum, const double *x, size_t n, size_t columns);

/* Returns a list with the score of each segment, which `of_sums` computes from
 * one row of `x` (hyp->n,columns). */
json_t *scorer_each(const double *x, size_t columns,
                    double (*of_sums)(const double *,
                                      const struct score_input *),
                    const struct score_input *in);

/* Checks that `s` accepts `in`.  Returns ERR_DATA if the files have different
 * numbers of lines, ERR_USAGE if `in` has too many references or lacks
 * groups. */
int scorer_check(const struct scorer *s, const struct score_input *in);

/* Calls scorer_check, then s->score; sets *out to a new result. */
int scorer_run(json_t **out, const struct scorer *s,
               const struct score_input *in);

/* All scorers of list.h, in its order; NULL at the end. */
extern const struct scorer *const scorer_all[];

/* Finds a scorer by its name.  If there is none of that name, returns ERR_USAGE
 * and the message suggests the nearest name. */
int scorer_find(const struct scorer **out, const char *name);
