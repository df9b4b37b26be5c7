/*
 * benchmark: scores GLUE and SuperGLUE with answers in text, as in T5 (Raffel
 * et al., JMLR 2020), for the metrics of metric_benchmark.c.  A label is a
 * word.  An answer that is not a label of the task is wrong.  It counts as no
 * class, or, if the scorer has only two classes, as the class that is not
 * correct.  If a number is required, an answer that is not a number counts as
 * -1.  A correlation that is undefined because all answers are equal counts as
 * 0.
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
    /* a label or, if the reference has a second line, any text.  The second
     * line then names a candidate for what a pronoun refers to; the answer
     * names what the model takes the pronoun to refer to.  The answer's class
     * is 1 if both are the same (referent_same) */
    ANSWER_REFERENT
};

struct scorer;

struct benchmark_subtask {
    const char *name, *task;    /* such as "mnli_matched" and "mnli"; the
                                   subtasks of a task are adjacent */
    enum benchmark_answer answer;
    const char *const *label;   /* in the order of classes; NULL at the end */
    const struct scorer *scorer;
    struct {
        const char *key;    /* key in the scorer's result */
        const char *metric; /* such as "accuracy_matched" */
    } value[2];
};

/* Both arrays end with a NULL name. */
extern const struct benchmark_subtask benchmark_glue[], benchmark_superglue[];

/* Returns the score of the benchmark `of`, as on the leaderboards of GLUE (Wang
 * et al., 2019) and SuperGLUE (Wang et al., 2019): averages the metrics of each
 * task, then the tasks.  Unless `without` is NULL, omits the task of that name.
 * The metrics are the parts named "TASK_METRIC"; other parts are ignored.
 * Returns NAN if a part is missing or NAN. */
double benchmark_mean(const struct benchmark_subtask *of, const char *without,
                      const struct metric_part *part, int n);

struct gathered;

/* Sets `out` to one stratum (stratum.h) for each `value` of the subtask `t`, in
 * percent, and returns their number, which is at most 2.  `g` holds answers and
 * references in the form that the subtask's scorer reads, and is not empty. */
int benchmark_strata(struct stratum *out, const struct benchmark_subtask *t,
                     const struct gathered *g);

/* Returns 1 if `answer` names `referent`, the noun that a pronoun refers to; 0
 * if it does not; and -1 if it is empty, which counts as neither.  For WSC in
 * T5's simple form (Raffel et al., 2.4): in lower case and without determiners,
 * the words of one text must all be words of the other ("the old keeper",
 * "keeper"), and both or neither must have an apostrophe. */
int referent_same(const char *answer, const char *referent);

/* For ReCoRD (score_record.c): record_marks sets m[i] to the scores (exact
 * match and F1) of the query in line i of in->ref[0].  The member `predicted`
 * is the normalised prediction, which lives in the arena `a`, or NULL if there
 * is none.  Returns ERR_DATA if a line is not valid, or if a query is repeated
 * or unknown. */
struct record_mark { double exact, f1; const char *predicted; };
struct arena;
struct score_input;

int record_marks(struct record_mark *m, const struct score_input *in,
                 struct arena *a);
