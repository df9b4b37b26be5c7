/*
 * band: the region in which the learning curves of a configuration lie for any
 * seed.  `baseline save --bands` calls band_make on runs that differ only in
 * their seeds; the gate calls band_hold.
 *
 * A curve (training loss, or a metric measured on validation text) is cut into
 * at most BAND_POINTS equal parts; y_t is its mean over part t.  Sort the m
 * runs by seed and let n = m - m/2.  The first m - n runs determine the centre
 * c_t, their mean, and the scale s_t, their standard deviation: its square is
 * averaged over 7 parts, and s_t is at least a tenth of the median scale of the
 * curve.  The other n runs calibrate: the score of a run is
 *
 *     S = max over both curves and all t of |y_t - c_t| / s_t
 *
 * and the band is c_t -+ k s_t, where k is the largest of the n scores.  The
 * calibrating runs and a new run from the same distribution are exchangeable,
 * so the new run stays inside everywhere with probability n / (n + 1), for any
 * distribution and any dependence between steps (split conformal prediction:
 * Vovk, Gammerman, Shafer 2005; Lei et al., JASA 2018; for curves:
 * Diquigiovanni, Fontana, Vantini 2022).
 *
 * In the file of the baseline, bands follow the cells.  The name of a band is
 * that of its cells with a star for the seed:
 *
 *     calibrated  n            config  JSON, without the seed
 *     level       n / (n + 1)  runs    m           seeds  "1 2 3 ..."
 *     curves/train/loss/0000001-0000008   centre, low and high of those steps
 *
 * BAND_RUNS: with n calibrating runs, a run from another distribution, r times
 * as far out as any of them, cannot get a p below prod i / (i + r)
 * (stats_beyond).  With n = 4 and r = 10 this is 1/1001, enough for 50 runs at
 * once; n = 3 is not enough.
 */
#pragma once

#include "harness/gate/baseline.h"

enum { BAND_RUNS = 8, BAND_POINTS = 16 };

/* Adds the band of every configuration of b, whose runs are in the store.
 * Returns ERR_EMPTY if some configurations, which the message names, have fewer
 * than BAND_RUNS runs or no step in common, or ERR_STORE if a cell is
 * damaged. */
int band_make(struct baseline *b, const char *store);

/* Returns the band of the cell's configuration, whatever its seed, or NULL. */
const struct baseline_cell *band_of(const struct baseline *b,
                                    const struct baseline_cell *c);

/* A run compared with a band. */
struct band_held {
    int    points;  /* that run and band have in common               */
    double ratio;   /* its score / the largest calibrating one        */
    double worst;   /* last step of the part with that ratio          */
    const struct baseline_value *left; /* the earliest part where it is outside;
                                          NULL: it is inside           */
    double step, last, value; /* of `left`; the run's mean over it */
};

struct curves;

void band_hold(struct band_held *out, const struct baseline_cell *band,
               const struct curves *run);

/* Returns OK, or ERR_STORE if a band that was read from a file is invalid. */
int band_check(const struct baseline_cell *band, const char *path);
