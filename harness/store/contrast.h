/*
 * contrast: parses contrasts.  A contrast is a difference between two rows of a
 * table (variants with their settings).  An experiment declares it before it
 * runs.  `config` reads contrasts from experiment files, and `report` tests
 * them.  Experiment files, experiment.json and tables use the same notation:
 *
 *     TASK METRIC: A - B
 *     lm1b ppl: random,tuned - vanilla,tuned
 *
 * A and B are names of rows.  The contrasts of an experiment form one family of
 * tests; the size of the family is the number of contrasts.  No other
 * difference of the experiment gets a verdict (stats/verdict.h).
 */
#pragma once

struct arena;

struct contrast_named { const char *task, *metric, *a, *b; };

/* Parses a contrast; its texts are allocated from arena `a`.  Returns 1, or 0
 * if `text` is not a contrast. */
int contrast_read(struct contrast_named *out, const char *text,
                  struct arena *a);

/* Returns 1 if the text is a contrast. */
int contrast_ok(const char *text);

/* Returns 1 if both contrasts have the same task, the same metric and the same
 * two rows, in either order. */
int contrast_same(const struct contrast_named *x,
                  const struct contrast_named *y);

/* Parses a list of valid contrasts that ends with NULL; if `text` is NULL, the
 * list is empty.  Returns the *n contrasts, allocated from arena `a`, followed
 * by an entry whose `task` is NULL. */
const struct contrast_named *contrast_list(const char *const *text, int *n,
                                           struct arena *a);
