/*
 * param_count: compares the numbers of learned parameters at full scale with
 * the published numbers, for Table 1 (table1.h).
 *
 * The parameters of each cell are counted twice.  In the count `equal`, every
 * variant has as many heads as the Transformer; in the count `code`,
 * synthesizers have 8 heads of width 128, as in the released code.  A residual
 * is our count, rounded to the last digit of the published number, minus the
 * published number.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/report/published.h"

struct count {
    const struct cell *cell;
    double       equal, code; /* parameters; `code` is NAN if the width d of the
                                 model is not a multiple of 8           */
    double       residual_equal, residual_code; /* NAN: none is published */
    struct published_value claim; /* its value is NAN if none is published */
    double       a_piece;     /* parameters per vocabulary entry */
    const char  *verdict;     /* whether the counts match, in words; or NULL */
    int          cannot;      /* 1: no vocabulary size makes them match */
};

/* Counts the parameters of a cell, and finds their published number in `p`. */
void count_cell(struct count *out, const struct cell *c,
                const struct published *p);

/* Changes the counts to those of a vocabulary with `more` further entries. */
void count_pieces(struct count *k, double more);

/* Returns the residual of the count `ours`, or NAN if no number is
 * published. */
double count_residual(double ours, const struct published_value *claim);

/* count_printed returns the published number as it was printed, "67M", or "" if
 * there is none; count_signed returns a residual, "+1M" or "0".  The text is in
 * `out`. */
const char *count_printed(const struct published_value *claim, char out[32]);
const char *count_signed(double residual, const struct published_value *claim,
                         char out[32]);

/*
 * Finds the range of vocabulary sizes, `low` to `high`, at which the counts of
 * as many rows as possible match the published numbers.  The first row, the
 * Transformer, must match.  Sets found[i] to 1 if row i matches, else to 0.
 * Returns the number of matching rows.  If the first row cannot match, returns
 * 0 and sets neither *out nor `found`.  If `code` is 1, uses the counts `code`,
 * else the counts `equal`.
 */
struct pieces { double low, high; };
int count_fit(struct pieces *out, const struct count *row, int n, int code,
              char *found);

/* Returns 1 if there is a vocabulary size at which both `row` and `first` match
 * their published numbers. */
int count_possible(const struct count *row, const struct count *first,
                   int code);
