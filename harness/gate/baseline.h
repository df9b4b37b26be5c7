/*
 * baseline: accepted results, against which others are held: every cell of a
 * finished experiment with its digests, every metric with its interval, what
 * it cost, and by what and where it was made.  As a file it is text, a line a
 * value, sorted: made to be committed, and to be read in a diff.
 *
 *     results/baselines/NAME.tsv
 *
 *     # synthbench baseline 2
 *     # experiment  smoke
 *     # ...
 *     cell  what  value  low  high  units  better  signature
 *     random/lm1b/smoke/1  id  0123456789abcdef
 *     random/lm1b/smoke/1  metrics/ce  4.21  4.1  4.3  nats/token  lower  ...
 *     # SHA-256 of all above
 *
 * Fields have one tab between them and end where the rest would be empty.
 * What is not a metric: `id`, `config` (JSON, what is not default); the first
 * 16 digits of digests, `data`, `results` (cell_results) and `weights`;
 * `params`, `flops_per_step`, `tokens`; `start`, the training losses of the
 * first steps, where the curve has a point a step; `peak_rss_bytes`;
 * `step_seconds`, the median with its 10th and 90th percentile as low and high,
 * and `step_seconds_least`.  Metrics have all their digits, intervals six.
 * The file of test examples that may stand beside it: examples_cache.h; bands:
 * band.h.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/stats/stats.h"

enum { BASELINE_SCHEMA = 2, BASELINE_START = 4 };

struct baseline_value {
    const char     *what;      /* "metrics/ce", "params"                   */
    const char     *text;      /* a digest or another text; NULL: a number */
    double          value;
    struct interval between;   /* NAN: unknown                             */
    const char     *units, *signature; /* "": none                         */
    int             better;    /* +1, -1; 0: neither                       */
};

struct baseline_cell {
    const char            *name; /* "random/lm1b/smoke/1"                  */
    int                    n;
    struct baseline_value *value; /* sorted by `what`                      */
};

struct baseline {
    const char *name;       /* of the baseline: "smoke"                    */
    int         facts;      /* how it came about                           */
    struct baseline_fact { const char *name, *text; } *fact;
    int         cells;
    struct baseline_cell *cell; /* sorted by name, then by id              */
    int         bands;
    struct baseline_cell *band; /* of learning curves: band.h              */
    struct arena *memory;   /* owns all of it                              */
};

struct metric;

/* What a store holds.  metrics: those that test examples can tell, for
 * intervals; end with NULL; or NULL.  ERR_EMPTY: nothing is done, or, where it
 * is to be `whole`, not all is, with what lacks; ERR_STORE: a cell is
 * damaged. */
int baseline_measure(struct baseline **out, const char *name,
                     const char *store, int whole,
                     const struct metric *const *metrics);

/* Leaves out times and memory, machine and build: what is left is the same
 * wherever the bits are. */
void baseline_strip(struct baseline *b);

/* ERR_USAGE: there is none of that name; ERR_STORE with FILE:LINE: damaged,
 * edited or of a newer program. */
int baseline_read(struct baseline **out, const char *path);
int baseline_missing(const char *path); /* the former, with the nearest */
int baseline_write(const struct baseline *b, const char *path);

struct baseline *baseline_new(const char *name); /* of nothing */
void baseline_close(struct baseline *b);         /* NULL is fine */
OWNER(baseline_close, struct baseline *)

/* NULL: the cell, or the baseline, has no such thing. */
const struct baseline_value *baseline_value(const struct baseline_cell *c,
                                            const char *what);
const char *baseline_text(const struct baseline_cell *c, const char *what);
const char *baseline_fact(const struct baseline *b, const char *name);

/* Of a cell without its seed; JSON, the caller's. */
char *baseline_seedless(const struct baseline_cell *c);

/* One more, without a number, for which there is room; and all by `what`. */
struct baseline_value *baseline_add(struct baseline_cell *to, const char *what);
void baseline_sort(struct baseline_cell *c);
void baseline_add_fact(struct baseline *b, const char *name, const char *text);

/* A number as files have it: in as few digits, 6 to `most`, as give it back;
 * "": NAN. */
const char *baseline_digits(double x, int most, char out[32]);

/* "higher", "lower", "": neither; and +1, -1, 0. */
const char *baseline_better(int better);
int         baseline_better_of(const char *word);

/* Times and memory, which are never the same, and the build; else a result. */
int baseline_is_cost(const char *what);
