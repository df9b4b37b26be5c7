/*
 * published: the numbers of the paper and of other measurements of its models,
 * each with its sources.  They are read from experiments/published.tsv, which
 * explains its columns.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/stats/stats.h"

struct published;

struct published_value {
    double      value;   /* 67e6 for 67M                                 */
    double      unit;    /* of its last digit: 1e6 for 67M, 100 for 7.5K */
    const char *source;  /* those that report it, joined by "; "         */
    const char *dispute; /* other values and the reason, or NULL         */
};

/* A line of the file. */
struct published_line {
    const char *table, *row, *column; /* as printed                        */
    const char *key;                  /* variant/task/metric, or for "a/b"
                                         variant/task/metric/metric; or "" */
    const char *beside;               /* our table below which it is shown,
                                         because no cell has it; or ""     */
    const char *text, *source, *note;
    double      value, unit;          /* as in published_value; NAN: not a
                                         number                               */
    int         sure;                 /* index of published_sure; 0: an error */
};

extern const char *const published_sure[]; /* ends with NULL */

/* A number of a line with a key; "92.0/88.7" has two. */
struct published_number {
    const char                  *key, *text; /* key: variant/task/metric */
    double                       number, unit;
    const struct published_line *of;
};

/* Read experiments/published.tsv, or the file `path`.  Return ERR_DATA if it is
 * missing or damaged (file:line). */
int  published_open(struct published **out);
int  published_read(struct published **out, const char *path);
void published_close(struct published *p);
OWNER(published_close, struct published *)

/* Gets the value of the most confident source; texts belong to p.  Returns 1,
 * or 0 if there is no value. */
int published_find(const struct published *p, struct published_value *out,
                   const char *variant, const char *task, const char *metric);

/* Returns all lines, in the order of the file; *n: their number.  They belong
 * to p. */
const struct published_line *published_lines(const struct published *p, int *n);

/* Returns the range of values that round to the value of a line.  All values of
 * a column have the same last digit: 2.04 in a column with 1.972 is 2.040. */
struct interval published_rounded(const struct published *p,
                                  const struct published_line *x);

/* Returns the numbers of all lines with a key; *n: how many there are.  They
 * belong to p. */
const struct published_number *published_numbers(const struct published *p,
                                                 int *n);
