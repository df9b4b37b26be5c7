/*
 * plan_params: compares the numbers of learned parameters at full scale with
 * the published numbers.  `plan` and table1.h use it.
 *
 * The parameters of each cell are counted twice.  In the count `equal`, every
 * variant has as many heads as the Transformer; in the count `code`,
 * synthesizers have 8 heads of width 128, as in the released code.  A residual
 * is our count, rounded to the last digit of the published number, minus the
 * published number.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/print/sheet.h"
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

/* The columns of a struct count that `plan` and Table 1 share; count_columns
 * are those of `plan`. */
const char *count_show_published(const void *row, struct arena *a);
const char *count_show_equal(const void *row, struct arena *a);
const char *count_show_code(const void *row, struct arena *a);
#define COUNT_NUMBER(member) COLUMN_AS(COLUMN_WHOLE, struct count, member)
#define COUNT_COLUMNS                                                         \
    {"published", "published", COUNT_NUMBER(claim.value),                     \
     .show = count_show_published},                                           \
    {"params_equal", "parameters", COUNT_NUMBER(equal), .unit = ",",          \
     .none = "-", .group = "heads: equal"},                                   \
    {"residual_equal", "residual", COUNT_NUMBER(residual_equal),              \
     .show = count_show_equal, .group = "heads: equal"},                      \
    {"params_code", "parameters", COUNT_NUMBER(code), .unit = ",",            \
     .none = "-", .group = "heads: code"},                                    \
    {"residual_code", "residual", COUNT_NUMBER(residual_code),                \
     .show = count_show_code, .group = "heads: code"}
extern const struct column count_columns[];

int plan_params_full(const struct cell *c); /* 1: the cell has the full scale */

/* Opens the published numbers; *out stays NULL if no selected cell has the full
 * scale. */
int plan_params_open(struct published **out, const struct plan *p);

/* Adds the counts of the plan's full-scale cells to the sheet. */
void plan_params_put(struct sheet *s, const struct plan *p,
                     const struct published *published);

/*
 * Finds the range of vocabulary sizes, `low` to `high`, at which the counts of
 * as many rows as possible match the published numbers.  The first row, the
 * Transformer, must match.  Sets found[i] to 1 if row i matches, else to 0.
 * Returns the number of matching rows, or 0 if the first row cannot match.  If
 * `code` is 1, uses the counts `code`, else the counts `equal`.
 */
struct pieces { double low, high; };
int count_fit(struct pieces *out, const struct count *row, int n, int code,
              char *found);

/* Returns 1 if there is a vocabulary size at which both `row` and `first` match
 * their published numbers. */
int count_possible(const struct count *row, const struct count *first,
                   int code);
