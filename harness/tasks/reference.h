/*
 * reference: model-free baselines, whose results are reported next to those of
 * models.  Each task lists its baselines; `train` calls `answer` of each.
 */
#pragma once

#include "harness/data/dataset.h"

struct sides;
struct features;

struct reference {
    const char *name; /* "lead"; NULL: end of a list     */
    const char *what; /* method, one line; stored in cells */
    /* Sets answer[i] to the answer to test example i, learned from the training
     * split only.  The text answer[i] belongs to d or to arena `a`. */
    void (*answer)(const struct reference *self, const char **answer,
                   const struct dataset *d, struct arena *a);
    /* For reference_pairs: sets *f to the features (reference.c) of a pair of
     * texts.  The member is NULL if the baseline uses no features. */
    void (*features)(struct features *f, const struct sides *s);
};

/* Baselines for tasks with several subtasks.  Each subtask is learned from its
 * own training examples or, if it has none, from those of the subtask before
 * it:
 *
 *     majority         answers the most frequent target
 *     hypothesis-only  naive Bayes over the words of the hypothesis (sides.h)
 *     overlap-only     naive Bayes over the overlap of premise and hypothesis
 *                      (overlap.h)
 *
 * The answer is the most probable target or, if several are equally probable,
 * the one that occurs first in training.  If the targets are scores, the answer
 * is the mean of all of them, weighted by probability.  If the examples of a
 * subtask do not consist of two texts, all three baselines answer the most
 * frequent target, so that the benchmark's mean is defined. */
extern const struct reference reference_pairs[];
