/*
 * result_table: a table of the paper filled in from a store, before it has a
 * form.  table calls result_fill, or result_read for a file (result_fields.h),
 * then passes the table to the functions that write it.
 *
 * value     mean over the n seeds that are finished; for a speed (steps_per_s)
 *           the maximum of those that are not too noisy
 * between   n >= 2: interval over seeds x test examples (stats/two_way.h); for
 *           metrics not computed per example, Student's t over the seeds or,
 *           with 8 or more, the BCa bootstrap (stats/bootstrap.h); n = 1:
 *           bootstrap over the test examples (report/evidence.h), if the metric
 *           is computed per example
 * compared  the variants with two seeds or more; the others have no rank and
 *           no star, and take no part in correlations
 * rank      among those, 1 is the best; ties share their mean rank
 * star      the best variant and all that do not differ from it significantly;
 *           the family of tests (stats/verdict.h) is the other variants of the
 *           column, so that the truly best variant has a star with 95 %
 *           confidence
 *
 * A column is not ranked, and has no star or correlation, for the first of
 * these reasons that applies:
 *
 * not compared    the experiment says so about its task (config/experiment.h)
 * different data  rows that vary a setting ("random,N=32") have other training,
 *                 validation or test examples than rows with other values of
 *                 it
 * uninformative   no variant's interval is better than the best model-free
 *                 baseline (or no value, if there is no interval)
 * outside the contrasts  the experiment names the differences that it judges
 *                 (store/contrast.h); only those pairs of rows have a verdict
 * one seed        some variants have one seed, and fewer than two are compared
 * not converged   concerns only a part of the column: a variant that has not
 *                 converged relative to its difference from another compared
 *                 one (report/learning.h) has no rank.  If the best variant is
 *                 one of these, there is no star; if any is, there is no
 *                 correlation.  A pair of rows that has not converged has no
 *                 verdict, either
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/builds.h"
#include "harness/report/learning.h"
#include "harness/report/published.h"
#include "harness/report/table.h"
#include "harness/stats/rank_correlation.h"
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
    enum cell_state state;     /* that of the most advanced seed */
    double          value;     /* NAN: none                      */
    struct interval between;
    enum over       over;
    int             n, asked;  /* seeds with a value; seeds of the experiment,
                                  without refused ones                  */
    double         *by_seed;   /* [n]; NULL: a reference, or read from a file of
                                  an earlier version                    */
    double          published; /* NAN: none                             */
    const char     *source;    /* of published, joined by "; ", or NULL */
    const char     *dispute;   /* other published values; NULL: none    */
    double          rank, rank_published; /* NAN: none                        */
    const char     *how;       /* how the metric is computed; NULL: no metric */
    const char     *signature; /* report/signature.h, or "none: REASON"       */
    int             best;      /* 1: has a star in its column                 */
    const char     *commit;    /* of its cells, joined by ", ", or NULL       */
    int             worse_than_blind; /* number of seeds (blind_baseline.h) */
    const char     *chosen;    /* settings chosen by trials, or NULL */
    double          settled, settled_error; /* gain in the last tenth of
                                               training, nats (learning.h); NAN:
                                               unknown */
    int             unsettled; /* 1: not converged relative to its
                                  difference from another compared variant */
    int             disputed;  /* 1: dispute is not NULL                   */
    const char     *reason;    /* why there is no value, or NULL           */
    int             set;       /* data set of its task (evidence_set): only
                                  numbers of one set can be compared (not set if
                                  read from a file)                        */
};

struct result_row {
    const char        *variant, *title;
    const char        *what;      /* description of a reference, "" if it has
                                     none; NULL: a variant */
    int                reference;
    struct result_cell *cell;   /* one for each column */
    const char        *signature; /* of its numbers, or "none: REASON" */
    const char        *published; /* variant whose published numbers are shown;
                                     NULL: its own                     */
    const char        *command;   /* reproduces the row; NULL: nothing to
                                     train                             */
};

struct result_correlation {
    const struct result_task *task;
    const struct table_column *column;
    struct rank_correlation rho, tau; /* Spearman's, Kendall's */
    int                        n;   /* rows that have both */
};

struct result_by_seed { long long seed; double a, b; }; /* NAN: not finished */

struct result_pair {
    const struct result_task *task;
    const char              *a, *b;
    const char              *metric, *unit;
    int                      better;     /* of the metric: +1, -1 */
    double                   difference; /* a minus b             */
    struct verdict           verdict;    /* its family: the pairs of the table,
                                            or the contrasts      */
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
    const char          *file;         /* of the experiment (store/frozen.h), or
                                          NULL                               */
    const char          *command;      /* trains its cells; NULL: no experiment
                                          file is known, or not printable    */
    int                  synthetic;    /* number of synthetic tasks          */
    int                  done, cells;  /* cells of this table: finished; all */
    int                  others;       /* finished cells of the store that are
                                          not part of the experiment         */
    int                  seeds;        /* most finished seeds of any cell    */
    int                  needed;       /* seeds for a significant difference of
                                          any variant from the best; 0: there
                                          are enough                         */
    int                  judged;       /* contrasts of the experiment; 0: all
                                          rows are compared                  */
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

/* Fills in a table from a store.  metrics: a list of metrics that can be
 * resampled from the test examples (evidence.h), which ends with NULL; or NULL
 * for those that need no texts. */
int  result_fill(struct result_table **out, const struct table *t,
                 const struct report *r, const struct metric *const *metrics);
void result_close(struct result_table *s); /* NULL is allowed */
OWNER(result_close, struct result_table *)

/* Returns the row of that variant, added if there is none yet.  what: see
 * struct result_row. */
struct result_row *result_add_row(struct result_table *s, const char *variant,
                                  const char *title, const char *what);

/* Returns the label of a task: its title, then marks such as (SYNTHETIC). */
const char *result_label(struct result_table *s, const struct result_task *t);

/* Return the task of that name, or NULL; and the task of a column. */
struct result_task *result_find(const struct result_table *s, const char *task);
const struct result_task *result_task_of(const struct result_table *s,
                                         int column);

/* Returns 1 if the row is a variant that has a number from several seeds and
 * was not trained by another program. */
int result_compared(const struct result_row *row, int column);
/* Returns 1 if the cells of the row were trained by another program. */
int result_external(const struct result_row *row);
/* Returns 1 if a row of the column has a star. */
int result_starred(const struct result_table *s, int column);

/* Returns the interval of a cell, "[1.20, 3.40]", or "" if it has none.
 * Returns "too few seeds" if it is useless: with two to four seeds, it contains
 * 0 and twice the value. */
const char *result_interval(char out[64], const struct result_cell *x,
                            int decimals);

/* Return 1 if an interval of the column, or of any column, has these
 * samples. */
int result_over(const struct result_table *s, int column, enum over over);
int result_has_over(const struct result_table *s, enum over over);

/* ---- parts of a table, one file each: table_select.c, rank_rules.c,
 * uninformative.c, rank.c, sign.c, table_provenance.c, missing_reason.c,
 * guesses.c, retrain_command.c, table_cells.c, table_footnotes.c,
 * table_layout.c ---- */

/* Selects the tasks and columns that have cells, and the rows.  Returns
 * ERR_EMPTY if no cell is finished, or ERR_USAGE if there are two scales, or
 * two cells for one place. */
int table_select_fill(struct result_table *s);

/* Sets why a column is not ranked, and marks its cells that have not
 * converged.  All its rows must have been added.  learning: [rows]. */
void withheld_mark(struct result_table *s, int column,
                   const struct learning *learning);

/* Removes ranks, stars and correlations from columns that are not ranked for
 * any reason except convergence. */
void withheld_clear(struct result_table *s);

/* Returns 1 if a column has too few seeds to be ranked. */
int withheld_seeds(const struct result_table *s, int column);

struct sheet;

/* Returns "a", "b", "undecided" or "not converged". */
const char *pair_verdict(const struct result_pair *p);

/* Returns a sentence: "LM1B, ppl: Random beats Dense by 5.1 [4.2, 6.0], ...".
 * It belongs to s->memory. */
const char *pair_text(const struct result_table *s,
                      const struct result_pair *p);

/* Adds items that say what is not ranked, and why. */
void withheld_put(struct sheet *to, const struct result_table *s);

/* Returns 1 if the column is uninformative.  All its rows must have been
 * added. */
int uninformative(const struct result_table *s, int column);

/* Returns the row of the best model-free baseline of a column, or -1 if there
 * is none. */
int uninformative_row(const struct result_table *s, int column);

/* Sets rank and rank_published of every cell, and the correlations. */
void rank_measured(struct result_table *s);

/* Signs every cell that has a number, and every row.  The signature of a row
 * covers its metrics that have a direction, not counts such as params.  Returns
 * ERR_STORE if a cell is damaged. */
int sign_measured(struct result_table *s);

/* Returns ERR_USAGE if two numbers of a column are computed in different ways;
 * path: their origin, for the message. */
int sign_alike(const struct result_table *s, const char *path);

/* Sets experiment, others, failures, guesses, builds and the commits of every
 * cell from s->report, then calls data_clean.  Returns ERR_STORE if a cell is
 * damaged. */
int origin_fill(struct result_table *s);

/* Returns the origin of the data: "Debian bookworm package descriptions in
 * place of LM1B and AG News; ...".  For official files it is only their name.
 * It belongs to s->memory; "" if no cell is finished. */
const char *origin_data(const struct result_table *s);

/* reason_text returns why a cell has no number, or NULL if it has one;
 * reason_mark returns its mark, "0/3".  reason_put adds items that explain the
 * marks. */
const char *reason_text(const struct result_table *s,
                        const struct result_row *row, int column);
const char *reason_mark(const struct result_table *s,
                        const struct result_row *row, int column);
void        reason_put(struct sheet *to, const struct result_table *s);

/* guesses_fill selects the assumptions of the experiment that are about a
 * number of the table.  guesses_about returns those about a number of a row,
 * "A; B", or NULL if there are none.  guesses_put adds them as items. */
void        guesses_fill(struct result_table *s);
const char *guesses_about(const struct result_table *s,
                          const struct result_row *row, int column);
void        guesses_put(struct sheet *to, const struct result_table *s);

/* again_fill sets the commands that reproduce the table and each row; again_put
 * adds them.  again_needs_store returns 1 if no file defines the cells, so that
 * the command needs the store. */
void again_fill(struct result_table *s);
int  again_needs_store(const struct report *r);
void again_put(struct sheet *to, const struct result_table *s);

/* The grids.  view_values: our numbers and the published ones; letters are
 * their sources, `!` marks a dispute.  view_has_intervals returns 1 if a cell
 * has an interval.  view_intervals: 95 % confidence intervals. */
void view_values(struct sheet *to, const struct result_table *s);
int  view_has_intervals(const struct result_table *s); /* 1: a cell has one */
int  view_lacks_interval(const struct result_table *s); /* 1: one has none */
void view_intervals(struct sheet *to, const struct result_table *s); /* 95 % */

/* Adds a grid for each column: number, interval, seeds, ranks, published
 * number. */
void view_detail(struct sheet *to, const struct result_table *s);

/* Returns the sources in order of appearance, "a = ..., b = ...", or "". */
const char *view_sources(const struct result_table *s);

/* Adds the notes below the table: what its columns, marks and rows are. */
void notes_put(struct sheet *to, const struct result_table *s);

/* Adds the pairs with their values by seed, in every form.  Returns ERR_EMPTY
 * if the table has none. */
int pairs_fill(struct sheet *to, const struct result_table *s);

/* Writes the table for people.  If `brief` is not 0, leaves out the sections
 * that explain where its numbers come from. */
void layout_fill(struct sheet *to, const struct result_table *s, int brief);
