/*
 * verify: every exact fact about attention, of every variant it applies to.  To
 * add one: write it in a file check_*.c of this folder, ending in a const
 * struct property, and add its row to list.h.
 */
#pragma once

#include "harness/verify/attention/layer.h"
#include "harness/verify/facts.h"

struct gauge {
    double value;
    char   where[112]; /* of the worst, or "" */
};

struct property {
    const char *name;  /* head of a column                        */
    const char *title; /* what holds                              */

    /* NULL, or why it says nothing of variants that formula_rule.own does not
     * say it of. */
    const char *own;
    /* NULL, or why it says nothing about the subject. */
    const char *(*excuse)(const struct subject *s);

    double bound;
    int    at_least; /* value >= bound holds, else value <= bound */

    /* From a value of 0; `run` of a fresh layer of each setting, under each
     * mask that the subject can stand under. */
    void (*run)(struct layer *l, const struct mask *mask, struct gauge *m);
    unsigned masks;    /* 1 << an index of layer_mask  */
    int      settings; /* 0: the first alone           */
    int      N;        /* of the layer; 0: LAYER_N     */
    /* ... or in place of run. */
    void (*whole)(const struct subject *s, const struct backend *be,
                  struct gauge *m);
};

enum {
    MASK_NONE = 1, MASK_CAUSAL = 2, MASK_LENGTHS = 4, MASK_ALL = 15
};

extern const struct property *const properties[]; /* ends with NULL */

/* The excuse of what is proven by a formula, of a subject that has none. */
extern const char property_no_formula[];
const char *property_needs_formula(const struct subject *s);

/* What rounding may do to a sum of a hundred terms or so. */
#define ROUNDING (sizeof(real) == sizeof(double) ? 1e-12 : 1e-5)

/* Keeps the worst; NaN is worse than all. */
void measure_worst(struct gauge *m, double value, const char *where, ...)
    __attribute__((format(printf, 3, 4)));
/* |got - want| / (1 + |want|) */
double measure_off(double got, double want);

/* Subject and remark last as long as the report. */
struct finding {
    const struct subject  *subject;
    const struct property *property;
    enum verdict           verdict;
    double                 measured; /* of VERDICT_NONE: 0 */
    const char            *remark; /* of VERDICT_NONE: why; of VERDICT_FAIL:
                                      where; else ""                        */
};

typedef void verify_report(void *arg, const struct finding *f);

/* The variants of `list` (it ends with NULL) and mixtures of them, computed by
 * `be`.  Returns how many findings are failures. */
int verify_run(const struct variant *const list[], const struct backend *be,
               verify_report *report, void *arg);

/* One of them, of one subject. */
enum verdict verify_property(const struct subject *s,
                             const struct property *p,
                             const struct backend *be, verify_report *report,
                             void *arg);
