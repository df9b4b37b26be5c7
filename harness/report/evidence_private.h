/* evidence_private: defines the results of the cells of one task for the two
 * files that implement evidence.h: evidence_read.c reads the results,
 * evidence.c evaluates them. */
#pragma once

#include "harness/base/arena.h"
#include "harness/report/dataset_match.h"
#include "harness/report/evidence.h"
#include "harness/report/outcomes.h"

struct stored { const char *metric; double value; };

struct seed { /* a cell and its n metrics */
    const char    *id;
    long long      seed;
    size_t         n;
    struct stored *metric;
    struct tested  examples;
    double         settled, error; /* see learning_read */
};

struct system {
    const char  *name;
    int          seeds;
    struct seed *seed;     /* [seeds]; a reference has one, of which only
                              `examples` is set */
    int          reference; /* 1: not a variant */
    int          set;      /* data set of its tests (dataset_match.h) */
};

/* One metric of all systems, computed from the test examples.  If a system's
 * metric is not computed per example, its pointers are NULL.
 * - References and systems with one seed have `value`, and in `in` the value in
 *   each of BOOTSTRAP_RESAMPLES resamples.
 * - References, and every seed of a system with several seeds, have
 *   `influence`:
 *   for each of the `units` units of the test set, the change of the metric if
 *   this unit is left out (outcomes_influence). */
struct scores {
    const char *metric;
    double     *value, **in; /* [systems]        */
    double   ***influence;   /* [systems][seeds] */
    size_t     *units;       /* [sets]           */
};

struct evidence {
    struct arena  *memory;
    int            shared;   /* number of evidence_close calls to come before
                                the last one                             */
    struct evidence *next;   /* next element of the report's list        */
    const char    *task;
    const struct report        *report;
    const struct metric *const *metrics;
    struct evidence_data data;
    struct dataset_match   match;
    size_t        *examples; /* [data.sets]               */
    int            systems;  /* the references come first */
    struct system *system;
    int            several;  /* 1: some system has several seeds */
    int            metrics_known; /* number of elements of `scores`, */
    size_t         room;          /* and for how many there is room  */
    struct scores *scores;   /* pointers to its elements become invalid when a
                                metric is added */
};

/* Returns the system named `name`, or NULL if there is none. */
struct system *evidence_system(const struct evidence *e, const char *name);
