/*
 * vector_case: one folder of reference vectors during its check.  Every helper
 * returns OK, an enum err, or CASE_MISMATCH with a message that names the case,
 * the value, what was expected and what was computed.  A check is therefore a
 * sequence of PASS.
 */
#pragma once

#include "harness/base/json.h"
#include "harness/metrics/scorer.h"

enum { CASE_MISMATCH = -100 }; /* in addition to enum err */

/* The files of one scoring. */
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
    const struct scorer *scorer; /* or NULL                                 */
    struct case_files    files;
};

typedef int vectors_check(struct vector_case *c);

/* The checks in the table of vectors.c. */
vectors_check vectors_sacrebleu, vectors_t2t, vectors_ende, vectors_moses,
    vectors_chrf, vectors_ter, vectors_rouge, vectors_porter, vectors_snowball,
    vectors_meteor, vectors_embsim, vectors_significance, vectors_stsb;

/* Reads NAME in the folder of the case; the caller closes it. */
int case_lines(const struct vector_case *c, struct lines *out,
               const char *name);

/* Reads HYP and REF into c->files: "ref%d.txt" reads ref1.txt, ref2.txt, ... as
 * long as they exist; a name without % is one file.  groups may be NULL. */
int  case_open(struct vector_case *c, const char *hyp, const char *ref,
               const char *groups);
void case_close(struct vector_case *c);

/* Scores c->files with `options`, a JSON object with keys of the scorer: true
 * and false are flags, null is the default, and a list is its items joined by
 * commas.  If options is NULL, all are defaults.  The caller frees *out. */
int case_score(json_t **out, const struct vector_case *c,
               const json_t *options);

/* Scores with run.options, then compares every other key of run with that of
 * the result.  `where` names the run in messages. */
int case_run(struct vector_case *c, const json_t *run, const char *where);

vectors_check case_runs; /* case_run for each of expected.runs */
/* case_whole calls case_run for the values at the top level of expected.json.
 * case_values first moves the members of its object "values" to the top
 * level. */
vectors_check case_whole, case_values;

/* Compares each line of NAME with what make(with, line) returns for the same
 * line of FROM, in new memory.  case_tokens does so only if the case has the
 * file, which large cases lack. */
typedef char *case_make(const void *with, const char *line);
int case_texts(struct vector_case *c, const char *from, const char *name,
               case_make *make, const void *with);
int case_tokens(struct vector_case *c, const char *from, const char *name,
                case_make *make, const void *with);

/* Compares whole JSON trees.  Numbers with a fraction may differ by the
 * tolerance, integers and texts must be equal; an integer `want` accepts an
 * equal real. */
int case_equal(struct vector_case *c, const char *where, const json_t *want,
               const json_t *got);
int case_equal_text(struct vector_case *c, const char *where, size_t line,
                    const char *want, const char *got);

/* Records that a part was not run; the case then counts as skipped. */
void case_skip(struct vector_case *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
