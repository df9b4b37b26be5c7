/*
 * benchmark: scores GLUE and SuperGLUE with answers in text, as in T5 (Raffel
 * et al., JMLR 2020).  The label is a word.  An answer that is not a label of
 * the task is wrong: it counts as no class; if the scorer has only two classes,
 * as the class that is not correct; or, if a score is required, as -1.  If all
 * answers are equal, so that a correlation is undefined, it counts as 0.
 */
#pragma once

#include "harness/metrics/metric.h"

enum benchmark_answer {
    ANSWER_CLASS,  /* one of the labels                  */
    ANSWER_BINARY, /* one of two labels                  */
    ANSWER_SCORE,  /* a number                           */
    ANSWER_GROUP,  /* one of two labels, scored together
                      with the answers of its group      */
    ANSWER_TEXT,   /* any text; the reference lists the
                      accepted texts, one per line       */
    /* a label.  If the reference has a second line, the second line is a
     * candidate referent of a pronoun, the answer names the referent, and the
     * class is whether the two are the same */
    ANSWER_REFERENT
};

struct scorer;

struct benchmark_subtask {
    const char *name, *task;    /* "mnli_matched"; "mnli": subtasks of one
                                   task are adjacent */
    enum benchmark_answer answer;
    const char *const *label;   /* in the order of classes; NULL at the end */
    const struct scorer *scorer;
    struct {
        const char *key;    /* key in the scorer's result */
        const char *metric; /* "accuracy_matched"         */
    } value[2];
};

/* Both end with a NULL name. */
extern const struct benchmark_subtask benchmark_glue[], benchmark_superglue[];

/* Returns the score of the benchmark `of`: the mean over its tasks, except the
 * task `without` unless this is NULL, of the mean over the metrics of a task,
 * as on the leaderboards of GLUE (Wang et al., 2019) and SuperGLUE (Wang et
 * al., 2019).  The metrics are the parts named "TASK_METRIC"; other parts are
 * ignored.  Returns NAN if a part is missing or NAN. */
double benchmark_mean(const struct benchmark_subtask *of, const char *without,
                      const struct metric_part *part, int n);

struct gathered;

/* Sets `out` to the values of a subtask, in percent, as at most 2 strata, and
 * returns their number.  g holds answers and references in the form that the
 * subtask's scorer reads, and is not empty. */
int benchmark_strata(struct stratum *out, const struct benchmark_subtask *t,
                     const struct gathered *g);

/* Compares referents for WSC in T5's simple form (Raffel et al., 2.4): does a
 * text name what a pronoun refers to?  In lower case and without determiners,
 * the words of one text must all be words of the other ("the old keeper",
 * "keeper"), and both or neither must have an apostrophe.  Returns 1 or 0, or
 * -1 if the answer is empty, which counts as neither. */
int referent_same(const char *answer, const char *referent);

/* Sets m[i] to the marks of query i of ReCoRD (score_record.c), for each line i
 * of in->ref[0].  `predicted` is the normalised answer, in arena `a`, or NULL.
 * Returns ERR_DATA if a line is not valid, or if a query is repeated or
 * unknown. */
struct record_mark { double exact, f1; const char *predicted; };
struct arena;
struct score_input;

int record_marks(struct record_mark *m, const struct score_input *in,
                 struct arena *a);
