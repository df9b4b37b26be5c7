/*
 * step_timing: histograms of the time of training steps, and whether the
 * measured speed is reliable.
 *
 * Histograms have fixed bins from 2^-20 to 2^17, each 2^(1/32) times as wide as
 * the one before (2.2 %).  Values outside count in the first or the last bin.
 * A histogram is plain data, so a checkpoint can store it and a resumed run can
 * continue it.
 *
 * Steps of different shapes take different times, which is not noise.
 * Therefore each step is also compared with the fastest step of its kind so
 * far; the spread of these ratios determines whether the speed is reliable.
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

/* Returns the value of rank ceil(q n), 0 <= q <= 1, to half a bin (1.1 %): the
 * geometric middle of its bin.  Returns NAN if n = 0. */
double histogram_quantile(const struct histogram *h, double q);

struct timing {
    struct histogram seconds;
    struct histogram ratio;       /* to `best`, from step 2 of a kind       */
    double least;                 /* seconds; 0: no step yet                */
    double best[TIMING_KINDS];      /* likewise, per kind                     */
};

/* Adds a step of a kind, 0 .. TIMING_KINDS - 1. */
void timing_add(struct timing *p, double seconds, int kind);

/* Seconds per step; n: number of timed steps.  width: (p90 - p10) / median, of
 * the ratios if timing_spread computed it; NAN if fewer than TIMING_LEAST
 * values are known. */
struct spread { double least, p10, median, p90, width; long long n; };

enum { TIMING_LEAST = 3 };

struct spread timing_spread(const struct timing *p);
struct spread timing_sample(const double *seconds, size_t n); /* one kind */

/* Load of the machine: one-minute load averages (processes ready to run; NAN:
 * unknown) and the number of processors online. */
struct load { double begin, end; int processors; };

struct load load_begin(void);
void        load_end(struct load *l);
double      load_most(const struct load *l); /* maximum of begin and end */

/*
 * The only rule for noise.  A speed is too noisy to report if fewer than three
 * steps of a kind were timed, if p90 - p10 of their times exceeds a quarter of
 * the median, or if the load exceeded the number of processors by more than a
 * quarter.
 */
#define PACE_SLACK 0.25

int timing_noisy(const struct spread *s, const struct load *l);
