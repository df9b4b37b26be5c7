/*
 * metric: a number from what was seen of each example.
 * One file a metric; one row in metrics/list.h.
 */
#ifndef METRICS_METRIC_H
#define METRICS_METRIC_H

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

struct metric {
    const char *name;   /* "bleu"                                        */
    const char *title;  /* "BLEU"                                        */
    const char *unit;   /* "%", "nats/token", "1"                        */
    int         better; /* +1: higher is better, -1: lower is better     */
    size_t      size;   /* of the state                                  */
    const char *signature; /* how it is computed, printed with the value */
    void   (*begin)(void *self);
    void   (*add)(void *self, const struct seen *s);
    /* Before end: the parts, at most METRIC_PARTS; how many.  NULL: none. */
    int    (*parts)(const void *self, struct metric_part *out);
    double (*end)(void *self); /* NAN: nothing was added; frees the state's
                                  own memory                             */

    /* For resampling, or NULL: what the metric is made of, at most METRIC_PARTS
     * strata; how many, 0: the examples are not of this metric.  ERR_DATA: one
     * cannot have been written so.  And the metric of their values; NULL:
     * there is one, and that is it. */
    int    (*strata)(struct stratum *out, const struct seen *s, size_t n);
    double (*of_strata)(const struct stratum *s, const double *value, int n);
};

/* All of list.h, in its order; ends with NULL. */
extern const struct metric *const metric_all[];

#endif
