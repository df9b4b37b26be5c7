#include "harness/stats/step_timing.h"

#include "harness/base/owned.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- histograms ---- */

static int bin_of(double x)
{
    double at = (log2(x) - TIMING_FIRST) * TIMING_OCTAVE;

    return !(at > 0) ? 0 : at >= TIMING_BINS ? TIMING_BINS - 1 : (int)at;
}

void histogram_add(struct histogram *h, double x)
{
    h->bin[bin_of(x)]++;
    h->n++;
}

double histogram_quantile(const struct histogram *h, double q)
{
    int64_t rank = (int64_t)ceil(q * (double)h->n), below = 0;
    int i = 0;

    if (h->n == 0)
        return NAN;
    if (rank < 1)
        rank = 1;
    while (i < TIMING_BINS - 1 && (below += h->bin[i]) < rank)
        i++;
    return exp2(TIMING_FIRST + (i + 0.5) / TIMING_OCTAVE);
}

/* ---- steps ---- */

void timing_add(struct timing *p, double seconds, int kind)
{
    double *best = &p->best[kind];

    histogram_add(&p->seconds, seconds);
    if (*best > 0)
        histogram_add(&p->ratio, fmax(1, seconds / *best));
    if (!(*best > 0) || seconds < *best)
        *best = seconds;
    if (!(p->least > 0) || seconds < p->least)
        p->least = seconds;
}

static double width_of(double p10, double median, double p90)
{
    return (p90 - p10) / median;
}

/* Returns the quantile x or, if x is less than the least time, the least time.
 * The quantile is the middle of a bin, so it can be below every value in the
 * bin. */
static double at_least(const struct timing *p, double x)
{
    return x < p->least ? p->least : x;
}

struct spread timing_spread(const struct timing *p)
{
    const struct histogram *s = &p->seconds, *r = &p->ratio;
    struct spread out = {.least = p->least,
                         .p10 = at_least(p, histogram_quantile(s, 0.1)),
                         .median = at_least(p, histogram_quantile(s, 0.5)),
                         .p90 = at_least(p, histogram_quantile(s, 0.9)),
                         .width = NAN, .n = s->n};

    if (r->n >= TIMING_LEAST)
        out.width = width_of(histogram_quantile(r, 0.1),
                             histogram_quantile(r, 0.5),
                             histogram_quantile(r, 0.9));
    return out;
}

struct spread timing_sample(const double *seconds, size_t n)
{
    OWNED(free) double *x = malloc((n + 1) * sizeof *x);

    if (n > 0)
        memcpy(x, seconds, n * sizeof *x);
    struct spread s = {.least = stats_quantile(x, n, 0),
                       .p10 = stats_quantile(x, n, 0.1),
                       .median = stats_quantile(x, n, 0.5),
                       .p90 = stats_quantile(x, n, 0.9),
                       .width = NAN, .n = (long long)n};
    if (n >= TIMING_LEAST)
        s.width = width_of(s.p10, s.median, s.p90);
    return s;
}

/* ---- the machine ---- */

static double load_now(void)
{
    double load;

    return getloadavg(&load, 1) == 1 ? load : NAN;
}

struct load load_begin(void)
{
    return (struct load){load_now(), NAN,
                         (int)sysconf(_SC_NPROCESSORS_ONLN)};
}

void load_end(struct load *l) { l->end = load_now(); }

double load_most(const struct load *l) { return fmax(l->begin, l->end); }

int load_noisy(const struct load *l)
{
    return load_most(l) > (1 + PACE_SLACK) * l->processors;
}

int timing_noisy(const struct spread *s, const struct load *l)
{
    return !(s->width <= PACE_SLACK) || load_noisy(l);
}
