/*
 * contrast: a difference that an experiment declares before it runs.  config
 * reads contrasts from experiment files, and report judges them.  Experiment
 * files, experiment.json and tables use the same notation:
 *
 *     TASK METRIC: A - B
 *     lm1b ppl: random,tuned - vanilla,tuned
 *
 * A and B are rows of tables.  The contrasts of an experiment are one family of
 * tests, and its size is the length of the list.  No other difference gets a
 * verdict.
 */
#pragma once

struct arena;

struct contrast_named { const char *task, *metric, *a, *b; };

/* Reads a contrast into memory of the arena.  Returns 1, or 0 if the text is
 * not a contrast. */
int contrast_read(struct contrast_named *out, const char *text,
                  struct arena *a);

/* Returns 1 if the text is a contrast. */
int contrast_ok(const char *text);

/* Returns 1 if both have the same task and metric, and the same rows in either
 * order. */
int contrast_same(const struct contrast_named *x,
                  const struct contrast_named *y);

/* Reads a list of valid texts that ends with NULL; a NULL list is empty.
 * Returns a list in the arena that ends with a task of NULL; *n is its
 * length. */
const struct contrast_named *contrast_list(const char *const *text, int *n,
                                           struct arena *a);
