/* mcc: Matthews' correlation of labels (CoLA, AX-b), of any number of kinds. */
#include "harness/metrics/labels/confusion.h"

#include "harness/base/err.h"

static int score(struct result *out, const struct score_input *in)
{
    struct confusion c;
    int rc;

    TRY(confusion_read(&c, in, 0));
    result_real(out, "score", confusion_mcc(&c));
    result_text(out, "signature", "mcc|undefined:0");
    result_real(out, "matthews_correlation", confusion_mcc(&c));
    confusion_put(out, &c);
out:
    confusion_free(&c);
    return rc;
}

const struct scorer scorer_mcc = {
    .name = "mcc",
    .title = "Matthews correlation",
    .unit = "1",
    .better = 1,
    .takes = SCORE_LABELS | SCORE_ONE_REF,
    .score = score};
