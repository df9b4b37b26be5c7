/*
 * multirc: each line labels one candidate answer as right (1) or wrong (0); the
 * same line of --groups names the question (MultiRC).
 *
 *   exact_match  share of questions with all answers classified correctly
 *   f1_a         F1 of label 1 over all answers
 *   f1_m         mean over questions of the macro F1 over the question's
 *                labels, as in the Hugging Face tool
 *
 * The score is the mean of f1_a and exact_match, as on SuperGLUE's leaderboard.
 */
#include "harness/metrics/labels/confusion.h"

#include "harness/base/err.h"

#include <stdlib.h>
#include <string.h>

struct answer { const char *question; long pred, gold; };

static int by_question(const void *a, const void *b)
{
    return strcmp(((const struct answer *)a)->question,
                  ((const struct answer *)b)->question);
}

static int read(struct answer *answer, long *pred, long *gold,
                const struct score_input *in)
{
    PASS(confusion_labels(pred, gold, in, 1));
    for (size_t i = 0; i < in->hyp->n; i++) {
        answer[i] = (struct answer){in->groups->line[i], pred[i], gold[i]};
        if (!*answer[i].question)
            PASS(lines_bad(in->groups, i, "expected the name of a question"));
    }
    qsort(answer, in->hyp->n, sizeof *answer, by_question);
    return OK;
}

struct questions { double n, right, f1; };

static void add_question(struct questions *q, const struct answer *answer,
                         size_t n, long *pred, long *gold)
{
    struct confusion c;

    for (size_t i = 0; i < n; i++) {
        pred[i] = answer[i].pred;
        gold[i] = answer[i].gold;
    }
    REQUIRE(confusion_make(&c, gold, pred, n) == OK, "%s", err_last());
    q->n++;
    q->right += confusion_accuracy(&c) == 1;
    q->f1 += confusion_macro_f1(&c);
    confusion_free(&c);
}

static int score(json_t *out, const struct score_input *in)
{
    size_t n = in->hyp->n;
    OWNED(free) struct answer *answer = malloc((n + 1) * sizeof *answer);
    OWNED(free) long *pred = malloc(2 * (n + 1) * sizeof *pred);
    long *gold = pred + n;
    struct questions q = {0};
    OWNED(confusion_free) struct confusion c = {.n = 0};

    PASS(read(answer, pred, gold, in));
    PASS(confusion_make(&c, gold, pred, n));
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && !by_question(&answer[i], &answer[j]); j++)
            ;
        add_question(&q, answer + i, j - i, pred, gold);
    }
    double f1_a = confusion_f1(&c), exact = q.right / q.n;
    result_real(out, "score", (f1_a + exact) / 2);
    result_text(out, "signature", "mean(f1_a,exact_match)|positive:1");
    result_real(out, "f1_a", f1_a);
    result_real(out, "f1_m", q.f1 / q.n);
    result_real(out, "exact_match", exact);
    result_integer(out, "n_answers", n);
    result_whole(out, "n_questions", q.n);
    return OK;
}

const struct scorer scorer_multirc = {
    .name = "multirc",
    .title = "F1a and exact match",
    .unit = "1",
    .takes = SCORE_LABELS | SCORE_GROUPS | SCORE_ONE_REF,
    .score = score};
