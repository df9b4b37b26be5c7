/*
 * history: records the results of every commit in a text file that is committed
 * itself, and finds where results changed.  Each line has one value and is
 * complete by itself, so that git can merge two histories by keeping the lines
 * of both (`merge=union` in .gitattributes).  history_extend adds a store's
 * results; history_open reads the file and groups its values into series;
 * history_changes then finds the changes of a series.
 *
 *     results/history.tsv
 *
 *     # synthbench history 1
 *     # commit date machine build cell what value units better check
 *     0123...cdef 2026-11-23T05:56:38Z AMD EPYC, 2 processors 5d41402a
 *         smoke#random/lm1b/smoke/1 metrics/ce 4.21 nats/token lower 7b8a...
 *
 * One tab separates fields; a line is not wrapped.
 *
 *     commit  40 hexadecimal digits
 *     date    when the commit was made
 *     build   the first 8 digits of the SHA-256 of everything that results
 *             depend on, except commit and settings: compiler, flags, libraries
 *     cell    EXPERIMENT#CELL
 *     what    as in a baseline (baseline.h); a `config` line is written only
 *             if the configuration is new
 *     better  "higher", "lower" or empty
 *     check   the first 8 digits of the SHA-256 of the line up to this field
 *
 * Lines may be in any order and may be repeated.  Lines that start with # are
 * comments.
 *
 * A series has the values of one `what` of one cell on one kind of machine, by
 * commit.  Commits are in git's order.  Commits that git does not have (in a
 * shallow clone, or of a deleted branch) are placed by their dates.
 */
#pragma once

#include "harness/gate/baseline.h"

/* The version of the file, and the digits in the name of a commit. */
enum { HISTORY_SCHEMA = 1, COMMIT_DIGITS = 40 };

struct history_line {
    const char *commit, *date, *machine, *build, *cell, *what, *text, *units;
    double      value;  /* NAN if `units` is empty: `text` is then the value */
    int         better; /* +1: higher, -1: lower; 0: neither                 */
};

struct history_commit {
    const char *commit, *date;
    int         known; /* 1: git has the commit as an ancestor of HEAD       */
};

struct history_point {
    int         commit;  /* index in history.commit                          */
    const char *text;    /* the value with all digits                        */
    const char *word;    /* the value if it is not a number; or NULL         */
    double      value;   /* for a cost: the median of its distinct lines     */
    const char *build;
    int         several; /* 1: lines of this commit have different values, of
                            which `value` is the first; 0 for a cost         */
};

/* A change of the level of a series.  `at` is the index, in
 * history_series.point, of the first point after the change.  Changes of costs
 * are found by a test (stats/change_point.h) with the p-value `p`.  All other
 * values are exact: any difference is a change, with `p` = 0. */
struct history_change {
    int         at;
    const char *before_text, *after_text; /* NULL: a number                  */
    double      before, after, p;
};

struct history_series {
    const char *cell, *what, *machine, *units;
    int         better, cost; /* cost: 1 if baseline_is_cost                 */
    int         n, changes; /* history_changes sets `changes` and `change`   */
    struct history_point  *point;
    struct history_change *change;
};

struct history {
    const char *path;
    int         n, commits, series;
    struct history_line   *line;
    struct history_commit *commit; /* oldest first                           */
    struct history_series *of;     /* (series) sorted by cell, `what` and
                                      machine; `config` lines have no series */
    const char   *machine;         /* of all series; NULL: several, unknown  */
    struct arena *memory;          /* owns everything here                   */
};

/* Reads the lines of a history, without commits and series.  If the file does
 * not exist, the history is empty.  Returns ERR_STORE if a line is damaged or
 * from a later version (the message has FILE:LINE), or ERR_IO. */
int history_lines(struct history **out, const char *path);

/* Reads a history with its commits and series.  `repository` is a folder in the
 * git repository; NULL means the working directory.  Returns ERR_EMPTY if the
 * history has no lines, or the errors of history_lines. */
int history_open(struct history **out, const char *path,
                 const char *repository);

void history_close(struct history *h); /* NULL is fine */
OWNER(history_close, struct history *)

/* Sets s->change to the points at which the series changes. */
void history_changes(struct history *h, struct history_series *s);

/* Returns 1 if `name` names the cell; `name` can omit the experiment and the
 * scale. */
int history_is(const char *cell, const char *name);

/* Sets *commit to the 40 digits of a revision ("HEAD~3", "v1") and *date to its
 * date, "2026-11-23T05:56:38Z"; `a` owns both.  `repository` is as for
 * history_open.  Returns ERR_USAGE if there is no such commit. */
int history_commit(const char **commit, const char **date,
                   const char *repository, const char *revision,
                   struct arena *a);

/* Adds the results of a store, in the form of the baseline `b`, to the history
 * at `path`.  `repository` is as for history_open.  `commit` is the revision
 * that trained the cells; NULL means the commit that the store records.  Sets
 * *added to the number of added lines, which is 0 if the history already has
 * these results.  Returns ERR_USAGE if there is no such commit, if the program
 * was built with uncommitted changes, or if the history has other results for
 * the commit; or the errors of history_lines. */
int history_extend(int *added, const char *path, const struct baseline *b,
                const char *repository, const char *commit);
