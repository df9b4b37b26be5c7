/*
 * band: computes the bands of a configuration, the region in which its learning
 * curves lie for any seed, and compares runs with bands.  `baseline save
 * --bands` calls band_make on runs that differ only in their seeds; the gate
 * calls band_hold.
 *
 * A curve (training loss, or a metric measured on validation text) is divided
 * into at most BAND_POINTS equal parts; y_t is its mean over part t.  Sort the
 * m runs by seed and let n be m/2, rounded up.  The first m - n runs determine
 * the centre c_t, which is the mean of their y_t, and the scale s_t, which is
 * the standard deviation of their y_t.  The square of s_t is averaged over t
 * and the three parts on each side, and s_t is at least a tenth of the median
 * scale of the curve.  The other n runs calibrate the band: the score of a run
 * is
 *
 *     S = max over both curves and all t of |y_t - c_t| / s_t
 *
 * and the band is c_t - k s_t to c_t + k s_t, where k is the largest of the n
 * scores.  The calibrating runs and a new run from the same distribution are
 * exchangeable.  So the new run is inside at every part with probability at
 * least n / (n + 1), for any distribution and any dependence between steps.
 * This is split conformal prediction (Vovk, Gammerman, Shafer 2005; Lei et al.,
 * JASA 2018; for curves: Diquigiovanni, Fontana, Vantini 2022).
 *
 * In the file of the baseline, bands follow the cells.  The name of a band is
 * the name of its cells, with a star in place of the seed:
 *
 *     calibrated  n            config  JSON, without the seed
 *     level       n / (n + 1)  runs    m           seeds  "1 2 3 ..."
 *     curves/train/loss/0000001-0000008   centre, low and high for steps 1 to 8
 *
 * BAND_RUNS is the minimum of m.  If the score of a run is r times the largest
 * of n calibrating scores, its p-value is the product of i / (i + r) for i = 1
 * to n (stats_beyond).  With n = 4 and r = 10 this is 1/1001, which is enough
 * to test 50 runs at once; n = 3 is not enough.
 */
#pragma once

#include "harness/gate/baseline.h"

enum { BAND_RUNS = 8, BAND_POINTS = 16 };

/* Adds to `b` the band of every configuration in it; the runs are in the store.
 * Returns ERR_EMPTY if a configuration has fewer than BAND_RUNS runs, or runs
 * without a common step (the message names all such configurations), or
 * ERR_STORE if a cell is damaged. */
int band_make(struct baseline *b, const char *store);

/* Returns the band of the cell's configuration, which does not depend on the
 * seed, or NULL if there is none. */
const struct baseline_cell *band_of(const struct baseline *b,
                                    const struct baseline_cell *c);

/* A run compared with a band. */
struct band_held {
    int    points;  /* number of parts that run and band both have    */
    double ratio;   /* score of the run / largest calibrating score   */
    double worst;   /* last step of the part with the largest ratio   */
    const struct baseline_value *left; /* the earliest part where the run is
                                          outside; NULL: it is inside  */
    double step, last, value; /* first and last step of `left`; the run's mean
                                 over `left`                          */
};

/* The learning curves of a run: the training loss, and metrics on validation
 * text. */
struct curve {
    const char *name, *units; /* "train/loss", "nats/token"      */
    size_t      n;
    double     *step, *value; /* [n]; steps increase             */
};

struct curves { size_t n; struct curve *curve; };

/* Reads the curves of a cell; the arena `a` owns them.  Returns ERR_STORE if
 * the cell is damaged or has no training losses. */
int curves_read(struct curves *out, const char *store, const char *id,
                struct arena *a);

/* Compares a run with a band. */
void band_hold(struct band_held *out, const struct baseline_cell *band,
               const struct curves *run);

/* Returns OK, or ERR_STORE if a band that was read from a file is invalid. */
int band_check(const struct baseline_cell *band, const char *path);
