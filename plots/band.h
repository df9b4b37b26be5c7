/*
 * band: draws the curves of several seeds as one line of a chart, their mean,
 * in a band from their minimum to their maximum.  The figures curves and
 * logit_change call band_trace for the curve of every seed, then band_put.  At
 * each training step, the band has the seeds that have a value at this step.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/trace.h"
#include "plots/chart.h"

/* A point of a curve, or of a band, and a row of the data.  A point of a band
 * has the means over the seeds as value and smooth, and the minimum and maximum
 * of the smoothed values as low and high. */
struct band_point {
    const char *curve, *variant, *seed; /* curve: "train"; seed "-": a band */
    int         step;
    double      value, smooth;          /* smooth: moving mean of the values */
    double      low, high;
    int         seeds;                  /* of a band: seeds with a value */
};

struct band { size_t n, room; struct band_point *point; }; /* starts as {0} */

/* Returns 1 if a value can be drawn. */
typedef int band_test(double value);

/* Writes the curve of one seed as rows of the data, and adds the points whose
 * smoothed value `is` drawn to the band, unless `b` is NULL.  The smoothed
 * value is the mean over `half` points on either side.  row: the names in these
 * rows. */
void band_trace(struct band *b, band_test *is, struct picture *p,
                const struct column *columns, struct band_point row,
                const struct trace *t, size_t half);

/* Combines the points, so that b->point has one point for each step, sorted by
 * step, writes them as a block of the data, and extends the limits of the panel
 * by them; values in the first part `early` of the curve do not extend its
 * upper limit.  Returns the block, or CHART_NO_BLOCK if there are no points. */
int band_put(struct band *b, struct chart_panel *a, double early,
             struct picture *p, const struct column *columns);

void band_free(struct band *b);
OWNER_OF_VALUE(band_free, struct band)
