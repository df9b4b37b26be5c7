/*
 * Scorers of labels, as on the leaderboards of GLUE and SuperGLUE.  If a scorer
 * has two values, the score is their mean.
 *
 *   accuracy  the share predicted correctly (SST-2, MNLI, BoolQ, ...)
 *   acc_f1    accuracy, and F1 of label 1 (MRPC, QQP)
 *   cb        accuracy, and the mean F1 over the labels that are correct or
 *             predicted at least once (CommitmentBank); a prediction below 0
 *             means that there is no answer and is not a label
 *   mcc       Matthews' correlation (CoLA, AX-b), for any number of classes
 */
#include "harness/metrics/labels/confusion.h"

#include "harness/base/err.h"

struct value { const char *key; double (*of)(const struct confusion *c); };

static int score(json_t *out, const struct score_input *in, int binary,
                 const char *signature, const struct value *v)
{
    OWNED(free) long *pred = calloc(2 * in->hyp->n + 1, sizeof *pred);
    long *gold = pred + in->hyp->n;
    OWNED(confusion_free) struct confusion c = {.n = 0};
    double sum = 0;
    int n = 0;

    PASS(confusion_labels(pred, gold, in, binary));
    PASS(confusion_make(&c, gold, pred, in->hyp->n));
    for (; v[n].key; n++)
        sum += v[n].of(&c);
    result_real(out, "score", sum / n);
    result_text(out, "signature", signature);
    for (; v->key; v++)
        result_real(out, v->key, v->of(&c));
    json_t *rows = json_array();
    for (size_t i = 0; i < c.n; i++)
        json_array_append_new(rows, result_counts(c.count + i * c.n, c.n));
    result_json(out, "labels", result_counts(c.label, c.n));
    result_json(out, "confusion_rows_gold_cols_pred", rows);
    return OK;
}

#define LABELS(id, label, binary, signature, ...)                             \
    static int score_##id(json_t *out, const struct score_input *in)          \
    {                                                                         \
        static const struct value values[] = {__VA_ARGS__, {NULL, NULL}};     \
                                                                              \
        return score(out, in, binary, signature, values);                     \
    }                                                                         \
    const struct scorer scorer_##id = {                                       \
        .name = #id,                                                          \
        .title = label,                                                       \
        .unit = "1",                                                          \
        .takes = SCORE_LABELS | SCORE_ONE_REF,                                \
        .score = score_##id};

LABELS(accuracy, "Accuracy", 0, "accuracy", {"accuracy", confusion_accuracy})
LABELS(acc_f1, "Accuracy and F1", 1, "mean(accuracy,f1)|positive:1|undefined:0",
       {"accuracy", confusion_accuracy}, {"f1", confusion_f1})
LABELS(cb, "Accuracy and macro F1", 0,
       "mean(accuracy,f1)|f1:macro|labels:seen",
       {"accuracy", confusion_accuracy}, {"f1", confusion_macro_f1})
LABELS(mcc, "Matthews correlation", 0, "mcc|undefined:0",
       {"matthews_correlation", confusion_mcc})
