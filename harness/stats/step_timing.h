/*
 * step_timing: how long single steps took, and whether their speed can be
 * believed.
 *
 * Histograms of fixed bins, each 2^(1/32) times the one before (2.2 %), from
 * 2^-20 to 2^17; what is outside counts as the first or the last.  It is plain
 * data, so that it can be kept in a checkpoint and go on counting.
 *
 * Steps of other shapes take other times, which is no noise.  So a step is also
 * compared with the fastest one of its kind so far, and it is the spread of
 * these ratios that says what can be believed.
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

/* The value of rank ceil(q n), to half a bin, 1.1 %: the middle of its bin (the
 * geometric one).  0 <= q <= 1; NAN: n = 0. */
double histogram_quantile(const struct histogram *h, double q);

struct timing {
    struct histogram seconds;
    struct histogram ratio;       /* to `best` of the kind, from its second */
    double least;                 /* seconds; 0: none was counted           */
    double best[TIMING_KINDS];      /* likewise                               */
};

/* A step of a kind, 0 .. TIMING_KINDS - 1. */
void timing_add(struct timing *p, double seconds, int kind);

/* Seconds of a step; n were timed.  width: (p90 - p10) / median, of the ratios
 * where steps are of several kinds; NAN: fewer than TIMING_LEAST tell. */
struct spread { double least, p10, median, p90, width; long long n; };

enum { TIMING_LEAST = 3 };

struct spread timing_spread(const struct timing *p);
struct spread timing_sample(const double *seconds, size_t n); /* of one kind */

/* What the machine had to do beside: load averages of one minute (processes
 * that want to run; NAN: unknown), and the processors that there are. */
struct load { double begin, end; int processors; };

struct load load_begin(void);
void        load_end(struct load *l);
double      load_most(const struct load *l); /* the greater of the two */

/*
 * The one rule.  A speed is too noisy to be told where fewer than three steps
 * of a kind were timed, where the middle four fifths of them spread over more
 * than a quarter of their median, or where the load was more than a quarter
 * above the number of processors.
 */
#define PACE_SLACK 0.25

int timing_noisy(const struct spread *s, const struct load *l);
