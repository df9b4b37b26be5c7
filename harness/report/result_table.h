/*
 * result_table: a table of the paper filled in from a store, before it has a
 * form.
 *
 * value     mean over the seeds that are done; n of them; of a speed
 *           (steps_per_s) the greatest of those that are not too noisy
 * between   n >= 2: over seeds x test examples (stats/two_way.h); where these
 *           do not tell the metric over seeds, Student's t or, from 8 on, the
 *           BCa bootstrap (stats/bootstrap.h); n = 1: bootstrap over the test
 *           examples (report/evidence.h), where they tell the metric
 * compared  the variants with two seeds or more; the others have no rank and
 *           no star, and are in no correlation
 * rank      among those, 1 the best, ties share the mean
 * star      the best of those and what is not told from it: the family of tests
 *           (stats/verdict.h) is the column's others, so that with 95 % the
 *           variant that is truly best has a star
 *
 * A column is withheld, and has no rank, star or correlation, for the first of
 * these that holds:
 *
 * not compared    the experiment says so of its task (config/experiment.h)
 * different data  rows that vary something ("random,N=32") have other examples,
 *                 of training, validation or test, than rows that vary it
 *                 otherwise
 * uninformative   no variant's interval is beyond the best reference that
 *                 answers without a model (a value, where there is no interval)
 * outside the contrasts  the experiment names the differences that it judges
 *                 (store/contrast.h); only those pairs of rows have a verdict
 * one seed        there are variants of one seed, and fewer than two compared
 * not converged   of the column's part alone: a variant that is unsettled
 *                 against another compared one (report/learning.h) has no rank;
 *                 where the best is, nobody has a star; where anybody is, there
 *                 is no correlation.  A verdict on a pair of rows that are
 *                 unsettled is withheld, too.
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
    const char *task, *label;  /* "lm1b", "LM1B (SYNTHETIC)"             */
    const char *title;         /* "LM1B"                                 */
    const char *paper;         /* what the paper's data are called       */
    int         synthetic;
    int         examples;      /* of the test set; 0: nothing is done    */
    int         subset;        /* 1: not all rows of the official files  */
    int         uncompared;    /* 1: runs, and is not compared           */
    int         apart;         /* 1: rows were tested on different data, by
                                  what they vary (not of a file)         */
    const char *source;        /* where the text comes from; NULL: ditto */
};

/* What an interval is over. */
enum over { OVER_NOTHING, OVER_EXAMPLES, OVER_SEEDS, OVER_BOTH };
extern const char *const over_text[]; /* ends with NULL */

/* Why a column has no rank, star or correlation, or not all of them. */
enum withheld {
    WITHHELD_NOT, WITHHELD_UNCOMPARED, WITHHELD_DATA, WITHHELD_UNINFORMATIVE,
    WITHHELD_CONTRASTS, WITHHELD_ONE_SEED, WITHHELD_LEARNING
};
extern const char *const withheld_text[]; /* ends with NULL */

struct result_cell {
    enum cell_state state;     /* done if one seed is; else the best there is */
    double          value;     /* NAN: none                                   */
    struct interval between;
    enum over       over;
    int             n, asked;  /* seeds with a value; of the experiment, but
                                  those that are refused                      */
    double         *by_seed;   /* [n]; NULL: of a reference, or of the file of
                                  an earlier version                          */
    double          published; /* NAN: none                                   */
    const char     *source;    /* of published, joined by "; "; NULL: none    */
    const char     *dispute;   /* what other sources give; NULL: they agree   */
    double          rank, rank_published; /* NAN: none                        */
    const char     *how;       /* the metric is computed; NULL: it is none    */
    const char     *signature; /* report/signature.h, or "none: " and why     */
    int             best;      /* has a star: of its column                   */
    const char     *commit;    /* of its cells, joined by ", "; NULL: none    */
    int             worse_than_blind; /* seeds (report/blind_baseline.h)    */
    const char     *chosen;    /* settings that trials chose; NULL: none      */
    double          settled, settled_error; /* what training still gained in its
                                  last tenth, nats (learning.h); NAN: unknown */
    int             unsettled; /* 1: against another compared variant         */
    int             disputed;  /* 1: there is a dispute                       */
    const char     *reason;    /* why there is no value; NULL: there is one   */
    int             set;       /* of its task's data, as evidence_set has them:
                                  numbers of one set alone can be compared (not
                                  of a file)                                  */
};

struct result_row {
    const char        *variant, *title;
    const char        *what;      /* of a reference: what it is, "": not said;
                                     NULL: of a variant                       */
    int                reference;
    struct result_cell *cell;   /* one a column                             */
    const char        *signature; /* of its numbers, or "none: " and why      */
    const char        *published; /* whose published numbers stand beside it,
                                     NULL: its own                            */
    const char        *command;   /* that trains it again; NULL: none is asked
                                     for                                      */
};

struct result_correlation {
    const struct result_task *task;
    const struct table_column *column;
    struct rank_correlation rho, tau; /* Spearman's, Kendall's           */
    int                        n;   /* rows that have both                    */
};

struct result_by_seed { long long seed; double a, b; }; /* NAN: not done */

struct result_pair {
    const struct result_task *task;
    const char              *a, *b;
    const char              *metric, *unit;
    int                      better;     /* of the metric: +1, -1             */
    double                   difference; /* a less b                          */
    struct verdict           verdict;    /* one of all pairs of the table, or
                                            of all contrasts                  */
    size_t                   seeds, examples, more; /* report/evidence.h      */
    int                      unsettled; /* 1: the verdict is withheld         */
    int                      by_seeds;  /* 0 in the file of an earlier
                                           version                            */
    struct result_by_seed *by_seed;   /* in the order of their seeds        */
};

/* A cell that the table lacks, and why. */
struct result_failure {
    const char     *variant, *task;
    long long       seed;
    enum cell_state state;             /* failed or refused                   */
    const char     *message, *class;   /* class: of a failed one, or ""       */
};

struct result_table {
    const struct table  *table;
    const struct report *report;       /* NULL: it comes from a file          */
    struct arena        *memory;       /* owns all of it                      */
    const char          *experiment, *scale;
    const char          *own;          /* the store, where it alone says what
                                          its cells are; or NULL              */
    const char          *file;         /* of the experiment, store/frozen.h   */
    const char          *command;      /* that trains its cells again; NULL:
                                          no file of it is known              */
    int                  synthetic;    /* tasks that are                      */
    int                  done, cells;  /* of the store, in this table         */
    int                  others;       /* finished cells that the store has
                                          besides those of its experiment     */
    int                  seeds;        /* most seeds done of any cell         */
    int                  needed;       /* seeds, where there are too few to
                                          tell one from the best; 0: enough   */
    int                  judged;       /* contrasts of the experiment; 0: all
                                          rows are compared                   */
    int                  tasks, rows, columns, correlations, pairs;
    struct result_task        *task;
    struct result_row         *row;  /* the table frees them; room: for so  */
    size_t                       room; /* many                                */
    const struct table_column **column;
    enum withheld              *withheld; /* [columns], see above         */
    struct result_correlation *correlation;
    struct result_pair        *pair;
    int                   failures;
    struct result_failure *failure;  /* in the order of the experiment      */
    struct builds         builds;      /* that made its cells                 */
    const char          **guessed;     /* of the settings of its numbers, what
                                          no source tells (store/guess.h); ends
                                          with NULL                           */
};

struct metric;

/* metrics end with NULL: those that the test examples can tell (evidence.h);
 * NULL: those that need no texts. */
int  result_fill(struct result_table **out, const struct table *t,
                 const struct report *r, const struct metric *const *metrics);
void result_close(struct result_table *s); /* NULL is fine */
OWNER(result_close, struct result_table *)

/* The row of that name, a new one where there is none yet; what: see there. */
struct result_row *result_add_row(struct result_table *s, const char *variant,
                                  const char *title, const char *what);

/* The label of a task: its title, and in capitals what its data lack. */
const char *result_label(struct result_table *s, const struct result_task *t);

/* Of that name, or NULL; and that of a column. */
struct result_task *result_find(const struct result_table *s, const char *task);
const struct result_task *result_task_of(const struct result_table *s,
                                         int column);

/* 1: a variant with a number of several seeds. */
int result_compared(const struct result_row *row, int column);
int result_external(const struct result_row *row); /* trained elsewhere */
/* 1: a row of the column has a star. */
int result_starred(const struct result_table *s, int column);

/* The interval of a cell: "[1.20, 3.40]"; "" if it has none; "too few seeds" if
 * it holds nothing: of two to four seeds, it has 0 and twice the value. */
const char *result_interval(char out[64], const struct result_cell *x,
                            int decimals);

/* 1: an interval of the column, of any, is over that. */
int result_over(const struct result_table *s, int column, enum over over);
int result_has_over(const struct result_table *s, enum over over);

/* ---- its parts, a file each: table_select.c, rank_rules.c, uninformative.c,
 * rank.c, sign.c, table_provenance.c, missing_reason.c, guesses.c,
 * retrain_command.c, table_cells.c, table_footnotes.c, table_layout.c ---- */

/* Tasks, columns and rows that have cells; ERR_EMPTY: none is done; ERR_USAGE:
 * of two scales, or two of one place. */
int table_select_fill(struct result_table *s);

/* Marks the column, whose rows are all there, and its unsettled cells;
 * learning: of each row. */
void withheld_mark(struct result_table *s, int column,
                   const struct learning *learning);

/* Takes ranks, stars and correlations from columns that are withheld but for
 * learning. */
void withheld_clear(struct result_table *s);

/* 1: the column is withheld for want of seeds. */
int withheld_seeds(const struct result_table *s, int column);

struct sheet;

/* "a", "b", "undecided" or "not converged". */
const char *pair_verdict(const struct result_pair *p);

/* A sentence: "LM1B, ppl: Random beats Dense by 5.1 [4.2, 6.0], ...".  Lives
 * in s->memory. */
const char *pair_text(const struct result_table *s,
                      const struct result_pair *p);

/* Items that say what is withheld, and why. */
void withheld_put(struct sheet *to, const struct result_table *s);

/* 1: the column, whose rows are all there, is uninformative. */
int uninformative(const struct result_table *s, int column);

/* The best reference of a column that answers without a model; -1: none. */
int uninformative_row(const struct result_table *s, int column);

/* Sets rank and rank_published of every cell, and the correlations. */
void rank_measured(struct result_table *s);

/* Signs every cell that has a number, and every row for those that have a
 * direction: counts (params) are left out of a row's.  ERR_STORE. */
int sign_measured(struct result_table *s);

/* ERR_USAGE: two numbers of a column are computed in different ways; path:
 * where they are from. */
int sign_alike(const struct result_table *s, const char *path);

/* Experiment, others, failures, guesses, builds and every cell's commits, from
 * s->report; then data_clean.  ERR_STORE: a cell is damaged. */
int origin_fill(struct result_table *s);

/* "Debian bookworm package descriptions in place of LM1B and AG News; ...";
 * official files are named alone.  Lives in s->memory; "": nothing is done. */
const char *origin_data(const struct result_table *s);

/* Why there is no number, NULL: there is one; and its mark, "0/3". */
const char *reason_text(const struct result_table *s,
                        const struct result_row *row, int column);
const char *reason_mark(const struct result_table *s,
                        const struct result_row *row, int column);
void        reason_put(struct sheet *to, const struct result_table *s);

/* Those of the experiment that are about a number of the table; those about
 * one of a row, "A; B", NULL: none; and what people are told of them. */
void        guesses_fill(struct result_table *s);
const char *guesses_about(const struct result_table *s,
                          const struct result_row *row, int column);
void        guesses_put(struct sheet *to, const struct result_table *s);

/* The command of every row; and what people are told of them. */
void again_fill(struct result_table *s);
int  again_needs_store(const struct report *r); /* 1: no file is known that
                                                   says what its cells are */
void again_put(struct sheet *to, const struct result_table *s);

/* The grids.  Our numbers with the published ones beside them; the source of
 * each is a letter, `!` marks a dispute. */
void view_values(struct sheet *to, const struct result_table *s);
int  view_has_intervals(const struct result_table *s); /* 1: a cell has one */
int  view_lacks_interval(const struct result_table *s); /* 1: one has none */
void view_intervals(struct sheet *to, const struct result_table *s); /* 95 % */

/* A grid for each column: number, interval, seeds, ranks, the paper's. */
void view_detail(struct sheet *to, const struct result_table *s);

/* The sources in order of appearance: "a = ..., b = ..."; "": none. */
const char *view_sources(const struct result_table *s);

void notes_put(struct sheet *to, const struct result_table *s);

/* The pairs with their values by seed, in every form.  ERR_EMPTY: the table
 * has none. */
int pairs_fill(struct sheet *to, const struct result_table *s);

/* Writes the table for people.  If `brief` is not 0, leaves out the sections
 * that explain where its numbers come from. */
void layout_fill(struct sheet *to, const struct result_table *s, int brief);
