/*
 * benchmark: GLUE and SuperGLUE answered in text, as T5 does (Raffel et al.,
 * JMLR 2020): the label is a word, and a text that is no label of the task is
 * wrong.  It counts as no class at all; where the scorer knows two classes
 * alone, as the other one; for a score, as -1.  A correlation that is undefined
 * (every answer the same) counts as 0.
 */
#ifndef METRICS_LABELS_BENCHMARK_H
#define METRICS_LABELS_BENCHMARK_H

#include "harness/metrics/labels/aggregate.h"
#include "harness/metrics/metric.h"

enum benchmark_answer {
    ANSWER_CLASS,  /* one of the labels                           */
    ANSWER_BINARY, /* one of two                                  */
    ANSWER_SCORE,  /* a number                                    */
    ANSWER_GROUP,  /* one of two, scored together with its group  */
    ANSWER_TEXT,   /* any; references are one a line              */
    ANSWER_REFERENT /* a class; where the reference has a second line, it is
                       the referent of a pronoun, and the answer names one:
                       the class is whether they are the same (referent.h) */
};

struct scorer;

struct benchmark_subtask {
    const char *name, *task;    /* "mnli_matched"; "mnli" of aggregate.h */
    enum benchmark_answer answer;
    const char *const *label;   /* in the order of classes, ends with NULL */
    const struct scorer *scorer;
    struct {
        const char *key;    /* of the scorer's result  */
        const char *metric; /* of aggregate.h, or NULL */
    } value[2];
};

/* They end with a name of NULL. */
extern const struct benchmark_subtask benchmark_glue[], benchmark_superglue[];

struct gathered;

/* The values of a subtask as strata, at most 2, in percent; how many.  g: what
 * was answered and asked, as the subtask's scorer reads it, not nothing. */
int benchmark_strata(struct stratum *out, const struct benchmark_subtask *t,
                     const struct gathered *g);

#endif
