/*
 * benchmark: GLUE and SuperGLUE answered in text, as T5 does (Raffel et al.,
 * JMLR 2020): the label is a word, and a text that is no label of the task is
 * wrong.  It counts as no class at all; where the scorer knows two classes
 * alone, as the other one; for a score, as -1.  A correlation that is undefined
 * (every answer the same) counts as 0.
 */
#pragma once

#include "harness/metrics/metric.h"

enum benchmark_answer {
    ANSWER_CLASS,  /* one of the labels                           */
    ANSWER_BINARY, /* one of two                                  */
    ANSWER_SCORE,  /* a number                                    */
    ANSWER_GROUP,  /* one of two, scored together with its group  */
    ANSWER_TEXT,   /* any; references are one a line              */
    ANSWER_REFERENT /* a class; where the reference has a second line, it is
                       the referent of a pronoun, and the answer names one:
                       the class is whether they are the same */
};

struct scorer;

struct benchmark_subtask {
    const char *name, *task;    /* "mnli_matched"; "mnli": those of one task
                                   are neighbours */
    enum benchmark_answer answer;
    const char *const *label;   /* in the order of classes, ends with NULL */
    const struct scorer *scorer;
    struct {
        const char *key;    /* of the scorer's result   */
        const char *metric; /* "accuracy_matched"       */
    } value[2];
};

/* They end with a name of NULL. */
extern const struct benchmark_subtask benchmark_glue[], benchmark_superglue[];

/* One number for all tasks, but `without` (or NULL): the mean over tasks of the
 * mean over each one's metrics, as the leaderboards of GLUE (Wang et al., 2019)
 * and SuperGLUE (Wang et al., 2019) take it.  Parts are named "TASK_METRIC".
 * NAN where one is not given, or is NAN; others are not looked at. */
double benchmark_mean(const struct benchmark_subtask *of, const char *without,
                      const struct metric_part *part, int n);

struct gathered;

/* The values of a subtask as strata, at most 2, in percent; how many.  g: what
 * was answered and asked, as the subtask's scorer reads it, not nothing. */
int benchmark_strata(struct stratum *out, const struct benchmark_subtask *t,
                     const struct gathered *g);

/* WSC in the simple form of T5 (Raffel et al., 2.4): does a text name the thing
 * that a pronoun means?  Lower case, determiners left out; the words of one
 * text must all be words of the other ("the old keeper", "keeper"), and both or
 * neither must have an apostrophe.  1 or 0; -1: the answer is empty, which is
 * neither. */
int referent_same(const char *answer, const char *referent);

/* The marks of each query of ReCoRD (score_record.c), m [in->ref[0]->n] in the
 * order of the queries; predicted: normalised, in `a`, or NULL.  ERR_DATA: a
 * line that is none, or a query that stands twice or nowhere. */
struct record_mark { double exact, f1; const char *predicted; };
struct arena;
struct score_input;

int record_marks(struct record_mark *m, const struct score_input *in,
                 struct arena *a);
