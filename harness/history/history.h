/*
 * history: what every commit gave, as text that is committed with it: a line a
 * value, each told by itself, so that git merges two histories by taking the
 * lines of both (`merge=union` in .gitattributes).
 *
 *     results/history.tsv
 *
 *     # synthbench history 1
 *     # commit date machine build cell what value units better check
 *     0123...cdef 2026-11-23T05:56:38Z AMD EPYC, 2 processors 5d41402a
 *         smoke#random/lm1b/smoke/1 metrics/ce 4.21 nats/token lower 7b8a...
 *
 * with one tab between fields.  commit: 40 digits, and when it was made; build:
 * of what bits depend on beside commit and settings (compiler, flags,
 * libraries), the first 8 digits of a SHA-256; cell: with the experiment that
 * it is of; what: as in a baseline (baseline.h), `config` only where it is new;
 * better: "higher", "lower" or nothing; check: the first 8 digits of the
 * SHA-256 of the line before it.  Lines may come twice and in any order, those
 * with # in front mean nothing.
 *
 * A series is what one cell gave on one kind of machine, commit by commit: as
 * git has them behind each other; those that git does not know (of a shallow
 * clone, of a branch that is gone) by their dates.
 */
#pragma once

#include "harness/gate/baseline.h"

enum { HISTORY_SCHEMA = 1 };

struct history_line {
    const char *commit, *date, *machine, *build, *cell, *what, *text, *units;
    double      value;  /* NAN: without units it is a text                   */
    int         better; /* +1, -1; 0: neither                                */
};

struct history_commit {
    const char *commit, *date;
    int         known; /* to git, behind what is checked out                 */
};

struct history_point {
    int         commit;  /* which of the history's                           */
    const char *text;    /* all digits                                       */
    double      value;   /* of costs with several lines, their median        */
    const char *build;
    int         several; /* 1: lines say different things; this is the first */
};

/* A new level from this point on; costs: of statistics (stats/change_point.h);
 * the rest is exact, and any other bit is a change, with p = 0. */
struct history_change {
    int         at;
    const char *before_text, *after_text; /* NULL: costs                     */
    double      before, after, p;
};

struct history_series {
    const char *cell, *what, *machine, *units;
    int         better, cost;
    int         n, changes; /* changes: history_changes                      */
    struct history_point  *point;
    struct history_change *change;
};

struct history {
    const char *path;
    int         n, commits, series;
    struct history_line   *line;
    struct history_commit *commit; /* the oldest first                       */
    struct history_series *of;     /* sorted by cell, what, machine; not of
                                      `config`                               */
    struct arena *memory;          /* owns all of it                         */
};

/* The lines alone.  No such file: none.  ERR_STORE with FILE:LINE: a line is
 * damaged, or of a newer program; ERR_IO. */
int history_lines(struct history **out, const char *path);

/* The same with series; repository: a folder in it, NULL: the working one.
 * ERR_EMPTY: there is no line. */
int history_open(struct history **out, const char *path,
                 const char *repository);

void history_close(struct history *h); /* NULL is fine */
OWNER(history_close, struct history *)

/* Where a series begins to be another, into s->change. */
void history_changes(struct history *h, struct history_series *s);

/* Is it the cell that a user calls `name`: with the experiment or without,
 * with the scale or without? */
int history_is(const char *cell, const char *name);

/* The configuration (JSON) that a cell had at a commit; NULL: not told. */
const char *history_config(const struct history *h, const char *cell,
                           const char *commit);

/* What a store gave, of a commit of the repository, NULL: of the commit that
 * the store names.  *added: lines, 0 where the history has them.  ERR_USAGE:
 * there is no such commit, or it was built of a tree with changes besides, or
 * the history has another result for it. */
int history_extend(int *added, const char *path, const struct baseline *b,
                const char *repository, const char *commit);
