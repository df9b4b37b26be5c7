/*
 * verify: checks every exact property of attention, for every variant that it
 * applies to.  To add one, write it in a file check_*.c of this folder that
 * ends in a const struct property, and add its row to list.h.
 */
#pragma once

#include "harness/verify/attention/layer.h"
#include "harness/verify/facts.h"

struct gauge {
    double value;
    char   where[112]; /* place of the worst, or "" */
};

struct property {
    const char *name;  /* head of its column                      */
    const char *title; /* what must hold                          */

    /* NULL, or: the property applies only to variants whose formula_rule.own
     * names it, and this is the remark for all others. */
    const char *own;
    /* If set, returns NULL, or the reason why the property does not apply to
     * the subject. */
    const char *(*excuse)(const struct subject *s);

    double bound;
    int    at_least; /* 1: value >= bound must hold; 0: <= */

    /* Measures the property in m, whose value starts at 0.  `run` is called
     * with a new layer of each setting, under each mask that the subject
     * supports. */
    void (*run)(struct layer *l, const struct mask *mask, struct gauge *m);
    unsigned masks;    /* 1 << an index of layer_mask  */
    int      settings; /* 0: only the first            */
    int      N;        /* of the layer; 0: LAYER_N     */
    /* Called instead of run. */
    void (*whole)(const struct subject *s, const struct backend *be,
                  struct gauge *m);
};

enum {
    MASK_NONE = 1, MASK_CAUSAL = 2, MASK_LENGTHS = 4, MASK_ALL = 15
};

extern const struct property *const properties[]; /* ends with NULL */

/* The remark of properties that require a formula for a subject without one,
 * and the `excuse` that returns it. */
extern const char property_no_formula[];
const char *property_needs_formula(const struct subject *s);

/* Bound of the rounding errors of a sum of about a hundred terms. */
#define ROUNDING (sizeof(real) == sizeof(double) ? 1e-12 : 1e-5)

/* Keeps the largest value and its place, a printf format; NaN exceeds all. */
void measure_worst(struct gauge *m, double value, const char *where, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns |got - want| / (1 + |want|). */
double measure_off(double got, double want);

/* subject and remark are valid only during the report. */
struct finding {
    const struct subject  *subject;
    const struct property *property;
    enum verdict           verdict;
    double                 measured; /* VERDICT_NONE: 0 */
    const char            *remark; /* VERDICT_NONE: the reason; VERDICT_FAIL:
                                      the place; else ""                    */
};

typedef void verify_report(void *arg, const struct finding *f);

/* Verifies the variants of `list`, which ends with NULL, and mixtures of them,
 * computed by `be`, and reports each finding.  Returns the number of
 * failures. */
int verify_run(const struct variant *const list[], const struct backend *be,
               verify_report *report, void *arg);

/* Verifies one property of one subject and reports the finding. */
enum verdict verify_property(const struct subject *s,
                             const struct property *p,
                             const struct backend *be, verify_report *report,
                             void *arg);
