/*
 * lengths: computes the mean lengths of a task's examples, from which time and
 * memory are estimated.  If official data is requested and its examples are
 * prepared in the cache, their lengths are measured.  If they are not prepared,
 * but a publication states the word counts, the lengths follow from these
 * counts.  In all other cases the lengths are the greatest possible ones.
 * plan.c calls task_lengths; training calls lengths_measure for the data that
 * it has opened.
 */
#pragma once

#include "harness/tasks/task.h"

/* Subwords per word of LM1B's English in Tensor2Tensor's vocabulary of 32,768:
 * the first held-out shard has 176,884 subwords and 159,658 words. */
#define SUBWORDS (176884. / 159658)

enum lengths_from { LENGTHS_LONGEST, LENGTHS_PUBLISHED, LENGTHS_PREPARED };

/* The examples of one bucket (data/buckets.h): their share of all examples, and
 * their mean lengths. */
struct lengths_of { double share, source, target; };

/* The number of examples of a split, and the numbers of ids of its longest
 * source and of its longest target.  If the split is not prepared, these are
 * the greatest possible values. */
struct longest { int n, source, target; };

struct lengths {
    double source, target; /* mean ids per example, with end marks; 0: the
                              examples lack this side */
    enum lengths_from from;
    const char *words;     /* publication of the word counts, or "" */
    struct longest longest[SPLITS];
    const struct lengths_of *bucket; /* array, one element per bucket up to the
                                        length of the run; NULL: the lengths
                                        were not measured */
};

/* Measures the lengths of d; the buckets cover lengths up to `longest`. */
void lengths_measure(struct lengths *out, const struct dataset *d, int longest,
                     struct arena *a);

/* Sets *out to the lengths of a task; out->bucket is in arena `a`.  If o->files
 * is NULL, prepared official data are not looked for. */
void task_lengths(struct lengths *out, const struct task *t,
                  const struct task_opts *o, struct arena *a);
