/*
 * stsb: Pearson's and Spearman's correlation (STS-B); the score is their mean,
 * as on GLUE's leaderboard.  The Hugging Face tool rounds its input to single
 * precision, which changes the eighth digit; the output also has the
 * correlations of the rounded input.
 */
#include "harness/base/err.h"
#include "harness/metrics/scorer.h"
#include "harness/stats/correlate.h"

#include <stdlib.h>

static int read(double *out, const struct lines *l)
{
    for (size_t i = 0; i < l->n; i++)
        PASS(lines_real(&out[i], l, i));
    return OK;
}

static int score(json_t *out, const struct score_input *in)
{
    size_t n = in->hyp->n;
    OWNED(free) double *pred = malloc(2 * (n + 1) * sizeof *pred);
    double *gold = pred + n;

    PASS(read(pred, in->hyp));
    PASS(read(gold, in->ref[0]));
    double r = correlate_pearson(pred, gold, n).r;
    double rho = correlate_spearman(pred, gold, n).r;
    result_real(out, "score", (r + rho) / 2);
    result_text(out, "signature", "mean(pearson,spearman)|ties:mean");
    result_real(out, "pearson", r);
    result_real(out, "spearmanr", rho);
    for (size_t i = 0; i < 2 * n; i++)
        pred[i] = (double)(float)pred[i];
    result_real(out, "pearson_float32_inputs_as_in_hf",
                correlate_pearson(pred, gold, n).r);
    result_real(out, "spearmanr_float32_inputs_as_in_hf",
                correlate_spearman(pred, gold, n).r);
    return OK;
}

const struct scorer scorer_stsb = {
    .name = "stsb",
    .title = "Pearson and Spearman",
    .unit = "1",
    .takes = SCORE_LABELS | SCORE_ONE_REF,
    .score = score};
