/* bleu_multibleu: Moses's multi-bleu.perl, of tokenised text. */
#include "harness/metrics/scorer.h"

#include "harness/base/err.h"
#include "harness/metrics/bleu/bleu.h"
#include "harness/metrics/ngram.h"

static const struct score_option options[] = {
    {"lowercase", SCORE_FLAG, "no", NULL, 0, 0, "ignore the case of ASCII"},
    {NULL, SCORE_TEXT, NULL, NULL, 0, 0, NULL}};

static int score(json_t *out, const struct score_input *in)
{
    int lowercase = score_flag(in, "lowercase"), rc;
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
    .better = 1,
    .options = options,
    .score = score};
