/*
 * metric: computes one number from a model's outputs for all examples.
 * Training calls `measure`; reports call `strata` and `of_strata` to resample
 * examples.  Each metric has a row in metrics/list.h.
 */
#pragma once

#include "harness/metrics/stratum.h"

#include <stddef.h>

struct answer { /* the output for one example; 0 or NULL: not applicable */
    const char *hyp, *ref; /* decoded text; its reference               */
    int         got, want; /* labels: predicted, correct                */
    double      nll;       /* -log p of the target, summed, in nats     */
    long        tokens;    /* ids of the target, with eos               */
    long        hits;      /* tokens whose most probable id is correct  */
    long        words;     /* words of the target, with end marks       */
    const char *subtask;   /* such as "rte", if the task has subtasks   */
    int         group;     /* examples with the same number are scored
                              together                                  */
};

/* A value that is averaged into the metric, such as "rte_accuracy", in the
 * metric's unit. */
struct metric_part { char name[48]; double value; };
enum { METRIC_PARTS = 24 };

struct scored {
    double             value; /* NAN: no examples */
    int                n;     /* number of parts  */
    struct metric_part part[METRIC_PARTS];
};

struct metric {
    const char *name;   /* "bleu"                                        */
    const char *title;  /* "BLEU"                                        */
    const char *unit;   /* "%", "nats/token", "1"                        */
    int         better; /* +1: higher is better, -1: lower is better     */
    int         subtasks; /* 1: needs examples with subtasks */
    const char *signature; /* how the metric is computed; printed with it */
    const void *how;    /* private data of the functions below */
    /* Sets *out to the value of the metric over n examples, and its parts. */
    void   (*measure)(const struct metric *m, struct scored *out,
                      const struct answer *s, size_t n);

    /* `strata` and `of_strata` serve resampling.  `strata` sets `out` to at
     * most METRIC_PARTS strata of the metric and returns their number, 0 if the
     * metric does not apply to the examples, or ERR_DATA if an example is not
     * valid.  The member `strata` is NULL if the metric cannot be resampled.
     * `of_strata` returns the metric, computed from the values of the strata.
     * The member `of_strata` is NULL if the metric has one stratum, whose value
     * is the metric. */
    int    (*strata)(const struct metric *m, struct stratum *out,
                     const struct answer *s, size_t n);
    double (*of_strata)(const struct metric *m, const struct stratum *s,
                        const double *value, int n);
};

/* All metrics of list.h, in its order; NULL at the end. */
extern const struct metric *const metric_all[];
