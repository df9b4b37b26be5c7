/*
 * plan_params: compares learned parameters at full scale with the published
 * numbers.  `plan` and table 1 call it.
 *
 * Each cell is counted twice: `equal` gives every variant the Transformer's
 * heads; `code` gives synthesizers the released code's 8 heads of 128.  A
 * residual is our number, rounded as the published one, minus the published
 * number.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/print/sheet.h"
#include "harness/report/published.h"

struct count {
    const struct cell *cell;
    double       equal, code; /* parameters; code NAN: d not a multiple of 8 */
    struct published_value claim; /* value 0: not published             */
    double       a_piece;     /* parameters per vocabulary entry */
    const char  *verdict;     /* as in table1.h; or NULL         */
    int          cannot;      /* 1: no assumption matches        */
};

void count_cell(struct count *out, const struct cell *c,
                const struct published *p);

/* Returns the residual, or NAN if nothing is published. */
double count_residual(double ours, const struct published_value *claim);

/* Return "222,903,552"; "67M" as published, or ""; "+1M" or "0".  The text is
 * in out. */
const char *count_digits(double x, char out[32]);
const char *count_printed(const struct published_value *claim, char out[32]);
const char *count_signed(double residual, const struct published_value *claim,
                         char out[32]);

/* Adds both counts, each followed by its residual: four values. */
void count_put(struct grid *g, const struct count *k);

int plan_params_full(const struct cell *c); /* 1: of the full scale */

/* Opens the published numbers; *out stays NULL if no selected cell has the full
 * scale. */
int plan_params_open(struct published **out, const struct plan *p);

/* Adds the counts of the plan's full-scale cells. */
void plan_params_put(struct sheet *s, const struct plan *p,
                     const struct published *published);

/*
 * Finds the vocabularies (low to high) at which most rows of a column match;
 * the first row, the Transformer, must match.  found[i] becomes 1 if row i
 * matches.  Returns the number of matching rows, or 0 if the first row cannot
 * match.  code selects count.code.
 */
struct pieces { double low, high; };
int count_fit(struct pieces *out, const struct count *row, int n, int code,
              char *found);

/* Returns 1 if the row can match at a vocabulary at which the first row
 * matches. */
int count_possible(const struct count *row, const struct count *first,
                   int code);
