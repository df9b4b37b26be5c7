/*
 * vector_case: one folder of reference vectors while it is checked.  Every
 * helper returns OK, CASE_MISMATCH with a message that names the case, the
 * value, what was expected and what came, or an enum err; so check() is a row
 * of TRY.
 *
 *     json_array_foreach(json_object_get(c->expected, "runs"), i, run)
 *         TRY(case_run(c, &scorer_chrf, &files, run, "runs", NULL));
 */
#ifndef VERIFY_METRICS_VECTOR_CASE_H
#define VERIFY_METRICS_VECTOR_CASE_H

#include "harness/base/owned.h"
#include "harness/base/json.h"
#include "harness/metrics/lines.h"
#include "harness/metrics/scorer.h"
#include "harness/verify/metrics/vectors.h"

struct vector_case {
    const char *path;      /* .../rouge/summaries                          */
    const char *data;      /* folder of data that is no part of us, or NULL */
    json_t     *expected;  /* expected.json                                */
    double      tolerance; /* relative; 1e-9 unless check() changes it      */
    long        compared;  /* values                                       */
    char       *skipped;   /* parts that could not be run, or NULL         */
    char       *mismatch;  /* the first, in full, or NULL                  */
};

/* NAME in the case's folder; the caller closes it. */
int case_lines(const struct vector_case *c, struct lines *out,
               const char *name);

/* The files of one scoring. */
struct case_files {
    struct lines hyp, ref[SCORE_REFS], groups;
    int          refs; /* read by case_files_open */
};

/* HYP, and REF: "ref%d.txt" reads ref1.txt, ref2.txt, ... as far as there are;
 * a name without % is one file.  groups may be NULL. */
int  case_files_open(struct case_files *f, const struct vector_case *c,
                     const char *hyp, const char *ref, const char *groups);
void case_files_close(struct case_files *f);
OWNER_OF_VALUE(case_files_close, struct case_files)

/* Scores with `options`, a JSON object whose keys the scorer knows: true and
 * false are flags, null the default, a list its items joined by commas.  NULL:
 * defaults.  The caller frees *out. */
int case_score(struct result **out, const struct vector_case *c,
               const struct scorer *s, const struct case_files *f,
               const json_t *options);

/* Scores run.options, then compares every other key of run with the result's,
 * except those of ignore (ends with NULL; or NULL).  `where` names the run. */
int case_run(struct vector_case *c, const struct scorer *s,
             const struct case_files *f, const json_t *run, const char *where,
             const char *const *ignore);

/* case_run of each of expected.runs. */
int case_runs(struct vector_case *c, const struct scorer *s,
              const struct case_files *f);

/* NAME is, line by line, what make(with, line), in fresh memory, makes of FROM.
 * case_has: whether the case has such a file; large ones come without. */
int case_texts(struct vector_case *c, const char *from, const char *name,
               char *(*make)(const void *with, const char *line),
               const void *with);
int case_has(const struct vector_case *c, const char *name);

/* `want` against `got`, whole trees: numbers with a fraction by the tolerance,
 * integers and texts exactly, an integer `want` accepts an equal real. */
int case_equal(struct vector_case *c, const char *where, const json_t *want,
               const json_t *got);
int case_equal_real(struct vector_case *c, const char *where, double want,
                    double got);
int case_equal_text(struct vector_case *c, const char *where, size_t line,
                    const char *want, const char *got);

/* Notes that a part was not run; the case then counts as skipped. */
void case_skip(struct vector_case *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
