/*
 * vector_case: one folder of reference vectors while it is checked.  Every
 * helper returns OK, CASE_MISMATCH with a message that names the case, the
 * value, what was expected and what came, or an enum err; so a check is a row
 * of PASS.
 */
#pragma once

#include "harness/base/json.h"
#include "harness/metrics/scorer.h"

enum { CASE_MISMATCH = -100 }; /* beside enum err, with its message */

/* The files of one scoring. */
struct case_files {
    struct lines hyp, ref[SCORE_REFS], groups;
    int          refs;
};

struct vector_case {
    const char *path;      /* .../rouge/summaries                           */
    const char *data;      /* folder of data that is no part of us, or NULL */
    json_t     *expected;  /* expected.json                                 */
    double      tolerance; /* relative; 1e-9 unless a check changes it      */
    long        compared;  /* values                                        */
    char       *skipped;   /* parts that could not be run, or NULL          */
    char       *mismatch;  /* the first, in full, or NULL                   */
    const struct scorer *scorer; /* or NULL                                 */
    struct case_files    files;
};

typedef int vectors_check(struct vector_case *c);

/* What the rows of vectors.c name. */
vectors_check vectors_sacrebleu, vectors_t2t, vectors_ende, vectors_moses,
    vectors_chrf, vectors_ter, vectors_rouge, vectors_porter, vectors_snowball,
    vectors_meteor, vectors_embsim, vectors_significance, vectors_stsb;

/* NAME in the case's folder; the caller closes it. */
int case_lines(const struct vector_case *c, struct lines *out,
               const char *name);

/* c->files from HYP, and REF: "ref%d.txt" reads ref1.txt, ref2.txt, ... as far
 * as there are; a name without % is one file.  groups may be NULL. */
int  case_open(struct vector_case *c, const char *hyp, const char *ref,
               const char *groups);
void case_close(struct vector_case *c);

/* Scores c->files with `options`, a JSON object whose keys the scorer knows:
 * true and false are flags, null the default, a list its items joined by
 * commas.  NULL: defaults.  The caller frees *out. */
int case_score(json_t **out, const struct vector_case *c,
               const json_t *options);

/* Scores run.options, then compares every other key of run with the result's.
 * `where` names the run. */
int case_run(struct vector_case *c, const json_t *run, const char *where);

vectors_check case_runs; /* case_run of each of expected.runs */
/* case_run of what expected.json says of values itself; case_values: what
 * stands in its object "values" stands beside it in a result. */
vectors_check case_whole, case_values;

/* NAME is, line by line, what make(with, line), in fresh memory, makes of FROM.
 * case_tokens: if the case has such a file; large ones come without. */
typedef char *case_make(const void *with, const char *line);
int case_texts(struct vector_case *c, const char *from, const char *name,
               case_make *make, const void *with);
int case_tokens(struct vector_case *c, const char *from, const char *name,
                case_make *make, const void *with);

/* `want` against `got`, whole trees: numbers with a fraction by the tolerance,
 * integers and texts exactly, an integer `want` accepts an equal real. */
int case_equal(struct vector_case *c, const char *where, const json_t *want,
               const json_t *got);
int case_equal_text(struct vector_case *c, const char *where, size_t line,
                    const char *want, const char *got);

/* Notes that a part was not run; the case then counts as skipped. */
void case_skip(struct vector_case *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
