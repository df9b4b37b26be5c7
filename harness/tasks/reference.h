/*
 * reference: answers that need no model, beside which a model's are read.
 */
#pragma once

#include "harness/data/dataset.h"

struct sides;
struct features;

struct reference {
    const char *name; /* "lead"; NULL: the end of a list           */
    const char *what; /* how it answers, in a line; kept in cells  */
    /* answer[i]: to test example i, learnt from the training split alone; text
     * of d or from arena a. */
    void (*answer)(const struct reference *self, const char **answer,
                   const struct dataset *d, struct arena *a);
    /* Of those below: of a pair of texts; NULL: none. */
    void (*features)(struct features *f, const struct sides *s);
};

/* Of tasks of several subtasks, each learnt from its own training examples, or,
 * where it has none, from those of the subtask before it:
 *
 *     majority         the most frequent target
 *     hypothesis-only  naive Bayes over the words of the hypothesis (sides.h)
 *     overlap-only     naive Bayes over the share of its words that are the
 *                      premise's too
 *
 * On a tie the target that training has first; of scores the mean.  A subtask
 * without two texts gets its majority from all three, so that the benchmark's
 * mean is defined. */
extern const struct reference reference_pairs[];
