/*
 * bleu_multibleu: Moses's multi-bleu.perl, for tokenised text.
 *
 *   BLEU = 100 BP exp(sum_n log p_n / 4), 0 if an order has no match
 *   BP = exp(1 - ref / hyp) if hyp < ref, else 1
 *
 * The symbols are those of bleu.c, except that p_n has no factor 100.
 * The script works on bytes: only ASCII letters change case.
 */
#include "harness/metrics/bleu/bleu.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/scorer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the words, split at ASCII white space and joined by single blanks. */
static char *prepare(const char *line, int lowercase)
{
    static const char space[] = "\t\n\v\f\r ";
    struct text t = {0};

    text_add(&t, "", 0);
    for (line += strspn(line, space); *line; line += strspn(line, space)) {
        size_t n = strcspn(line, space);

        text_add(&t, " ", t.n > 0);
        text_add(&t, line, n);
        line += n;
    }
    for (size_t i = 0; lowercase && i < t.n; i++)
        if (t.s[i] >= 'A' && t.s[i] <= 'Z')
            t.s[i] = (char)(t.s[i] - 'A' + 'a');
    return t.s;
}

void multibleu_add(struct bleu_stats *b, struct ngrams *g, const char *hyp,
                   const char *const ref[], int refs, int lowercase)
{
    char **r = malloc((size_t)refs * sizeof *r), *h = prepare(hyp, lowercase);

    for (int i = 0; i < refs; i++)
        r[i] = prepare(ref[i], lowercase);
    bleu_add(b, g, BLEU_ORDERS, h, (const char *const *)r, refs);
    for (int i = 0; i < refs; i++)
        free(r[i]);
    free(r);
    free(h);
}

int multibleu_write(json_t *out, const struct bleu_stats *b)
{
    double hyp = (double)b->hyp_words, ref = (double)b->ref_words;
    double p[BLEU_ORDERS] = {0}, sum = 0, bp = bleu_brevity(hyp, ref);
    int zero = 0;

    if (!b->hyp_words && b->ref_words)
        return err_set(ERR_DATA, "the hypotheses have no words; "
                       "multi-bleu.perl divides by zero here");
    for (int n = 0; n < BLEU_ORDERS; n++) {
        p[n] = b->total[n] ? (double)b->correct[n] / (double)b->total[n] : 0;
        zero |= p[n] == 0;
        sum += log(p[n]);
    }
    double bleu = zero ? 0 : 100 * bp * exp(sum / BLEU_ORDERS);
    for (int n = 0; n < BLEU_ORDERS; n++)
        p[n] *= 100;
    if (ref > 0)
        result_format(out, "printed", "BLEU = %.2f, %.1f/%.1f/%.1f/%.1f "
                      "(BP=%.3f, ratio=%.3f, hyp_len=%ld, ref_len=%ld)", bleu,
                      p[0], p[1], p[2], p[3], bp, hyp / ref, b->hyp_words,
                      b->ref_words);
    else
        result_format(out, "printed", "BLEU = 0, 0/0/0/0 (BP=0, ratio=0, "
                      "hyp_len=0, ref_len=0)");
    result_real(out, "bleu", bleu);
    result_json(out, "precisions", result_reals(p, BLEU_ORDERS, 1));
    result_real(out, "bp", bp);
    result_real(out, "ratio", ref > 0 ? hyp / ref : 0);
    result_integer(out, "sys_len", b->hyp_words);
    result_integer(out, "ref_len", b->ref_words);
    result_real(out, "score", bleu);
    return OK;
}

/* ---- the scorer ---- */

struct options { int lowercase; };

static const struct key options[] = {
    {"lowercase", &key_bool, SCORE_AT(lowercase), .initial = "false",
     .help = "ignore the case of ASCII"},
    {.name = NULL}};

static int score(json_t *out, const struct score_input *in)
{
    const struct options *o = score_given(in);
    int lowercase = o->lowercase, rc;
    OWNED(ngram_free) struct ngrams *g = ngram_new();
    struct bleu_stats b = {.hyp_words = 0};

    for (size_t i = 0; i < in->hyp->n; i++) {
        const char *ref[SCORE_REFS];

        for (int k = 0; k < in->refs; k++)
            ref[k] = in->ref[k]->line[i];
        multibleu_add(&b, g, in->hyp->line[i], ref, in->refs, lowercase);
    }
    rc = multibleu_write(out, &b);
    if (rc < 0)
        return err_wrap(rc, "%s", in->hyp->path);
    result_format(out, "signature", "nrefs:%d|case:%s|tok:none|smooth:none|"
                  "tool:multi-bleu.perl", in->refs, lowercase ? "lc" : "mixed");
    return OK;
}

const struct scorer scorer_bleu_multibleu = {
    .name = "bleu_multibleu",
    .title = "multi-bleu",
    .unit = "%",
    SCORE_HAS_OPTIONS,
    .score = score};
