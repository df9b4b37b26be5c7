/*
 * BLEU = BP exp(sum_n log p_n / N), n = 1 .. N      (Papineni et al., ACL 2002)
 *
 *   p_n = 100 correct_n / total_n; an n-gram is correct at most as often as it
 *         occurs in one reference
 *   BP  = 1 if hyp >= ref, 0 if hyp = 0, else exp(1 - ref / hyp), where hyp is
 *         the number of words of the hypotheses, and ref that of the references
 *         closest in length; if two are equally close, the shorter one counts
 *
 * Smoothing of an order without a match (Chen and Cherry, WMT 2014):
 *   none   p = 0, so the score is 0
 *   floor  p = 100 value / total
 *   exp    the k-th such order has p = 100 / (2^k total)
 *   add-k  for n > 1, value is first added to every correct_n and total_n
 * If no order has a match, the score is 0.  If the hypotheses have n-grams only
 * for n <= m < N, the score is 0, or with `effective`, m replaces N.
 */
#include "harness/metrics/bleu/bleu.h"

#include "harness/metrics/gathered.h"
#include "harness/metrics/ngram.h"

#include <math.h>
#include <stdlib.h>

/* Returns `best` or `length`, whichever is closer to `hyp`; if both are equally
 * close, returns the smaller one.  If `best` is negative, returns `length`. */
static long closest(long best, long length, long hyp)
{
    long a = labs(length - hyp), b = labs(best - hyp);

    return best < 0 || a < b || (a == b && length < best) ? length : best;
}

void bleu_add(struct bleu_stats *b, struct ngrams *g, int orders,
              const char *hyp, const char *const ref[], int refs)
{
    for (int n = 1; n <= orders; n++) {
        ngram_clear(g);
        long hyps = ngram_add(g, hyp, n, NGRAM_HYP), length = -1;

        for (int i = 0; i < refs; i++)
            length = closest(length, ngram_add(g, ref[i], n, NGRAM_REF), hyps);
        if (n == 1) {
            b->hyp_words += hyps;
            b->ref_words += length;
        }
        b->total[n - 1] += hyps;
        b->correct[n - 1] += ngram_matches(g);
    }
}

double bleu_brevity(double hyp, double ref)
{
    if (hyp >= ref)
        return 1;
    return hyp > 0 ? exp(1 - ref / hyp) : 0;
}

static int any_match(const struct bleu_stats *b, int orders)
{
    for (int n = 0; n < orders; n++)
        if (b->correct[n])
            return 1;
    return 0;
}

struct bleu_score bleu_score(const struct bleu_stats *b,
                             const struct bleu_form *f)
{
    double hyp = (double)b->hyp_words, ref = (double)b->ref_words;
    struct bleu_score s = {.brevity = bleu_brevity(hyp, ref),
                           .ratio = ref > 0 ? hyp / ref : 0};
    double smooth = 1, sum = 0;
    int n = 0;

    if (!any_match(b, f->orders))
        return s;
    for (; n < f->orders; n++) {
        double k = f->smooth == BLEU_ADD_K && n ? f->value : 0;
        double correct = (double)b->correct[n] + k;
        double total = (double)b->total[n] + k;

        if (total == 0)
            break;
        if (correct == 0 && f->smooth == BLEU_EXP)
            correct = 1 / (smooth *= 2);
        else if (correct == 0 && f->smooth == BLEU_FLOOR)
            correct = f->value;
        s.precision[n] = 100 * correct / total;
        sum += log(s.precision[n]);
    }
    if (n == f->orders || (f->effective && n))
        s.score = s.brevity * exp(sum / n);
    return s;
}

/* ---- the metric of training: the scorer with its default options ---- */

extern const struct scorer scorer_bleu;

const struct metric metric_bleu = {
    .name = "bleu",
    .title = "BLEU",
    .unit = "%",
    .better = 1,
    .signature = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
    .how = &(const struct gathered_score){&scorer_bleu, NULL, 1},
    .measure = gathered_measure,
    .strata = gathered_strata,
};
