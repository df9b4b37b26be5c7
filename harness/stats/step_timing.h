/*
 * step_timing: records the times of training steps in histograms, and decides
 * whether the measured speed is reliable.  Training calls timing_add for each
 * step; timing_spread and timing_noisy evaluate the times.
 *
 * Histograms have fixed bins from 2^-20 to 2^17; each bin is 2^(1/32) times as
 * wide as the bin before it (2.2 % wider).  A value outside this range is
 * counted in the first or the last bin.  A histogram is plain data, so a
 * checkpoint can store it and a resumed run can continue it.
 *
 * Steps on batches of different shapes take different times, which is not
 * noise.  Therefore each step has a kind, which identifies the shape, and its
 * time is divided by the time of the fastest step of this kind so far.  The
 * spread of these ratios determines whether the speed is reliable.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    TIMING_OCTAVE = 32, TIMING_FIRST = -20, TIMING_LAST = 17,
    TIMING_BINS = (TIMING_LAST - TIMING_FIRST) * TIMING_OCTAVE,
    TIMING_KINDS = 4096
};

struct histogram { int64_t n, bin[TIMING_BINS]; };

void histogram_add(struct histogram *h, double x); /* x > 0 */

/* Returns the value of rank ceil(q n), 0 <= q <= 1, rounded to the geometric
 * middle of its bin (an error of at most 1.1 %).  Returns NAN if n = 0. */
double histogram_quantile(const struct histogram *h, double q);

struct timing {
    struct histogram seconds;
    struct histogram ratio;       /* time / `best`, from step 2 of a kind on */
    double least;                 /* seconds of the fastest step; 0: no step */
    double best[TIMING_KINDS];    /* `least` of each kind                    */
};

/* Records a step in `p`.  `kind`, a number from 0 to TIMING_KINDS - 1,
 * identifies the shape of its batch. */
void timing_add(struct timing *p, double seconds, int kind);

/* Quantiles of the seconds per step over n timed steps.  `width` is
 * (p90 - p10) / median, computed from the ratios by timing_spread and from the
 * seconds by timing_sample.  If there are fewer than TIMING_LEAST values,
 * `width` is NAN. */
struct spread { double least, p10, median, p90, width; long long n; };

enum { TIMING_LEAST = 3 };

struct spread timing_spread(const struct timing *p);
/* Returns the spread of n steps that are all of one kind. */
struct spread timing_sample(const double *seconds, size_t n);

/* Load of the machine: the one-minute load average (number of processes that
 * are ready to run; NAN: unknown) at the beginning and the end of a
 * measurement, and the number of processors online. */
struct load { double begin, end; int processors; };

struct load load_begin(void);
void        load_end(struct load *l);
double      load_most(const struct load *l); /* maximum of begin and end */

#define PACE_SLACK 0.25

/* load_noisy returns 1 if the load exceeds the number of processors by more
 * than PACE_SLACK times this number.  timing_noisy returns 1 if a speed is too
 * noisy to report: the load is, or `width` is unknown or exceeds PACE_SLACK.
 * All other code uses these functions. */
int load_noisy(const struct load *l);

int timing_noisy(const struct spread *s, const struct load *l);
