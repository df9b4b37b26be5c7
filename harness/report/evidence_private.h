/* evidence_private: what the cells of one task left, for the files of
 * evidence.h alone: evidence_read.c reads it, evidence.c tells what it says. */
#pragma once

#include "harness/base/arena.h"
#include "harness/report/dataset_match.h"
#include "harness/report/evidence.h"
#include "harness/report/outcomes.h"

struct stored { const char *metric; double value; };

struct seed { /* a cell, and its n metrics */
    const char    *id;
    long long      seed;
    size_t         n;
    struct stored *metric;
    struct tested  examples;
    double         settled, error; /* report/learning.h */
};

struct system {
    const char  *name;
    int          seeds;
    struct seed *seed;     /* [seeds]; a reference has one, of examples alone */
    int          reference;
    int          set;      /* of data that it was tested on (dataset_match.h) */
};

/* What the examples tell of a metric, of each system; NULL where they do not.
 * Of references, and of systems with one seed: its value, and it in every
 * resample.  Of references, and of each seed where a system has several: how
 * each of the `units` moves it (outcomes_moves). */
struct told {
    const char *metric;
    double     *value, **in; /* [systems]             */
    double   ***moves;       /* [systems][seeds]      */
    size_t     *units;       /* [sets]                */
};

struct evidence {
    struct arena  *memory;
    int            shared;   /* evidence_close is called so often before the
                                last                                       */
    struct evidence *next;   /* in the list of the report                  */
    const char    *task;
    const struct report        *report;
    const struct metric *const *metrics;
    struct evidence_data data;
    struct dataset_match   alike;
    size_t        *examples; /* [data.sets]                                */
    int            systems;  /* references stand first                     */
    struct system *system;
    int            several;  /* 1: a system has several seeds              */
    int            known;
    size_t         room;
    struct told   *told;     /* valid till the next is asked for           */
};

/* NULL: there is none of that name. */
struct system *evidence_system(const struct evidence *e, const char *name);
