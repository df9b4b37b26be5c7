/* cb: accuracy, and the mean F1 over the labels that occur on either side
 * (CommitmentBank); the score is their mean, as SuperGLUE's leaderboard takes
 * it. */
#include "harness/metrics/labels/confusion.h"

#include "harness/base/err.h"

static int score(struct result *out, const struct score_input *in)
{
    struct confusion c;
    int rc;

    TRY(confusion_read(&c, in, 0));
    double accuracy = confusion_accuracy(&c), f1 = confusion_macro_f1(&c);
    result_real(out, "score", (accuracy + f1) / 2);
    result_text(out, "signature", "mean(accuracy,f1)|f1:macro|labels:seen");
    result_real(out, "accuracy", accuracy);
    result_real(out, "f1", f1);
    confusion_put(out, &c);
out:
    confusion_free(&c);
    return rc;
}

const struct scorer scorer_cb = {
    .name = "cb",
    .title = "Accuracy and macro F1",
    .unit = "1",
    .better = 1,
    .takes = SCORE_LABELS | SCORE_ONE_REF,
    .score = score};
