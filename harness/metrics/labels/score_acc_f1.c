/* acc_f1: accuracy, and F1 of label 1 (MRPC, QQP); the score is their mean, as
 * GLUE's leaderboard takes it. */
#include "harness/metrics/labels/confusion.h"

#include "harness/base/err.h"

static int score(struct result *out, const struct score_input *in)
{
    struct confusion c;
    int rc;

    TRY(confusion_read(&c, in, 1));
    double accuracy = confusion_accuracy(&c), f1 = confusion_f1(&c, 1);
    result_real(out, "score", (accuracy + f1) / 2);
    result_text(out, "signature", "mean(accuracy,f1)|positive:1|undefined:0");
    result_real(out, "accuracy", accuracy);
    result_real(out, "f1", f1);
    confusion_put(out, &c);
out:
    confusion_free(&c);
    return rc;
}

const struct scorer scorer_acc_f1 = {
    .name = "acc_f1",
    .title = "Accuracy and F1",
    .unit = "1",
    .better = 1,
    .takes = SCORE_LABELS | SCORE_ONE_REF,
    .score = score};
