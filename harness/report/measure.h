/*
 * measure: metrics that are a function of two sums over the test examples, and
 * what a cell stores of each example for them.
 */
#ifndef REPORT_MEASURE_H
#define REPORT_MEASURE_H

enum measure_sum {
    MEASURE_NLL, MEASURE_TOKENS, MEASURE_HITS, MEASURE_WORDS, MEASURE_SUMS
};

struct measure {
    const char      *metric;
    enum measure_sum over, under;
    double         (*of)(double ratio); /* of the two sums         */
    const char      *decided; /* as this one is, with which it rises and
                                 falls; NULL: by a test of its own */
};

const struct measure *measure_of(const char *metric); /* NULL: it is none */

/* The metric whose test decides this one, too. */
const char *measure_test(const char *metric);

const char           *measure_path(enum measure_sum s); /* in a cell's file */

#endif
