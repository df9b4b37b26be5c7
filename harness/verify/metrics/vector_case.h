/*
 * vector_case: the helpers with which the checks of vectors.c compare one
 * folder of reference vectors with the results of the program.  Every helper
 * returns OK, an enum err, or CASE_MISMATCH with a message that names the case
 * and contains the expected and the computed value.  A check is therefore a
 * sequence of calls in PASS (base/err.h).
 */
#pragma once

#include "harness/base/json.h"
#include "harness/metrics/scorer.h"

enum { CASE_MISMATCH = -100 }; /* in addition to enum err */

/* The files that a case scores together. */
struct case_files {
    struct lines hyp, ref[SCORE_REFS], groups;
    int          refs;
};

struct vector_case {
    const char *path;      /* .../rouge/summaries                           */
    const char *data;      /* folder of third-party data, or NULL           */
    json_t     *expected;  /* expected.json                                 */
    double      tolerance; /* relative; 1e-9 unless a check changes it      */
    long        compared;  /* number of values                              */
    char       *skipped;   /* parts that could not be run, or NULL          */
    char       *mismatch;  /* the first mismatch in full, or NULL           */
    const struct scorer *scorer; /* of the metric, or NULL                  */
    struct case_files    files;
};

typedef int vectors_check(struct vector_case *c);

/* The checks in the table of vectors.c. */
vectors_check vectors_sacrebleu, vectors_t2t, vectors_ende, vectors_moses,
    vectors_rouge, vectors_porter, vectors_snowball, vectors_meteor,
    vectors_embsim, vectors_significance, vectors_stsb;

/* Reads the lines of file `name` in the folder of the case; the caller closes
 * *out. */
int case_lines(const struct vector_case *c, struct lines *out,
               const char *name);

/* case_open reads the files `hyp`, `ref` and, unless it is NULL, `groups` into
 * c->files.  If `ref` is "ref%d.txt", it reads ref1.txt, ref2.txt, ... until a
 * file does not exist; a name without % is one file. */
int  case_open(struct vector_case *c, const char *hyp, const char *ref,
               const char *groups);
void case_close(struct vector_case *c);

/* Scores c->files with `options`, a JSON object whose keys are options of the
 * scorer.  The value true or false sets a flag, null means the default, and a
 * list means its items joined by commas.  If `options` is NULL, all options
 * have their defaults.  The caller frees *out. */
int case_score(json_t **out, const struct vector_case *c,
               const json_t *options);

/* Scores with the member "options" of `run`, then compares every other member
 * of `run` with the member of the same name of the result.  `where` names the
 * run in messages. */
int case_run(struct vector_case *c, const json_t *run, const char *where);

/* case_runs calls case_run for each item of "runs" in expected.json; case_whole
 * calls it once, with expected.json as the run.  case_values is case_whole, but
 * first moves the members of the object "values" to the top level. */
vectors_check case_runs;
vectors_check case_whole, case_values;

/* case_texts compares each line of file `name` with the text that make(with,
 * line) returns, in new memory, for the same line of file `from`.  case_tokens
 * does the same, but only if the case has the file `name`; large cases lack
 * it. */
typedef char *case_make(const void *with, const char *line);
int case_texts(struct vector_case *c, const char *from, const char *name,
               case_make *make, const void *with);
int case_tokens(struct vector_case *c, const char *from, const char *name,
                case_make *make, const void *with);

/* case_equal compares whole JSON trees.  Reals may differ by the tolerance of
 * c; integers and texts must be equal.  If `want` is an integer, `got` may be a
 * real of equal value.  case_equal_text compares one line of text. */
int case_equal(struct vector_case *c, const char *where, const json_t *want,
               const json_t *got);
int case_equal_text(struct vector_case *c, const char *where, size_t line,
                    const char *want, const char *got);

/* Records that a part was not run; the case then counts as skipped. */
void case_skip(struct vector_case *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
