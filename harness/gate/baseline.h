/*
 * baseline: accepted results, with which later results are compared.  A
 * baseline has every finished cell of an experiment with its digests, every
 * metric with its interval, costs, and provenance.  Its file is sorted text,
 * one value per line, so that it can be committed and diffs are readable.
 * baseline_measure makes one from a store, baseline_read from a file.
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
 * Fields are separated by one tab; trailing empty fields are omitted.  Values
 * other than metrics: `id`; `config` (JSON, settings that differ from their
 * defaults); the first 16 digits of the digests `data`, `results`
 * (cell_results) and `weights`; `params`, `flops_per_step`, `tokens`; `start`,
 * the training losses of the first steps, if the curve has one point per step;
 * `peak_rss_bytes`; `step_seconds`, the median with its 10th and 90th
 * percentile as low and high; and `step_seconds_least`.  Metrics have all their
 * digits, intervals six.  The optional file of test examples: examples_cache.h;
 * bands: band.h.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/stats/stats.h"

enum { BASELINE_SCHEMA = 2, BASELINE_START = 4 };

struct baseline_value {
    const char     *what;      /* "metrics/ce", "params"                   */
    const char     *text;      /* a digest or other text; NULL: a number   */
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
    int         facts;      /* provenance                                  */
    struct baseline_fact { const char *name, *text; } *fact;
    int         cells;
    struct baseline_cell *cell; /* sorted by name, then by id              */
    int         bands;
    struct baseline_cell *band; /* of learning curves: band.h              */
    struct arena *memory;   /* owns all of it                              */
};

struct metric;

/* Makes the baseline of a store.  metrics: the metrics that are computed from
 * test examples, for intervals, ending with NULL; or NULL.  Returns ERR_EMPTY
 * if no cell is finished or if `whole` and not all are finished (the message
 * names the first), or ERR_STORE if a cell is damaged. */
int baseline_measure(struct baseline **out, const char *name,
                     const char *store, int whole,
                     const struct metric *const *metrics);

/* Removes times, memory, machine and build.  The rest is the same on all
 * machines with bit-identical results. */
void baseline_strip(struct baseline *b);

/* baseline_read returns ERR_USAGE if the file does not exist, or ERR_STORE with
 * FILE:LINE if it is damaged, edited, or from a later version. */
int baseline_read(struct baseline **out, const char *path);
int baseline_missing(const char *path); /* sets that ERR_USAGE */
int baseline_write(const struct baseline *b, const char *path);

struct baseline *baseline_new(const char *name); /* empty */
void baseline_close(struct baseline *b);         /* NULL is fine */
OWNER(baseline_close, struct baseline *)

/* Return NULL if the cell, or the baseline, has no such value or fact. */
const struct baseline_value *baseline_value(const struct baseline_cell *c,
                                            const char *what);
const char *baseline_text(const struct baseline_cell *c, const char *what);
const char *baseline_fact(const struct baseline *b, const char *name);

/* Returns the configuration of a cell without its seed as JSON, or NULL if it
 * is not recorded.  The caller frees it. */
char *baseline_seedless(const struct baseline_cell *c);

/* baseline_add appends a value without a number; to->value must have room for
 * it.  baseline_sort sorts the values by `what`. */
struct baseline_value *baseline_add(struct baseline_cell *to, const char *what);
void baseline_sort(struct baseline_cell *c);
void baseline_add_fact(struct baseline *b, const char *name, const char *text);

/* Formats a number as in files, in the fewest digits, 6 to `most`, that read
 * back to it; "" for NAN. */
const char *baseline_digits(double x, int most, char out[32]);

/* baseline_better returns "higher", "lower" or "" (neither); baseline_better_of
 * the inverse: +1, -1, 0. */
const char *baseline_better(int better);
int         baseline_better_of(const char *word);

/* Returns 1 for times, memory and the build, which differ between runs, or 0
 * for results. */
int baseline_is_cost(const char *what);
