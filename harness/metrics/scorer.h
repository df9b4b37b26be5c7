/*
 * scorer: a metric as a tool of its own, `synthbench score NAME`.
 *
 * One file score_NAME.c of static functions that ends in
 *     const struct scorer scorer_NAME = {.name = "NAME", ...};
 * and one row SCORER(NAME) in metrics/list.h.  The result of score() holds
 *     score       the main number, a real
 *     signature   how it was made, a text
 *     printed     the line that the reference tool prints, where it has one
 * and the components, named as in the vectors' expected.json.
 */
#pragma once

#include "harness/base/text.h"
#include "harness/metrics/lines.h"
#include "harness/metrics/result.h"

enum { SCORE_REFS = 16 };

/* ---- options: -S KEY=VALUE, each a field of a scorer's struct options ---- */

enum score_kind {
    SCORE_FLAG, /* int: yes, no, true, false, 1, 0              */
    SCORE_INT,  /* int                                          */
    SCORE_REAL, /* double; NAN: there is no default             */
    SCORE_WORD, /* int, or an enum: which one of words[]        */
    SCORE_TEXT, /* const char *: anything, a path too; or NULL  */
};

struct score_option {
    const char        *key;
    enum score_kind    kind;
    size_t             at;          /* SCORE_AT(field)                        */
    const char        *value;       /* the default; NULL: none                */
    const char *const *words;       /* SCORE_WORD: they end with NULL         */
    double             least, most; /* SCORE_INT, SCORE_REAL; equal: any      */
    const char        *doc;         /* one line                               */
};

#define SCORE_AT(field) offsetof(struct options, field)
#define SCORE_HAS_OPTIONS .options = options, .size = sizeof(struct options)

struct scorer;
struct score_options;

struct score_options *score_options_new(const struct scorer *s);
void                  score_options_free(struct score_options *o);
OWNER(score_options_free, struct score_options *)

/* ERR_USAGE: unknown key, with the nearest one, or a value that is none. */
int score_options_set(struct score_options *o, const char *key,
                      const char *value);

/* ---- input ---- */

struct score_input {
    const struct lines *hyp;             /* --hyp, or --pred                  */
    const struct lines *ref[SCORE_REFS]; /* --ref in their order, or --gold   */
    int                 refs;            /* at least 1                        */
    const struct lines *groups;          /* --groups, or NULL                 */
    const struct score_options *options; /* NULL: the defaults                */
};

/* Line i of the files. */
struct segment { /* starts as {0}; the texts live until the next read */
    const char *hyp, *ref[SCORE_REFS];
    int         refs;
    struct text text[1 + SCORE_REFS];
};

/* Words joined by blanks, or the lines without white space at their ends. */
void segment_read(struct segment *s, const struct score_input *in, size_t i,
                  int join);
void segment_free(struct segment *s);
OWNER_OF_VALUE(segment_free, struct segment)

/* The scorer's struct options. */
const void *score_given(const struct score_input *in);

/* Data that is not part of the program: the option's value, or else NAME in
 * the folder that the environment's SYNTHBENCH_METRIC_DATA names, or else NULL;
 * the caller frees. */
char *score_data(const char *given, const char *name);

/* ---- scorers ---- */

enum score_takes {
    SCORE_LABELS = 1,   /* --pred --gold in place of --hyp --ref           */
    SCORE_GROUPS = 2,   /* needs --groups                                  */
    SCORE_ONE_REF = 4,  /* more than one --ref is refused                  */
    SCORE_UNALIGNED = 8 /* line i of the files need not belong together    */
};

struct scorer {
    const char *name;   /* "bleu"                                    */
    const char *title;  /* "BLEU"                                    */
    const char *unit;   /* "%", "1"                                  */
    int         better; /* +1: higher is better, -1: lower is better */
    unsigned    takes;  /* enum score_takes                          */
    const struct score_option *options; /* ends with key NULL; or NULL */
    size_t      size;   /* of the struct that they fill              */

    /* in: files read, line counts equal unless SCORE_UNALIGNED.  ERR_DATA with
     * lines_bad, ERR_USAGE for options that do not go together. */
    int (*score)(json_t *out, const struct score_input *in);

    /* For resampling, or NULL: *stats (hyp->n, *columns) row-major, which add
     * up over segments, the caller frees; and the score of such a sum. */
    int    (*segments)(double **stats, size_t *columns,
                       const struct score_input *in);
    double (*of_sums)(const double *sums, const struct score_input *in);
};

/* What segments gives of one value a segment: (value, 1), from x[0], x[stride],
 * ...; of_sums is then their mean. */
void   scorer_values(double **stats, size_t *columns, const double *x,
                     size_t n, size_t stride);
double scorer_mean(const double *sums, const struct score_input *in);

/* sum [columns] of the rows of x (n,columns). */
void scorer_sum(double *sum, const double *x, size_t n, size_t columns);

/* A list: what of_sums makes of each row of x (hyp->n,columns). */
json_t *scorer_each(const double *x, size_t columns,
                    double (*of_sums)(const double *,
                                      const struct score_input *),
                    const struct score_input *in);

/* Whether `in` is what s takes: ERR_USAGE, or ERR_DATA for line counts. */
int scorer_check(const struct scorer *s, const struct score_input *in);

/* Checks `in`, then scores into fresh memory. */
int scorer_run(json_t **out, const struct scorer *s,
               const struct score_input *in);

/* All of list.h, in its order; ends with NULL. */
extern const struct scorer *const scorer_all[];

/* ERR_USAGE with the nearest name. */
int scorer_find(const struct scorer **out, const char *name);
