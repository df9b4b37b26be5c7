/*
 * contrast: a difference that an experiment names before it runs, as its file,
 * experiment.json and tables spell it:
 *
 *     TASK METRIC: A - B
 *     lm1b ppl: random,tuned - vanilla,tuned
 *
 * A and B are rows.  The contrasts of an experiment are one family of tests,
 * whose size is the length of the list.  No other difference of it has a
 * verdict.
 */
#pragma once

struct arena;

struct contrast_named { const char *task, *metric, *a, *b; };

/* Reads one into memory of the arena.  Returns 0 if the text is not one. */
int contrast_read(struct contrast_named *out, const char *text,
                  struct arena *a);

/* Returns true if the text is one. */
int contrast_ok(const char *text);

/* Returns true if both are of the same rows in either order, task and
 * metric. */
int contrast_same(const struct contrast_named *x,
                  const struct contrast_named *y);

/* Reads a list that ends with NULL.  Its copy ends with a task of NULL; *n is
 * its length. */
const struct contrast_named *contrast_list(const char *const *text, int *n,
                                           struct arena *a);
