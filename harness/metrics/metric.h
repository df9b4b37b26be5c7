/*
 * metric: a number from what was seen of each example.
 * One file a metric; one row in metrics/list.h.
 */
#pragma once

#include "harness/metrics/stratum.h"

#include <stddef.h>

struct seen { /* of one example; what does not apply is 0 or NULL */
    const char *hyp, *ref; /* decoded text and its reference             */
    int         got, want; /* labels                                     */
    double      nll;       /* -log p of the target, nats, summed         */
    long        tokens;    /* of the target, eos counted                 */
    long        hits;      /* tokens whose most probable id is the right */
    long        words;     /* of the target, one end mark a sentence     */
    const char *subtask;   /* of a mixture: "rte"                        */
    int         group;     /* what is scored together                    */
};

/* A number that a metric is a mean of: "rte_accuracy"; in its unit. */
struct metric_part { char name[48]; double value; };
enum { METRIC_PARTS = 24 };

struct scored { /* value NAN: nothing was seen */
    double             value;
    int                n; /* parts */
    struct metric_part part[METRIC_PARTS];
};

struct metric {
    const char *name;   /* "bleu"                                        */
    const char *title;  /* "BLEU"                                        */
    const char *unit;   /* "%", "nats/token", "1"                        */
    int         better; /* +1: higher is better, -1: lower is better     */
    int         subtasks; /* 1: of those that the examples name          */
    const char *signature; /* how it is computed, printed with the value */
    const void *how;    /* what its functions read of m                  */
    void   (*measure)(const struct metric *m, struct scored *out,
                      const struct seen *s, size_t n);

    /* For resampling, or NULL: what the metric is made of, at most METRIC_PARTS
     * strata; how many, 0: the examples are not of this metric.  ERR_DATA: one
     * cannot have been written so.  And the metric of their values; NULL:
     * there is one, and that is it. */
    int    (*strata)(const struct metric *m, struct stratum *out,
                     const struct seen *s, size_t n);
    double (*of_strata)(const struct metric *m, const struct stratum *s,
                        const double *value, int n);
};

/* All of list.h, in its order; ends with NULL. */
extern const struct metric *const metric_all[];
