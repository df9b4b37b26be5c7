/*
 * stage_bands: implements the stage "bands" of judge.h.  It finds the runs
 * whose curves leave the band of their configuration (band.h).
 *
 * Among 50 runs from the same distribution, 50 / (n + 1) leave bands of n
 * calibrating runs by chance, so a single run outside is not yet an alarm.
 * There are two kinds of p-values.  The p of a run follows from its score
 * relative to the calibrating scores (stats_beyond).  The p of a band with r
 * runs, k of which are outside, is the probability that the k greatest of n + r
 * scores are all from the r runs (stats_above).  All p-values together are one
 * family, adjusted by Holm's method, which is valid for any dependence; the
 * runs are dependent because a seed has the same batches for all variants.  A
 * run outside, above or below, is an alarm if its own p or the p of its band is
 * below 0.05.  Other runs outside are listed, but are not alarms.
 */
#include "harness/gate/band.h"
#include "harness/gate/stages.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run that is compared with its band. */
struct held {
    const struct baseline_cell *cell, *band;
    struct band_held            is;
    int                         runs, outside; /* number of runs with the same
                                                  band; number outside   */
    double                      p;             /* the smaller of the adjusted p
                                                  of the run and of its band */
};

static double calibrated(const struct held *h)
{
    return baseline_value(h->band, "calibrated")->value;
}

static void add_outside(struct judging *w, const struct held *h)
{
    struct arena *a = w->out->memory;
    const struct baseline_value *v = h->is.left;
    /* "curves/train/loss" for "curves/train/loss/0000001-0000008" */
    const char *curve = arena_format(a, "%.*s",
                                     (int)(strrchr(v->what, '/') - v->what),
                                     v->what);
    const char *place =
        h->is.step == h->is.last
            ? arena_format(a, "at step %.0f", h->is.last)
            : arena_format(a, "at steps %.0f to %.0f", h->is.step, h->is.last);
    struct judged *r = judge_add(w->out, h->cell->name, curve,
                                 h->p < STATS_LEVEL ? JUDGE_OUTSIDE
                                                    : JUDGE_CHANCE,
                                 "bands", "");

    r->units = v->units;
    r->old = v->value;
    r->new = h->is.value;
    r->difference = r->new - r->old;
    r->between = (struct interval){v->between.low - v->value,
                                   v->between.high - v->value};
    r->p = h->p;
    r->why = arena_format(
        a, "left the band of %.0f runs %s%s: %.5g, not %.5g to %.5g; largest "
        "deviation at step %.0f, %.3g times that of the band's runs; %d of %d "
        "runs are outside",
        baseline_value(h->band, "runs")->value, place,
        h->p < STATS_LEVEL && r->difference < 0
            ? ", where it is too good (possibly a leak)" : "", r->new,
        v->between.low, v->between.high, h->is.worst, h->is.ratio, h->outside,
        h->runs);
}

/* Returns "12 runs compared with the bands of the baseline: 3 outside, where at
 * most 2.4 would be expected if nothing had changed; 1 significantly".  The
 * expected number is an upper bound, because a run whose seed was used to make
 * the band is closer to the band than a run with a new seed. */
static const char *in_words(const struct held *h, int n, struct arena *a)
{
    double chance = 0;
    int outside = 0, alarms = 0;

    for (int i = 0; i < n; i++) {
        chance += 1 / (calibrated(&h[i]) + 1);
        outside += h[i].is.left != NULL;
        alarms += h[i].is.left && h[i].p < STATS_LEVEL;
    }
    return arena_format(a, "%d run%s compared with the bands of the baseline: "
                        "%d outside, where at most %.2g would be expected if "
                        "nothing had changed; %d significantly", n,
                        n == 1 ? "" : "s", outside, chance, alarms);
}

/* Sets the adjusted p of each run.  The family has the p of every run and the p
 * of every band with several runs. */
static void adjust(struct held *h, const int *first, int n)
{
    OWNED(free) double *p = malloc((2 * (size_t)n + 1) * sizeof *p);
    OWNED(free) int *of = malloc(((size_t)n + 1) * sizeof *of);
    int m = n;

    for (int i = 0; i < n; i++) {
        int c = (int)calibrated(&h[i]);

        p[i] = h[i].is.left ? stats_beyond(h[i].is.ratio, c) : 1;
        of[i] = first[i] == i && h[i].runs > 1 ? m : -1;
        if (of[i] >= 0)
            p[m++] = stats_above(h[i].outside, h[i].runs, c);
    }
    stats_holm(p, p, (size_t)m);
    for (int i = 0; i < n; i++)
        h[i].p = of[first[i]] < 0 ? p[i] : fmin(p[i], p[of[first[i]]]);
}

static void conclude(struct judging *w, struct held *h, int n)
{
    /* first[i]: the first run that has the same band as run i */
    OWNED(free) int *first = malloc(((size_t)n + 1) * sizeof *first);

    for (int i = 0; i < n; i++) {
        for (first[i] = 0; h[first[i]].band != h[i].band;)
            first[i]++;
        h[first[i]].runs++;
        h[first[i]].outside += h[i].is.left != NULL;
    }
    for (int i = 0; i < n; i++) {
        h[i].runs = h[first[i]].runs;
        h[i].outside = h[first[i]].outside;
    }
    adjust(h, first, n);
    for (int i = 0; i < n; i++) {
        if (!h[i].is.points)
            judge_add(w->out, h[i].cell->name, "", JUDGE_UNDECIDED, "bands",
                      "no step in common with its band: its curves are "
                      "recorded at other steps");
        if (h[i].is.left)
            add_outside(w, &h[i]);
    }
    w->out->held = n;
    w->out->bands = in_words(h, n, w->out->memory);
}

int stage_bands(struct judging *w, const struct cell_pair *m, int n)
{
    OWNED(free) struct held *held = calloc((size_t)n + 1, sizeof *held);
    int k = 0;

    w->out->bands = "";
    for (int i = 0; i < n && w->of->old->bands; i++) {
        if (!m[i].b || (m[i].a && !pair_moved(&m[i])))
            continue;
        held[k].cell = m[i].b;
        held[k].band = band_of(w->of->old, m[i].a ? m[i].a : m[i].b);
        if (!held[k].band)
            continue;
        OWNED(arena_free) struct arena *a = arena_new();
        struct curves run;
        PASS(curves_read(&run, w->of->new_store, baseline_text(m[i].b, "id"),
                         a));
        band_hold(&held[k].is, held[k].band, &run);
        k++;
    }
    if (k)
        conclude(w, held, k);
    return OK;
}
