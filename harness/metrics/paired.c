/*
 * Both tests use the additive statistics of segments and count how often a
 * random difference between two systems exceeds the observed one, |sys - first|
 * for the scores of a system and of the first system.  In resample i, the
 * difference is d_i, and c is the count:
 *
 *   bootstrap (Koehn, EMNLP 2004): draws as many segments as there are, with
 *     replacement, and scores both systems: d_i = |sys_i - first_i|.
 *     c = #{ d_i - mean d > |sys - first| }
 *   approximate randomisation (Riezler and Maxwell, 2005): exchanges segments
 *     between the two systems at random, which gives two systems A and B:
 *     d_i = |A_i - B_i|.  c = #{ d_i > |sys - first| }
 *
 *   p = (c + 1) / (resamples + 1)
 *
 * A system that equals the first has d_i = 0 for all i and therefore the
 * smallest p.  With the bootstrap scores s in ascending order and r resamples,
 * ci = (s[r - r/40 - 1] - s[r/40]) / 2.
 */
#include "harness/metrics/paired.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/stats/pcg64.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *paired_json(const char *system, const struct paired *p)
{
    json_t *out = json_object();

    if (system)
        result_text(out, "system", system);
    result_real(out, "score", p->score);
    result_real(out, "p_value", p->p);
    result_whole(out, "count_extreme", p->extreme < 0 ? NAN
                                                      : (double)p->extreme);
    result_real(out, "mean", p->mean);
    result_real(out, "ci", p->ci);
    return out;
}

char *paired_signature(const char *signature, enum paired_test test,
                       int resamples, uint32_t seed)
{
    int refs = (int)strcspn(signature, "|");

    return str_format("%.*s|%s:%d|seed:%u%s", refs, signature,
                      test == PAIRED_TEST_AR ? "ar" : "bs", resamples,
                      (unsigned)seed, signature + refs);
}

/* ---- resampling ---- */

struct resampling {
    const struct scorer      *scorer;
    const struct score_input *in; /* input of the first system */
    size_t                    n, columns;
    uint32_t                  seed;
    int                       resamples;
    double                   *sum, *other; /* [columns]           */
    double                   *scores, *base, *distance; /* [resamples] */
};

static double score_of(const struct resampling *r, const double *sums)
{
    return r->scorer->of_sums(sums, r->in);
}

static double whole(const struct resampling *r, const double *x)
{
    scorer_sum(r->sum, x, r->n, r->columns);
    return score_of(r, r->sum);
}

/* Sets scores[i] to the score of the i-th bootstrap sample of x (n,columns). */
static void bootstrap(const struct resampling *r, double *scores,
                      const double *x)
{
    struct pcg64 g;

    pcg64_seed(&g, r->seed);
    for (int i = 0; i < r->resamples; i++) {
        for (size_t k = 0; k < r->columns; k++)
            r->sum[k] = 0;
        for (size_t draw = 0; draw < r->n; draw++) {
            size_t row = pcg64_below(&g, (uint32_t)r->n);

            for (size_t k = 0; k < r->columns; k++)
                r->sum[k] += x[row * r->columns + k];
        }
        scores[i] = score_of(r, r->sum);
    }
}

/* Sets r->distance[i] to |A_i - B_i|, the difference of the scores after rows
 * of `x` and `y` (n,columns) have been exchanged at random. */
static void randomise(const struct resampling *r, const double *x,
                      const double *y)
{
    struct pcg64 g;

    pcg64_seed(&g, r->seed);
    for (int i = 0; i < r->resamples; i++) {
        for (size_t k = 0; k < r->columns; k++)
            r->sum[k] = r->other[k] = 0;
        for (size_t row = 0; row < r->n; row++) {
            size_t at = row * r->columns;
            int keep = pcg64_bit(&g);

            for (size_t k = at; k < at + r->columns; k++) {
                r->sum[k - at] += keep ? x[k] : y[k];
                r->other[k - at] += keep ? y[k] : x[k];
            }
        }
        r->distance[i] = fabs(score_of(r, r->sum) - score_of(r, r->other));
    }
}

static void decide(struct paired *out, const struct resampling *r,
                   double observed, double shift)
{
    out->extreme = 0;
    for (int i = 0; i < r->resamples; i++)
        out->extreme += r->distance[i] - shift > observed;
    out->p = (double)(out->extreme + 1) / (double)(r->resamples + 1);
}

static void interval(struct paired *out, const struct resampling *r)
{
    size_t n = (size_t)r->resamples, cut = n / 40;

    out->mean = stats_mean(r->scores, n);
    qsort(r->scores, n, sizeof *r->scores, stats_order);
    out->ci = (r->scores[n - cut - 1] - r->scores[cut]) / 2;
}

/* Tests a system with the statistics `x` against the first system, which has
 * the statistics `base` and the score `base_score`.  For the first system
 * itself, `base` is `x`. */
static void test_one(struct paired *out, const struct resampling *r,
                     enum paired_test test, const double *x,
                     const double *base, double base_score)
{
    size_t n = (size_t)r->resamples;
    int first = x == base;

    *out = (struct paired){whole(r, x), NAN, NAN, NAN, -1};
    if (test == PAIRED_TEST_AR && !first) {
        randomise(r, base, x);
        decide(out, r, fabs(base_score - out->score), 0);
    }
    if (test == PAIRED_TEST_AR)
        return;
    bootstrap(r, r->scores, x);
    for (size_t i = 0; i < n; i++) {
        if (first)
            r->base[i] = r->scores[i];
        r->distance[i] = fabs(r->scores[i] - r->base[i]);
    }
    if (!first)
        decide(out, r, fabs(base_score - out->score),
               stats_mean(r->distance, n));
    interval(out, r);
}

int paired_run(struct paired *out, const struct scorer *s,
               const struct score_input *in, int systems,
               enum paired_test test, int resamples, uint32_t seed)
{
    struct resampling r = {.scorer = s, .in = in, .n = in->hyp->n,
                           .seed = seed, .resamples = resamples};
    size_t n = (size_t)resamples;
    OWNED(free) double *base = NULL;
    OWNED(free) double *x = NULL;

    REQUIRE(s->segments && resamples > 0 && in->options,
            "%s, %d resamples", s->name, resamples);
    PASS(scorer_check(s, &in[0]));
    PASS(s->segments(&base, &r.columns, &in[0]));
    OWNED(free) double *sums = calloc(2 * r.columns + 1, sizeof *sums);
    OWNED(free) double *scores = calloc(3 * n, sizeof *scores);
    r.sum = sums;
    r.other = sums + r.columns;
    r.scores = scores;
    r.base = scores + n;
    r.distance = scores + 2 * n;
    test_one(&out[0], &r, test, base, base, NAN);
    for (int i = 1; i < systems; i++) {
        PASS(scorer_check(s, &in[i]));
        PASS(s->segments(&x, &r.columns, &in[i]));
        test_one(&out[i], &r, test, x, base, out[0].score);
        free(x);
        x = NULL;
    }
    return OK;
}
