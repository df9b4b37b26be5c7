/*
 * verify: checks exact properties of attention, each for every variant to which
 * it applies.  `synthbench verify` calls verify_run.  To add a property, write
 * a file check_*.c in this folder that ends with a const struct property, and
 * add a row to list.h.
 */
#pragma once

#include "harness/verify/attention/layer.h"
#include "harness/verify/facts.h"

struct gauge {
    double value;
    char   where[112]; /* place of the worst value, or "" */
};

struct property {
    const char *name;  /* head of the column                      */
    const char *title; /* what must hold                          */

    /* If not NULL, the property applies only to variants whose formula_rule.own
     * is the name of the property, and this text is the remark for all other
     * variants. */
    const char *own;
    /* If set, returns NULL, or the reason why the property does not apply to
     * the subject. */
    const char *(*excuse)(const struct subject *s);

    double bound;
    int    at_least; /* 1: value >= bound must hold; 0: value <= bound */

    /* Measures the property and stores the value in m, which starts at 0.
     * verify.c opens a new layer for each setting, and calls `run` with each
     * mask of `masks` that the subject supports. */
    void (*run)(struct layer *l, const struct mask *mask, struct gauge *m);
    unsigned masks;    /* bits: 1 << index in layer_mask */
    int      settings; /* how many of layer_config; 0: 1 */
    int      N;        /* of the layer; 0: LAYER_N     */
    /* If not NULL, called once instead of `run`. */
    void (*whole)(const struct subject *s, const struct backend *be,
                  struct gauge *m);
};

enum {
    MASK_NONE = 1, MASK_CAUSAL = 2, MASK_LENGTHS = 4, MASK_ALL = 15
};

extern const struct property *const properties[]; /* ends with NULL */

/* For properties that require a formula: property_needs_formula is their
 * `excuse`; it returns property_no_formula if the subject has no formula. */
extern const char property_no_formula[];
const char *property_needs_formula(const struct subject *s);

/* Bound of the rounding errors of a sum of about a hundred terms. */
#define ROUNDING (sizeof(real) == sizeof(double) ? 1e-12 : 1e-5)

/* If `value` exceeds m->value, stores it and its place, which `where`, a printf
 * format, describes.  NaN exceeds all values. */
void measure_worst(struct gauge *m, double value, const char *where, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns |got - want| / (1 + |want|). */
double measure_off(double got, double want);

/* The result of one property for one subject.  `subject` and `remark` are valid
 * only during the report. */
struct finding {
    const struct subject  *subject;
    const struct property *property;
    enum verdict           verdict;
    double                 measured; /* VERDICT_NONE: 0 */
    const char            *remark; /* VERDICT_NONE: the reason; VERDICT_FAIL:
                                      the place; else ""                    */
};

typedef void verify_report(void *arg, const struct finding *f);

/* Verifies all properties of the variants of `list`, which ends with NULL, and
 * of their mixtures, with the backend `be`.  Calls `report` with each finding.
 * Returns the number of failures. */
int verify_run(const struct variant *const list[], const struct backend *be,
               verify_report *report, void *arg);

/* Verifies one property of one subject and reports the finding. */
enum verdict verify_property(const struct subject *s,
                             const struct property *p,
                             const struct backend *be, verify_report *report,
                             void *arg);
