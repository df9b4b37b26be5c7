/*
 * bleu_t2t: tensor2tensor's t2t-bleu (utils/bleu_hook.py), with one reference.
 *
 *   p_n = matches_n / possible_n for n = 1 .. N, where possible_n is the number
 *         of n-grams of the hypotheses; the k-th order without a match has
 *         p = 1 / (2^k possible); an order without n-grams has p = 0 and is
 *         omitted from the sum, which is still divided by N
 *   BLEU = BP exp(sum log p_n / N), where BP is the brevity penalty
 *
 * In contrast to sacreBLEU, a corpus without any match scores slightly above 0,
 * and a corpus too short for N-grams may score high.
 */
#include "harness/metrics/scorer.h"

#include "harness/base/err.h"
#include "harness/metrics/bleu/bleu.h"
#include "harness/metrics/bleu/tokenize.h"
#include "harness/metrics/ngram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct options { int case_sensitive, max_order, use_bp; };

static const struct key options[] = {
    {"case_sensitive", &key_bool, SCORE_AT(case_sensitive), .initial = "false",
     .help = "keep case"},
    {"max_order", &key_int, SCORE_AT(max_order), .initial = "4", .low = 1,
     .high = BLEU_MOST_ORDERS, .help = "longest n-gram"},
    {"use_bp", &key_bool, SCORE_AT(use_bp), .initial = "true",
     .help = "apply the brevity penalty"},
    {.name = NULL}};

static char *prepare(const char *line, int cased)
{
    OWNED(text_free) struct text t = {0};

    if (cased)
        return tokenize_t2t(line);
    text_lower(&t, line, strlen(line));
    return tokenize_t2t(t.s);
}

static struct bleu_stats count(const struct score_input *in, int orders,
                               int cased)
{
    struct bleu_stats b = {.hyp_words = 0};
    OWNED(ngram_free) struct ngrams *g = ngram_new();

    for (size_t i = 0; i < in->hyp->n; i++) {
        OWNED(free) char *hyp = prepare(in->hyp->line[i], cased);
        OWNED(free) char *ref = prepare(in->ref[0]->line[i], cased);

        bleu_add(&b, g, orders, hyp, &(const char *const){ref}, 1);
    }
    return b;
}

/* Returns the brevity penalty; without reference words it is 1. */
static double brevity(const struct bleu_stats *b)
{
    return b->ref_words ? bleu_brevity((double)b->hyp_words,
                                       (double)b->ref_words) : 1;
}

static int score(json_t *out, const struct score_input *in)
{
    const struct options *o = score_given(in);
    int orders = o->max_order, cased = o->case_sensitive;
    struct bleu_stats b = count(in, orders, cased);
    double p[BLEU_MOST_ORDERS] = {0}, smooth = 1, sum = 0;
    double bp = o->use_bp ? brevity(&b) : 1;

    for (int n = 0; n < orders; n++) {
        if (!b.total[n])
            continue;
        p[n] = (b.correct[n] ? (double)b.correct[n] : 1 / (smooth *= 2)) /
               (double)b.total[n];
        sum += log(p[n]);
    }
    double bleu = bp * (p[0] > 0 ? exp(sum / orders) : 0);
    result_real(out, "score", 100 * bleu);
    result_format(out, "signature", "nrefs:1|case:%s|tok:t2t|order:%d|bp:%s|"
                  "tool:tensor2tensor-bleu_hook", cased ? "mixed" : "lc",
                  orders, o->use_bp ? "yes" : "no");
    result_format(out, "printed", "BLEU_%scased = %6.2f", cased ? "" : "un",
                  100 * bleu);
    result_real(out, "bleu", bleu);
    result_real(out, "bleu_x100", 100 * bleu);
    result_real(out, "bleu_float32", (double)(float)bleu);
    result_json(out, "precisions", result_reals(p, (size_t)orders, 1));
    result_real(out, "bp", bp);
    result_integer(out, "sys_len", b.hyp_words);
    result_integer(out, "ref_len", b.ref_words);
    result_json(out, "counts", result_counts(b.correct, (size_t)orders));
    result_json(out, "totals", result_counts(b.total, (size_t)orders));
    return OK;
}

const struct scorer scorer_bleu_t2t = {
    .name = "bleu_t2t",
    .title = "t2t-bleu",
    .unit = "%",
    .takes = SCORE_ONE_REF,
    SCORE_HAS_OPTIONS,
    .score = score};
