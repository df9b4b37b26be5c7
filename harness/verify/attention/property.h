/*
 * property: one exact fact about attention.  To add one: write it in a file
 * check_*.c of this folder, ending in a const struct property, and add its row
 * to list.h.
 */
#ifndef VERIFY_PROPERTY_H
#define VERIFY_PROPERTY_H

#include "harness/verify/attention/layer.h"

struct gauge {
    double value, bound;
    int    at_least;   /* value >= bound holds, else value <= bound */
    char   where[112]; /* of the worst, or ""                       */
};

struct property {
    const char *name;  /* head of a column                        */
    const char *title; /* what holds                              */

    /* NULL, or why it says nothing of variants that formula_rule.own does not
     * say it of. */
    const char *own;
    /* NULL, or why it says nothing about the subject. */
    const char *(*excuse)(const struct subject *s);
    /* From a value of 0. */
    void (*run)(const struct subject *s, const struct backend *be,
                struct gauge *m);
};

extern const struct property *const properties[]; /* ends with NULL */

/* The excuse of what is proven by a formula, of a subject that has none. */
extern const char property_no_formula[];
const char *property_needs_formula(const struct subject *s);

/* What rounding may do to a sum of a hundred terms or so. */
extern const double rounding;

/* Keeps the worst; NaN is worse than all. */
void measure_worst(struct gauge *m, double value, const char *where, ...)
    __attribute__((format(printf, 3, 4)));
/* |got - want| / (1 + |want|) */
double measure_off(double got, double want);

#endif
