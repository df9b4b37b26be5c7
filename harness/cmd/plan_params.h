/*
 * plan_params: learned parameters at full scale against the published figures.
 *
 * Each cell is counted twice: `equal`, every variant with the
 * Transformer's heads; `code`, synthesizers with the released code's 8 heads of
 * 128.  A residual is ours, rounded as the figure is printed, less the figure.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/print/sheet.h"
#include "harness/report/published.h"

struct count {
    const struct cell *cell;
    double       equal, code; /* parameters; code NAN: d has no 8 heads */
    struct published_value claim; /* value 0: none is published         */
    double       a_piece;     /* parameters more for a larger vocabulary */
    const char  *verdict;     /* of table1.h, as follows; or NULL        */
    int          cannot;      /* 1: no assumption matches                */
};

void count_cell(struct count *out, const struct cell *c,
                const struct published *p);

/* NAN where nothing is published. */
double count_residual(double ours, const struct published_value *claim);

/* "222,903,552"; "67M" as printed, ""; "+1M", "0"; text in out. */
const char *count_digits(double x, char out[32]);
const char *count_printed(const struct published_value *claim, char out[32]);
const char *count_signed(double residual, const struct published_value *claim,
                         char out[32]);

/* Both counts, a residual behind each: four cells. */
void count_put(struct grid *g, const struct count *k);

int plan_params_full(const struct cell *c); /* 1: it is of the full scale */

/* *out stays NULL where no selected cell is of the full scale. */
int plan_params_open(struct published **out, const struct plan *p);

/* The counts of the plan's full-scale cells. */
void plan_params_put(struct sheet *s, const struct plan *p,
                     const struct published *published);

/*
 * The vocabularies (low to high) at which most rows of a column match, the
 * first row, the Transformer, always; found[i]: row i is one of them.  Returns
 * how many match, 0: the first row does at none.  code: of count.code.
 */
struct pieces { double low, high; };
int count_fit(struct pieces *out, const struct count *row, int n, int code,
              char *found);

/* Can the row match at any vocabulary at which the first row does? */
int count_possible(const struct count *row, const struct count *first,
                   int code);
