/*
 * lengths: how long the examples of a task are to be, on average, before they
 * are trained on: as measured, where they lie prepared in the cache; as
 * published, where official files are asked for and somebody has counted their
 * words; else as long as may be.
 */
#pragma once

#include "harness/tasks/task.h"

/* Subwords a word: of LM1B's English, in Tensor2Tensor's vocabulary of 32,768
 * (176,884 of 159,658 words of the first held-out shard). */
#define SUBWORDS (176884. / 159658)

enum lengths_from { LENGTHS_LONGEST, LENGTHS_PUBLISHED, LENGTHS_PREPARED };

/* Of the examples whose longer side is of one bucket (data/buckets.h). */
struct lengths_of { double share, source, target; };

/* Of a split: examples and the longest sides; where they are not prepared, as
 * many and as long as may be. */
struct longest { int n, source, target; };

struct lengths {
    double source, target; /* ids of an example, ends too; 0: no such side */
    enum lengths_from from;
    const char *words;     /* who has counted them; or "" */
    struct longest longest[SPLITS];
    const struct lengths_of *bucket; /* of o->length; NULL: not prepared */
};

/* Of data that are there; `longest` decides their buckets. */
void lengths_measure(struct lengths *out, const struct dataset *d, int longest,
                     struct arena *a);

/* o->files NULL: nothing is looked for in the cache.  What is told by bucket is
 * of arena a. */
void task_lengths(struct lengths *out, const struct task *t,
                  const struct task_opts *o, struct arena *a);
