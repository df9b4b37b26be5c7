/*
 * BLEU = BP exp(sum_n log p_n / 4), n = 1 .. 4      (Papineni et al., ACL 2002)
 *
 *   p_n = 100 correct_n / total_n, matches clipped by the reference's counts
 *   BP  = 1 if hyp >= ref words, else exp(1 - ref / hyp); 0 without hyp words
 *
 * Smoothing "exp": the k-th order without a match gets p = 100 / (2^k total).
 * No match in any order, or an order without hypothesis n-grams: 0.
 */
#include "harness/metrics/bleu.h"

#include "harness/metrics/metric.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/tok13a.h"

#include <math.h>
#include <stdlib.h>

void bleu_add(struct bleu_stats *b, struct ngrams *g, const char *hyp,
              const char *ref)
{
    for (int n = 1; n <= BLEU_ORDERS; n++) {
        ngram_clear(g);
        long hyps = ngram_add(g, hyp, n, NGRAM_HYP);
        long refs = ngram_add(g, ref, n, NGRAM_REF);

        if (n == 1) {
            b->hyp_words += hyps;
            b->ref_words += refs;
        }
        b->total[n - 1] += hyps;
        b->correct[n - 1] += ngram_matches(g);
    }
}

static double brevity(double hyp, double ref)
{
    if (hyp >= ref)
        return 1;
    return hyp > 0 ? exp(1 - ref / hyp) : 0;
}

struct bleu_score bleu_score(const struct bleu_stats *b)
{
    double hyp = (double)b->hyp_words, ref = (double)b->ref_words;
    struct bleu_score s = {.brevity = brevity(hyp, ref),
                           .ratio = ref > 0 ? hyp / ref : 0};
    double smooth = 1, sum = 0;
    int matched = 0, n = 0;

    for (int k = 0; k < BLEU_ORDERS; k++)
        matched |= b->correct[k] > 0;
    for (; matched && n < BLEU_ORDERS && b->total[n]; n++) {
        double total = (double)b->total[n];

        if (!b->correct[n])
            smooth *= 2;
        s.precision[n] = 100 * (b->correct[n] ? (double)b->correct[n]
                                              : 1 / smooth) / total;
        sum += log(s.precision[n]);
    }
    if (n == BLEU_ORDERS)
        s.score = s.brevity * exp(sum / BLEU_ORDERS);
    return s;
}

struct bleu { struct bleu_stats stats; struct ngrams *grams; long segments; };

static void begin(void *self)
{
    *(struct bleu *)self = (struct bleu){.grams = ngram_new()};
}

static void add(void *self, const struct seen *s)
{
    struct bleu *m = self;
    char *hyp = tok13a(s->hyp), *ref = tok13a(s->ref);

    bleu_add(&m->stats, m->grams, hyp, ref);
    m->segments++;
    free(hyp);
    free(ref);
}

static double end(void *self)
{
    struct bleu *m = self;

    ngram_free(m->grams);
    return m->segments ? bleu_score(&m->stats).score : NAN;
}

const struct metric metric_bleu = {
    .name = "bleu",
    .title = "BLEU",
    .unit = "%",
    .better = 1,
    .size = sizeof(struct bleu),
    .signature = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
    .begin = begin,
    .add = add,
    .end = end,
};
