/*
 * published: what the paper and those who quote it say about one number.
 * Read from experiments/published.tsv; the file explains its columns.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/stats/stats.h"

struct published;

struct published_value {
    double      value;   /* 67M is 67e6                                  */
    double      unit;    /* of its last digit: 67M has 1e6, 7.5K 100     */
    const char *source;  /* who gives this value, joined by "; "         */
    const char *dispute; /* what the others give and why, or NULL        */
};

/* A line as it stands there. */
struct published_line {
    const char *table, *row, *column; /* as printed                         */
    const char *key;                  /* variant/task/metric here, of "a/b"
                                         variant/task/metric/metric; or ""  */
    const char *beside;               /* the table of ours that it stands
                                         below, without a cell; or ""       */
    const char *text, *source, *note;
    double      value, unit;          /* as of a claim; NAN: text is none   */
    int         sure;                 /* 0: a slip of its source; to 4      */
};

extern const char *const published_sure[]; /* its words; ends with NULL */

/* A number of a line with a key; of "92.0/88.7" there are two. */
struct published_number {
    const char                  *key, *text; /* variant/task/metric */
    double                       number, unit;
    const struct published_line *of;
};

/* ERR_DATA: missing, or damaged (file:line). */
int  published_open(struct published **out);
int  published_read(struct published **out, const char *path);
void published_close(struct published *p);
OWNER(published_close, struct published *)

/* The value of the most confident source.  Returns 0 if there is none. */
int published_find(const struct published *p, struct published_value *out,
                   const char *variant, const char *task, const char *metric);

/* All of them, in their order; they belong to p. */
const struct published_line *published_lines(const struct published *p, int *n);

/* All that is rounded to the value of a line.  A column is printed to the same
 * digit: 2.04 below 1.972 is 2.040. */
struct interval published_rounded(const struct published *p,
                                  const struct published_line *x);

/* The numbers of those with a key. */
const struct published_number *published_numbers(const struct published *p,
                                                 int *n);
