/*
 * published: reads published numbers with their sources, and finds them by key.
 * The numbers are from the paper and from other measurements of the paper's
 * models.  The file is experiments/published.tsv; its first lines explain its
 * columns.  Tables, `plan` and claims call it.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/stats/stats.h"

struct published;

struct published_value {
    double      value;   /* 67e6 for 67M                                 */
    double      unit;    /* of the last digit: 1e6 for 67M, 100 for 7.5K */
    const char *source;  /* the sources of the value, joined by "; "     */
    const char *dispute; /* other values and the reason, or NULL         */
};

/* A line of the file. */
struct published_line {
    const char *table, *row, *column; /* as printed                        */
    const char *key;                  /* variant/task/metric; if the text has
                                         two numbers, "a/b",
                                         variant/task/metric/metric; or "" */
    const char *below;                /* if no cell of our tables has the
                                         value: the table below which it is
                                         shown; or ""                      */
    const char *text, *source, *note;
    double      value, unit;          /* as in published_value; NAN: not a
                                         number                               */
    int         sure;                 /* confidence: index in published_sure;
                                         0 ("wrong"): the value is an error   */
};

extern const char *const published_sure[]; /* ends with NULL */

/* published_open reads experiments/published.tsv; published_read reads the file
 * `path`.  Both return ERR_DATA, with file:line, if the file is missing or
 * damaged. */
int  published_open(struct published **out);
int  published_read(struct published **out, const char *path);
void published_close(struct published *p);
OWNER(published_close, struct published *)

/* Sets *out to the value of the source with the highest confidence and returns
 * 1, or returns 0 if there is no value.  `p` owns the texts of *out. */
int published_find(const struct published *p, struct published_value *out,
                   const char *variant, const char *task, const char *metric);

/* Returns all lines, in the order of the file, and sets *n to their number.
 * `p` owns them. */
const struct published_line *published_lines(const struct published *p, int *n);

/* Returns 1 if the values of two lines differ. */
int published_differ(const struct published_line *a,
                     const struct published_line *b);

/* Returns the range of values that round to the value of the line `x`.  All
 * values of a column are assumed to be rounded to the same digit: 2.04 in a
 * column with 1.972 means 2.040. */
struct interval published_rounded(const struct published *p,
                                  const struct published_line *x);
