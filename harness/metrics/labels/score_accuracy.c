/* accuracy: the share of labels guessed right (SST-2, MNLI, BoolQ, ...). */
#include "harness/metrics/labels/confusion.h"

#include "harness/base/err.h"

static int score(struct result *out, const struct score_input *in)
{
    struct confusion c;
    int rc;

    TRY(confusion_read(&c, in, 0));
    result_real(out, "score", confusion_accuracy(&c));
    result_text(out, "signature", "accuracy");
    result_real(out, "accuracy", confusion_accuracy(&c));
    confusion_put(out, &c);
out:
    confusion_free(&c);
    return rc;
}

const struct scorer scorer_accuracy = {
    .name = "accuracy",
    .title = "Accuracy",
    .unit = "1",
    .better = 1,
    .takes = SCORE_LABELS | SCORE_ONE_REF,
    .score = score};
