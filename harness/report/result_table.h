/*
 * result_table: fills in a table of the paper from a store, before the table is
 * formatted.  table.c calls result_fill, or result_read for a file
 * (result_fields.h), then passes the table to the functions that write it.  The
 * numbers of a table are:
 *
 * value     mean over the n finished seeds; for a speed (steps_per_s) the
 *           maximum over the seeds whose speed is not too noisy
 * between   n >= 2: interval over seeds x test examples (stats/two_way.h); for
 *           metrics not computed per example, Student's t over the seeds or,
 *           with 8 or more, the BCa bootstrap (stats/bootstrap.h); n = 1: if
 *           the metric is computed per example, bootstrap over the test
 *           examples (report/evidence.h)
 * rank      rank among the compared variants, which are those with two seeds
 *           or more; 1 is the best, and ties share their mean rank.  Other
 *           variants have no rank and no star, and are not in correlations
 * star      marks the best variant and all variants that do not differ from it
 *           significantly.  The family of tests (stats/verdict.h) has one test
 *           for each other variant of the column, so that the truly best
 *           variant has a star with 95 % confidence
 *
 * A column is not ranked, and has no star or correlation, for the first of
 * these reasons that applies:
 *
 * not compared    the experiment reports the task of the column without
 *                 comparing it (config/experiment.h)
 * different data  rows that vary a setting ("random,N=32") have other training,
 *                 validation or test examples than rows with another value of
 *                 this setting
 * uninformative   no variant's interval (or value, if it has no interval) is
 *                 better than the best model-free baseline
 * outside the contrasts  the experiment names the differences that it judges
 *                 (store/contrast.h); only those pairs of rows have a verdict
 * one seed        some variants have one seed, and fewer than two variants are
 *                 compared
 * not converged   a variant that has not converged relative to its difference
 *                 from another compared variant (report/learning.h) has no
 *                 rank; the other variants keep theirs.  If the best variant
 *                 has not converged, there is no star; if any variant has not
 *                 converged, there is no correlation.  A pair of rows that has
 *                 not converged has no verdict
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/builds.h"
#include "harness/report/evidence.h"
#include "harness/report/published.h"
#include "harness/report/table.h"
#include "harness/stats/correlate.h"
#include "harness/stats/verdict.h"

struct result_task {
    const char *task, *label;  /* "lm1b", "LM1B (SYNTHETIC)" */
    const char *title;         /* "LM1B"                     */
    const char *paper;         /* name of the paper's data   */
    int         synthetic;
    int         examples;      /* in the test set; 0: no finished cell       */
    int         subset;        /* 1: not all rows of the official data       */
    int         uncompared;    /* 1: reported, not compared                  */
    int         apart;         /* 1: rows with different varied settings were
                                  tested on different data (not set if read from
                                  a file)                                    */
    const char *source;        /* origin of the text; NULL: no finished cell */
};

/* The samples of an interval. */
enum over { OVER_NOTHING, OVER_EXAMPLES, OVER_SEEDS, OVER_BOTH };
extern const char *const over_text[]; /* ends with NULL */

/* Why a column is not ranked, or only in part. */
enum withheld {
    WITHHELD_NOT, WITHHELD_UNCOMPARED, WITHHELD_DATA, WITHHELD_UNINFORMATIVE,
    WITHHELD_CONTRASTS, WITHHELD_ONE_SEED, WITHHELD_LEARNING
};
extern const char *const withheld_text[]; /* ends with NULL */

struct result_cell {
    enum cell_state state;     /* state of the most advanced seed */
    double          value;     /* NAN: none                      */
    struct interval between;
    enum over       over;
    int             n, asked;  /* number of seeds with a value; number of seeds
                                  in the experiment that are not refused */
    double         *by_seed;   /* [n]; NULL: a reference, or read from a file of
                                  an earlier version                    */
    double          published; /* NAN: none                             */
    const char     *source;    /* sources of `published`, joined by "; ", or
                                  NULL                                  */
    const char     *dispute;   /* other published values; NULL: none    */
    double          rank, rank_published; /* NAN: none                        */
    const char     *how;       /* how the metric is computed; NULL: no metric */
    const char     *signature; /* report/signature.h, or "none: REASON"       */
    int             best;      /* 1: has a star in its column                 */
    const char     *commit;    /* commits of its cells, joined by ", "; or
                                  NULL                                  */
    int             worse_than_blind; /* number of seeds that are worse than the
                                         input-blind baseline */
    const char     *chosen;    /* settings chosen by trials, or NULL */
    double          settled, settled_error; /* gain in the last tenth of
                                               training, in nats, and its
                                               standard error (learning.h); NAN:
                                               unknown */
    int             unsettled; /* 1: not converged relative to its
                                  difference from another compared variant */
    int             disputed;  /* 1: dispute is not NULL                   */
    const char     *reason;    /* why there is no value, or NULL           */
    int             set;       /* number of its data set (evidence_set); only
                                  numbers on the same data set can be compared.
                                  Undefined if read from a file            */
};

struct result_row {
    const char        *variant, *title;
    const char        *what;      /* description of a reference, "" if it has
                                     none; NULL: a variant */
    int                reference;
    struct result_cell *cell;     /* [columns] */
    int                 columns;
    const char        *signature; /* of its numbers, or "none: REASON" */
    const char        *published; /* variant whose published numbers are shown;
                                     NULL: its own                     */
};

struct result_correlation {
    const struct result_task *task;
    const struct table_column *column;
    struct rank_correlation rho, tau; /* Spearman's, Kendall's */
    int                        n;   /* rows that have both values */
};

struct result_pair {
    const struct result_task *task;
    const char              *a, *b;
    const char              *metric, *unit;
    int                      better;     /* of the metric: +1, -1 */
    double                   difference; /* a minus b             */
    struct verdict           verdict;    /* in the family of the table's pairs,
                                            or of the contrasts   */
    size_t                   seeds, examples, more; /* see report/evidence.h */
    int                      unsettled; /* 1: not converged, no verdict    */
    int                      by_seeds;  /* 0: a file of an earlier version */
    struct result_by_seed *by_seed;   /* in the order of the seeds */
};

/* A cell without a result, and the reason. */
struct result_failure {
    const char     *variant, *task;
    long long       seed;
    enum cell_state state;             /* failed, refused or blocked */
    const char     *message, *class;   /* class: of a failure, or "" */
};

struct result_table {
    const struct table  *table;
    const struct report *report;       /* NULL: read from a file       */
    struct arena        *memory;       /* owns everything except `row` */
    const char          *experiment, *scale;
    const char          *own;          /* the store, if only its experiment.json
                                          defines the cells; or NULL         */
    const char          *file;         /* of the experiment; NULL: it is
                                          included in the program            */
    int                  synthetic;    /* number of synthetic tasks          */
    int                  done, cells;  /* number of finished cells of this
                                          table; number of all its cells,
                                          except refused ones                */
    int                  others;       /* finished cells of the store that are
                                          not part of the experiment         */
    int                  seeds;        /* maximum of result_cell.n           */
    int                  needed;       /* seeds_needed (result_fields.h)     */
    int                  judged;       /* number of contrasts of the experiment;
                                          0: all rows are compared           */
    int                  tasks, rows, columns, correlations, pairs;
    struct result_task        *task;
    struct result_row         *row;  /* freed by result_close */
    size_t                       room; /* allocated rows */
    const struct table_column **column;
    enum withheld              *withheld; /* [columns], see above */
    struct result_correlation *correlation;
    struct result_pair        *pair;
    int                   failures;
    struct result_failure *failure;  /* in the order of the experiment */
    struct builds         builds;      /* builds of its cells */
    const char          **guessed;     /* assumptions about the settings of its
                                          numbers (store/guess.h); ends with
                                          NULL                */
};

struct metric;

/* Fills in the table `t` from the store of `r`.  metrics: the metrics that can
 * be resampled from the test examples (evidence.h), ending with NULL.  If it is
 * NULL, only metrics that need no texts are resampled. */
int  result_fill(struct result_table **out, const struct table *t,
                 const struct report *r, const struct metric *const *metrics);
void result_close(struct result_table *s); /* NULL is allowed */
OWNER(result_close, struct result_table *)

/* Returns the row of a variant.  If the table does not have it, appends it.
 * what: see struct result_row. */
struct result_row *result_add_row(struct result_table *s, const char *variant,
                                  const char *title, const char *what);

/* Returns the label of a task: its title, then marks such as (SYNTHETIC). */
const char *result_label(struct result_table *s, const struct result_task *t);

/* result_find returns the task named `task`, or NULL if the table does not have
 * it; result_task_of returns the task of a column. */
struct result_task *result_find(const struct result_table *s, const char *task);
const struct result_task *result_task_of(const struct result_table *s,
                                         int column);

/* Returns the row named `variant`, or NULL if `s` is NULL or does not have
 * it. */
const struct result_row *result_row_of(const struct result_table *s,
                                       const char *variant);

/* Returns 1 if the cells of the row were trained by another program. */
int result_external(const struct result_row *row);

/* Returns for how many cells of the column or, if `column` is -1, of all
 * columns, `is` returns 1. */
typedef int result_test(const struct result_table *s, int row, int column);
int result_count(const struct result_table *s, int column, result_test *is);
/* result_compared returns 1 if the row is a variant that has a number from
 * several seeds and was not trained by another program; result_starred, if the
 * cell has a star; result_crossed, if the samples of its interval are seeds and
 * examples. */
result_test result_compared, result_starred, result_crossed;

/* Returns the row with the best number of the column among those for which `is`
 * returns 1, or -1 if there is none. */
int result_best(const struct result_table *s, int column, result_test *is);

/* Returns the interval of a cell, "[1.20, 3.40]", or "" if the cell has none.
 * Returns "too few seeds" if the interval is useless, that is, if there are two
 * to four seeds and it contains both 0 and twice the value. */
const char *result_interval(char out[64], const struct result_cell *x,
                            int decimals);

/* Returns a value of a column as it is printed: with the column's decimals or,
 * if the column only counts, with three digits and a prefix; "-" if it is
 * NAN. */
const char *result_value(char out[32], const struct table_column *c, double x);

/* Returns the title of a column with an arrow if higher or lower values are
 * better. */
const char *result_heading(const struct table_column *c, struct arena *a);

/* ---- parts of a table, one file each: table_select.c, rank_rules.c,
 * rank.c, signature.c, table_provenance.c, missing_reason.c, table_cells.c,
 * table_layout.c ---- */

/* Fills in the tasks and columns that have cells, and the rows.  Returns
 * ERR_EMPTY if no cell is finished, or ERR_USAGE if the store has two scales,
 * or two cells with the same row, task and seed. */
int table_select_fill(struct result_table *s);

/* Sets the reason why a column is not ranked, and marks the cells of the column
 * that have not converged.  Call it after all rows have been added.  learning:
 * [rows]. */
void withheld_mark(struct result_table *s, int column,
                   const struct learning *learning);

/* Returns 1 if nothing in the column is ranked. */
int withheld_whole(const struct result_table *s, int column);

struct sheet;

/* Returns which side of the pair is better: "a", "b", "undecided" or "not
 * converged". */
const char *pair_verdict(const struct result_pair *p);

/* Returns a sentence: "LM1B, ppl: Random beats Dense by 5.1 [4.2, 6.0], ...".
 * s->memory owns it. */
const char *pair_text(const struct result_table *s,
                      const struct result_pair *p);

/* Adds items to the sheet that say what is not ranked, and why. */
void withheld_put(struct sheet *to, const struct result_table *s);

/* Returns 1 if the column is uninformative.  Call it after all rows have been
 * added. */
int uninformative(const struct result_table *s, int column);

/* Sets rank and rank_published of every cell, and the correlations. */
void rank_measured(struct result_table *s);

/* Sets the builds, the commits of every cell, and the signature of every cell
 * that has a number and of every row (signature.c).  The signature of a row
 * covers metrics for which higher or lower is better, but not counts such as
 * params.  Returns ERR_STORE if a cell is damaged. */
int sign_measured(struct result_table *s);

/* Returns ERR_USAGE if two numbers of a column are computed in different ways.
 * path: the store or file of the numbers, for the message. */
int sign_alike(const struct result_table *s, const char *path);

/* Sets the experiment and its file, the failures, the assumptions and the
 * members `own` and `others` from s->report; then calls data_clean. */
void origin_fill(struct result_table *s);

/* Returns the origin of the data: "Debian bookworm package descriptions in
 * place of LM1B and AG News; ...", or only the name of official data, or "" if
 * no cell is finished.  s->memory owns the text. */
const char *origin_data(const struct result_table *s);

/* reason_text returns why a cell has no number, or NULL if the cell has a
 * number; reason_mark returns the mark that is printed instead of the number,
 * "0/3".  reason_put adds items to the sheet that explain the marks. */
const char *reason_text(const struct result_table *s,
                        const struct result_row *row, int column);
const char *reason_mark(const struct result_table *s,
                        const struct result_row *row, int column);
void        reason_put(struct sheet *to, const struct result_table *s);

/* view_values adds a grid to the sheet with our numbers and the published
 * numbers; a letter is the source of a value, and `!` marks a disputed value.
 * view_intervals adds a grid of 95 % confidence intervals.  view_interval
 * returns 1 if a cell has an interval, view_lacks_interval if it has a value
 * but no interval. */
void        view_values(struct sheet *to, const struct result_table *s);
result_test view_interval, view_lacks_interval;
void        view_intervals(struct sheet *to, const struct result_table *s);

/* Adds a grid to the sheet for each column: number, interval, seeds, ranks,
 * published number. */
void view_detail(struct sheet *to, const struct result_table *s);

/* Returns the sources of the published numbers, in order of appearance, "a =
 * ..., b = ...", or "". */
const char *view_sources(const struct result_table *s);

/* Adds the pairs of the table, with their values by seed, to the parts, the
 * records and the object of a sheet.  Returns ERR_EMPTY if the table has no
 * pairs. */
int pairs_fill(struct sheet *to, const struct result_table *s);

/* Adds the table as parts of a sheet (print/sheet.h), for the text formats.
 * If `brief` is not 0, leaves out the sections on the origin of the numbers. */
void layout_fill(struct sheet *to, const struct result_table *s, int brief);
