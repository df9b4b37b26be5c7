/*
 * history: the results of every commit, in a text file that is committed.  Each
 * line has one value and is complete by itself, so that git merges two
 * histories by taking the lines of both (`merge=union` in .gitattributes).
 * history_extend adds a store's results; history_open reads the file and groups
 * it into series; history_changes then finds the changes of a series.
 *
 *     results/history.tsv
 *
 *     # synthbench history 1
 *     # commit date machine build cell what value units better check
 *     0123...cdef 2026-11-23T05:56:38Z AMD EPYC, 2 processors 5d41402a
 *         smoke#random/lm1b/smoke/1 metrics/ce 4.21 nats/token lower 7b8a...
 *
 * One tab separates fields.
 *
 *     commit  40 digits
 *     date    when the commit was made
 *     build   the first 8 digits of the SHA-256 of everything besides commit
 *             and settings that results depend on: compiler, flags, libraries
 *     cell    EXPERIMENT#CELL
 *     what    as in a baseline (baseline.h); `config` only if it is new
 *     better  "higher", "lower" or empty
 *     check   the first 8 digits of the SHA-256 of the line up to this field
 *
 * Lines may be in any order and may be repeated.  Lines that start with # are
 * comments.
 *
 * A series has the values of one cell on one kind of machine, by commit.
 * Commits are in git's order; those that git does not have (in a shallow clone,
 * or of a deleted branch) are placed by their dates.
 */
#pragma once

#include "harness/gate/baseline.h"

enum { HISTORY_SCHEMA = 1 };

struct history_line {
    const char *commit, *date, *machine, *build, *cell, *what, *text, *units;
    double      value;  /* NAN if it has no units: then `text` is the value  */
    int         better; /* +1: higher, -1: lower; 0: neither                 */
};

struct history_commit {
    const char *commit, *date;
    int         known; /* 1: git has it among the ancestors of HEAD          */
};

struct history_point {
    int         commit;  /* index in history.commit                          */
    const char *text;    /* with all digits                                  */
    double      value;   /* of a cost: median of its lines without repeats   */
    const char *build;
    int         several; /* 1: lines differ; this is the first (not of costs) */
};

/* The point `at` which the level of a series changes.  Changes of costs are
 * found by a test (stats/change_point.h).  All other values are exact: any
 * difference is a change, with p = 0. */
struct history_change {
    int         at;                       /* index in history_series.point   */
    const char *before_text, *after_text; /* NULL for costs                  */
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
    struct history_series *of;     /* sorted by cell, what, machine; without
                                      `config`                               */
    struct arena *memory;          /* owns all of it                         */
};

/* Reads the lines of a history, without commits and series.  If the file does
 * not exist, the history is empty.  Returns ERR_STORE if a line is damaged or
 * from a later version (the message has FILE:LINE), or ERR_IO. */
int history_lines(struct history **out, const char *path);

/* Reads a history with its commits and series.  repository: a folder in it;
 * NULL: the working directory.  Also returns ERR_EMPTY if there is no line. */
int history_open(struct history **out, const char *path,
                 const char *repository);

void history_close(struct history *h); /* NULL is fine */
OWNER(history_close, struct history *)

/* Sets s->change to the points at which the series changes. */
void history_changes(struct history *h, struct history_series *s);

/* Returns 1 if a user may call the cell `name`, which may omit the experiment
 * and the scale. */
int history_is(const char *cell, const char *name);

/* Returns the configuration (JSON) of a cell at a commit, or NULL if the
 * history does not have it. */
const char *history_config(const struct history *h, const char *cell,
                           const char *commit);

/* Adds the results of a store, as a baseline, to the history at `path`.
 * repository: a folder in it; NULL: the working directory.  commit: the
 * revision that trained the cells; NULL: the commit that the store records.
 * Sets *added to the number of lines, 0 if the history already has them.
 * Returns ERR_USAGE if there is no such commit, the program was built with
 * uncommitted changes, or the history has other results for the commit; or as
 * history_lines. */
int history_extend(int *added, const char *path, const struct baseline *b,
                const char *repository, const char *commit);
