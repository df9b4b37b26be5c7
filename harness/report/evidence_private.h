/* evidence_private: the results of the cells of one task, shared by the files
 * of evidence.h only: evidence_read.c reads them, evidence.c evaluates them. */
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
    double         settled, error; /* see report/learning.h */
};

struct system {
    const char  *name;
    int          seeds;
    struct seed *seed;     /* [seeds]; a reference has one, with examples
                              only */
    int          reference;
    int          set;      /* data set it was tested on (dataset_match.h) */
};

/* A metric of each system, computed from the test examples; pointers are NULL
 * where it is not computed per example.  References and systems with one seed
 * have the value, and `in`: the value in each of BOOTSTRAP_RESAMPLES
 * resamples.  References and each seed of systems with several seeds have
 * `moves`: u of stats/two_way.h for each of `units` units (outcomes_moves). */
struct told {
    const char *metric;
    double     *value, **in; /* [systems]        */
    double   ***moves;       /* [systems][seeds] */
    size_t     *units;       /* [sets]           */
};

struct evidence {
    struct arena  *memory;
    int            shared;   /* evidence_close calls before the last one */
    struct evidence *next;   /* in the list of the report                */
    const char    *task;
    const struct report        *report;
    const struct metric *const *metrics;
    struct evidence_data data;
    struct dataset_match   alike;
    size_t        *examples; /* [data.sets]               */
    int            systems;  /* the references come first */
    struct system *system;
    int            several;  /* 1: some system has several seeds */
    int            known;
    size_t         room;
    struct told   *told;     /* pointers to it are valid until the next metric
                                is added */
};

/* Returns the system of that name, or NULL. */
struct system *evidence_system(const struct evidence *e, const char *name);
