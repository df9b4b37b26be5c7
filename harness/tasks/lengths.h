/*
 * lengths: the mean lengths of a task's examples before training, for
 * estimates.  They are measured if the examples are prepared in the cache, or
 * published if official data is requested and a publication gives its word
 * counts; otherwise they are the greatest possible lengths.  plan.c calls
 * task_lengths; training calls lengths_measure for the data that it has opened.
 */
#pragma once

#include "harness/tasks/task.h"

/* Subwords per word for LM1B's English, in Tensor2Tensor's vocabulary of 32,768
 * (176,884 for the 159,658 words of the first held-out shard). */
#define SUBWORDS (176884. / 159658)

enum lengths_from { LENGTHS_LONGEST, LENGTHS_PUBLISHED, LENGTHS_PREPARED };

/* Mean lengths of the examples of one bucket (data/buckets.h), by their longer
 * side, and the share of these examples. */
struct lengths_of { double share, source, target; };

/* Number of examples and longest sides of a split, or the greatest possible
 * values if it is not prepared. */
struct longest { int n, source, target; };

struct lengths {
    double source, target; /* ids of an example, with end marks; 0: no such
                              side */
    enum lengths_from from;
    const char *words;     /* source of the word counts, or "" */
    struct longest longest[SPLITS];
    const struct lengths_of *bucket; /* by bucket, for o->length; NULL: not
                                        prepared */
};

/* Measures the lengths of d; `longest` determines the buckets. */
void lengths_measure(struct lengths *out, const struct dataset *d, int longest,
                     struct arena *a);

/* Sets *out to the lengths of a task.  If o->files is NULL, does not search the
 * cache.  The lengths by bucket are in arena a. */
void task_lengths(struct lengths *out, const struct task *t,
                  const struct task_opts *o, struct arena *a);
