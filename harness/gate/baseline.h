/*
 * baseline: makes, reads and writes baselines, which are accepted results that
 * later results are compared with.  A baseline has provenance and every
 * finished cell of an experiment, with its digests, its costs, and every metric
 * with its interval.  Its file is sorted text, one value per line, so that it
 * can be committed and diffs are readable.  baseline_measure makes a baseline
 * from a store, baseline_read reads it from a file.
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
 * Fields are separated by one tab; trailing empty fields are omitted.  In
 * addition to metrics, a cell has the values `id`, `params`, `flops_per_step`,
 * `tokens` and `peak_rss_bytes`.  `config` is JSON of the settings that differ
 * from their defaults.  `data`, `results` (cell_results) and `weights` are the
 * first 16 digits of digests.  `start` has the training losses of the first
 * BASELINE_START steps, if the curve has one point per step.  `step_seconds` is
 * the median, with the 10th and 90th percentile as low and high;
 * `step_seconds_least` is the minimum.  Metrics are written with all their
 * digits, intervals with six.  Earlier versions also wrote bands of learning
 * curves, as cells with a star in place of the seed; baseline_read skips them.
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
    int             better;    /* +1: higher is better, -1: lower is better,
                                  0: neither                               */
};

struct baseline_cell {
    const char            *name; /* "random/lm1b/smoke/1"                  */
    int                    n;
    struct baseline_value *value; /* sorted by `what`                      */
};

struct baseline {
    const char *name;       /* "smoke"                                     */
    int         facts;      /* number of facts, which are its provenance   */
    struct baseline_fact { const char *name, *text; } *fact;
    int         cells;
    struct baseline_cell *cell; /* sorted by name, then by id              */
    struct arena *memory;   /* owns everything here                        */
};

struct metric;

/* Makes the baseline of a store.  metrics: the metrics whose intervals are
 * computed from test examples, ending with NULL; or NULL.  Returns ERR_EMPTY if
 * no cell is finished, or if `whole` is 1 and a cell is not finished (the
 * message names the first such cell); or ERR_STORE if a cell is damaged. */
int baseline_measure(struct baseline **out, const char *name,
                     const char *store, int whole,
                     const struct metric *const *metrics);

/* Removes times, memory, machine and build from a baseline.  The rest is the
 * same on all machines with bit-identical results. */
void baseline_strip(struct baseline *b);

/* baseline_read reads a baseline.  It returns ERR_USAGE if the file does not
 * exist, or ERR_STORE with FILE:LINE if the file is damaged, edited, or from a
 * later version.  baseline_write writes a baseline to a file, completely or not
 * at all. */
int baseline_read(struct baseline **out, const char *path);
int baseline_write(const struct baseline *b, const char *path);

struct baseline *baseline_new(const char *name); /* empty */
void baseline_close(struct baseline *b);         /* NULL is fine */
OWNER(baseline_close, struct baseline *)

/* baseline_value returns the value `what` of a cell; baseline_text returns the
 * text of this value; baseline_fact returns the text of the fact `name`.  Each
 * returns NULL if the cell or the baseline does not have it. */
const struct baseline_value *baseline_value(const struct baseline_cell *c,
                                            const char *what);
const char *baseline_text(const struct baseline_cell *c, const char *what);
const char *baseline_fact(const struct baseline *b, const char *name);

/* The builds that trained the cells are numbered from 0.  baseline_build
 * returns the number of the build of a cell, and baseline_build_fact a fact of
 * a build, or NULL. */
int         baseline_build(const struct baseline_cell *c);
const char *baseline_build_fact(const struct baseline *b, int build,
                                const char *name);

/* Removes the cells that other programs trained and, if `build` is not NULL,
 * those of builds with another digest.  Returns the number of removed cells. */
int baseline_remove_others(struct baseline *b, const char *build);

/* Returns the configuration of a cell without its seed as JSON, or NULL if it
 * is not recorded.  The caller frees it. */
char *baseline_seedless(const struct baseline_cell *c);

/* Appends a value without a number; to->value must have room for it. */
struct baseline_value *baseline_add(struct baseline_cell *to, const char *what);
void baseline_add_fact(struct baseline *b, const char *name, const char *text);

/* Formats a number as in the file: with the fewest digits, 6 to `most`, from
 * which the same number can be read.  NAN is formatted as "". */
const char *baseline_digits(double x, int most, char out[32]);

/* baseline_better returns "higher" for +1, "lower" for -1 and "" for 0;
 * baseline_better_of returns the number for such a word. */
const char *baseline_better(int better);
int         baseline_better_of(const char *word);

/* baseline_metric is "metrics/", with which the `what` of a metric begins.
 * baseline_is_metric returns 1 if `v` is a metric. */
extern const char baseline_metric[];
int               baseline_is_metric(const struct baseline_value *v);

/* Returns 1 if the value `what` is a time, memory or the build, which differ
 * between runs, or 0 if it is a result. */
int baseline_is_cost(const char *what);
