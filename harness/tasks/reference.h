/*
 * reference: model-free baselines, whose results are reported next to those of
 * models.  Tasks list their baselines; training calls `answer` for each of
 * them.
 */
#pragma once

#include "harness/data/dataset.h"

struct sides;
struct features;

struct reference {
    const char *name; /* "lead"; NULL: end of a list     */
    const char *what; /* method, one line; kept in cells */
    /* Sets answer[i] to the answer to test example i, learned from the training
     * split only; its text belongs to d or to arena a. */
    void (*answer)(const struct reference *self, const char **answer,
                   const struct dataset *d, struct arena *a);
    /* For reference_pairs: sets f from a pair of texts; NULL: no features. */
    void (*features)(struct features *f, const struct sides *s);
};

/* Baselines for tasks with several subtasks.  Each subtask is learned from its
 * own training examples or, if it has none, from those of the subtask before
 * it:
 *
 *     majority         the most frequent target
 *     hypothesis-only  naive Bayes over the words of the hypothesis (sides.h)
 *     overlap-only     naive Bayes over the share of its words that occur in
 *                      the premise, too
 *
 * On a tie, the target that occurs first in training is chosen; for scores, the
 * answer is the mean.  For a subtask without two texts, all three baselines
 * give the majority, so that the benchmark's mean is defined. */
extern const struct reference reference_pairs[];
