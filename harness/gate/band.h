/*
 * band: where the learning curves of a configuration run, whatever the seed:
 * what `baseline save --bands` makes of runs that differ in their seeds alone.
 *
 * A curve (training loss, and what was measured on validation text) is cut into
 * BAND_POINTS equal parts at most; y_t is its mean over part t.  Of m runs in
 * the order of their seeds the first m - n, n = m - m/2, give the centre c_t,
 * their mean, and the scale s_t, their standard deviation, its squares averaged
 * over 7 parts, and no less than a tenth of the curve's median one.  The other
 * n calibrate: the score of a run is
 *
 *     S = max over both curves and all t of |y_t - c_t| / s_t
 *
 * and the band is c_t -+ k s_t, k the largest score of the n.  These and a new
 * run of the same law can be exchanged, so that the new one stays inside,
 * everywhere, with probability n / (n + 1), whatever the law and however steps
 * hang together (split conformal prediction: Vovk, Gammerman, Shafer 2005; Lei
 * et al., JASA 2018; of curves: Diquigiovanni, Fontana, Vantini 2022).
 *
 * In the baseline a band stands behind the cells, under their name with a star
 * for the seed:
 *
 *     calibrated  n            config  JSON, without the seed
 *     level       n / (n + 1)  runs    m           seeds  "1 2 3 ..."
 *     curves/train/loss/0000001-0000008   centre, low and high of those steps
 *
 * BAND_RUNS: of n calibrating runs no run of another law can be told with p
 * below prod i / (i + r), r times as far out as any (stats_beyond); with n = 4,
 * r = 10 that is 1/1001, enough for 50 runs at once, and with 3 it is not.
 */
#pragma once

#include "harness/gate/baseline.h"

enum { BAND_RUNS = 8, BAND_POINTS = 16 };

/* Adds the band of every configuration of b, whose runs are in the store.
 * ERR_EMPTY, which names them: some have fewer than BAND_RUNS; ERR_STORE: a
 * cell is damaged. */
int band_make(struct baseline *b, const char *store);

/* That of a cell's configuration, whatever its seed; NULL: there is none. */
const struct baseline_cell *band_of(const struct baseline *b,
                                    const struct baseline_cell *c);

/* How far a run is out of a band. */
struct band_held {
    int    points;  /* that run and band have in common               */
    double ratio;   /* of its score to the largest calibrating one    */
    double worst;   /* step of that                                   */
    const struct baseline_value *left; /* the earliest part where it is
                                          outside; NULL: it is inside  */
    double step, last, value; /* of that part; the run's mean over it */
};

struct curves;

void band_hold(struct band_held *out, const struct baseline_cell *band,
               const struct curves *run);

/* ERR_STORE: a band read from a file is none. */
int band_check(const struct baseline_cell *band, const char *path);
