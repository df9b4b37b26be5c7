/* A whole cell: the stored values equal those of the same training step by
 * step, and the metrics equal those of its stored examples. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/metric.h"
#include "harness/train/run.h"
#include "tests/support/trained_store.h"
#include "tests/support/select_variants.h"
#include "tests/support/toy.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void near(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
        fail_msg("%s: %.17g, not %.17g", what, got, want);
}

static double real_of(struct cell_reader *r, const char *group,
                      const char *name)
{
    double x;

    if (cell_get_real(r, group, name, &x) != OK)
        fail_msg("%s", err_last());
    return x;
}

/* ---- the same training by single steps ---- */

enum { STEPS = 2003, STRIDE = 3, POINTS = STEPS / STRIDE, TIMES = 7 };

struct repeat {
    struct dataset data;
    struct trainer trainer;
    struct watch   first, last;
    double loss[STEPS], ce[TIMES];
    long   tokens;
    char   sha256[HASH_HEX];
};

/* Returns the step of evaluation k of n, k = 1 .. n: the share k / n of all
 * steps, rounded up. */
static int turn(int k, int n) { return (k * STEPS + n - 1) / n; }

static void course_run(struct repeat *x, const struct config *c)
{
    struct mix mix = named_mix(c->variant);
    struct arena *a = arena_new();
    struct scores s;
    struct batch b;
    int k = 0;

    given_open(&x->data, TASK_LANGUAGE);
    x->data.start = c->start;
    trainer_open(&x->trainer, c, &mix, NULL);
    watch_run(&x->first, &x->trainer, &x->data);
    for (int i = 0; i < STEPS; i++) {
        arena_reset(a);
        batch_train(&b, &x->data, c->seed, c->batch, (uint64_t)i, a);
        x->loss[i] = trainer_step(&x->trainer, &b, (uint64_t)i);
        x->tokens += b.targets;
        if (i + 1 != turn(k + 1, TIMES))
            continue;
        evaluate(&s, &x->trainer, &x->data, SPLIT_VALID, a, NULL);
        x->ce[k++] = scores_cross_entropy(&s);
    }
    watch_run(&x->last, &x->trainer, &x->data);
    trainer_digest(&x->trainer, x->sha256);
    arena_free(a);
}

/* Returns the rate of schedule noam: scale d^-1/2 min(t^-1/2, t warmup^-3/2) at
 * step t = 1, 2, ... */
static double rate_of(const struct config *c, double t)
{
    return c->lr_scale * pow(c->model.d, -0.5) *
           fmin(pow(t, -0.5), t * pow(c->warmup, -1.5));
}

static void check_curves(struct cell_reader *r, const struct repeat *x,
                         const struct config *c)
{
    double *at = given_array(r, "curves/train/step", POINTS);
    double *loss = given_array(r, "curves/train/loss", POINTS);
    double *rate = given_array(r, "curves/train/lr", POINTS);
    double *when = given_array(r, "curves/valid/step", TIMES);
    double *ce = given_array(r, "curves/valid/ce", TIMES);

    for (int i = 0; i < POINTS; i++) {
        const double *of = x->loss + STRIDE * i;

        near("steps of a point", at[i], STRIDE * (i + 1));
        near("mean loss of a stretch", loss[i], (of[0] + of[1] + of[2]) / 3);
        near("rate of a stretch's last step", rate[i], rate_of(c, at[i]));
    }
    for (int k = 0; k < TIMES; k++) {
        near("steps before an evaluation", when[k], turn(k + 1, TIMES));
        near("validation loss", ce[k], x->ce[k]);
    }
    near("the last evaluation", when[TIMES - 1], STEPS);
    free(at);
    free(loss);
    free(rate);
    free(when);
    free(ce);
}

/* Checks the loss of the unigram model: the sum over the targets of each test
 * example of -log p, where p = (count + 1) / (all + V) and `count` is the id's
 * number among all training targets. */
static void check_unigram(struct cell_reader *r, const struct dataset *d)
{
    const struct examples *test = &d->split[SPLIT_TEST];
    double *got = given_array(r, "examples/test/unigram_nll", (size_t)test->n);
    double count[TOY_VOCAB] = {0}, all = TOY_VOCAB;

    for (int i = 0; i < TOY_TRAIN; i++) {
        const struct example *e = &d->split[SPLIT_TRAIN].row[i];

        for (int j = e->prompt; j < e->ntarget; j++, all++)
            count[e->target[j]]++;
    }
    for (int i = 0; i < test->n; i++) {
        const struct example *e = &test->row[i];
        double nll = 0;

        for (int j = e->prompt; j < e->ntarget; j++)
            nll -= log((count[e->target[j]] + 1) / all);
        near("unigram model without the prompt", got[i], nll);
    }
    free(got);
}

static void check_sums(struct cell_reader *r, const struct dataset *d)
{
    size_t n = (size_t)d->split[SPLIT_TEST].n;
    double *nll = given_array(r, "examples/test/nll", n), ce, accuracy, ppl;
    double *tokens = given_array(r, "examples/test/tokens", n);
    double *hits = given_array(r, "examples/test/hits", n);
    double sum[3] = {0};

    for (size_t i = 0; i < n; i++) {
        const struct example *e = &d->split[SPLIT_TEST].row[i];

        near("tokens without the prompt", tokens[i], e->ntarget - e->prompt);
        sum[0] += nll[i];
        sum[1] += tokens[i];
        sum[2] += hits[i];
    }
    assert_int_equal(cell_get_metric(r, "ce", &ce), OK);
    assert_int_equal(cell_get_metric(r, "token_accuracy", &accuracy), OK);
    assert_int_equal(cell_get_metric(r, "ppl", &ppl), OK);
    near("ce of its examples", ce, sum[0] / sum[1]);
    near("accuracy of its examples", accuracy, 100 * sum[2] / sum[1]);
    near("perplexity of its examples", ppl, exp(sum[0] / sum[1]));
    free(nll);
    free(tokens);
    free(hits);
}

static void check_attention(struct cell_reader *r, const char *when,
                            const struct watch *want)
{
    const struct watched *w = &want->place[TAPE_DECODER][0];
    char *group = str_format("attention/%s/decoder.0", when);
    char *path = str_format("%s/histogram", group);
    double *bin = given_array(r, path, WATCH_BINS);

    near(group, real_of(r, group, "entropy_nats"),
         w->entropy / (double)w->rows);
    for (int i = 0; i < WATCH_BINS; i++)
        near(path, bin[i], (double)w->bin[i]);
    free(bin);
    free(path);
    free(group);
}

static void course(void **state)
{
    static struct repeat x;
    struct config c = given_config(TASK_LANGUAGE, STEPS, TIMES);
    struct cell_reader *r;
    long long tokens;
    char *sha256;

    (void)state;
    c.model.d = c.model.ff = 4;
    c.model.heads = 1;
    c.batch = 3;
    c.shards = c.lanes = c.threads = 1;
    strcpy(c.schedule, "noam");
    c.lr_scale = 0.5;
    c.warmup = 40;
    given_trained(&c, &given_text);
    course_run(&x, &c);
    r = given_stored();
    check_curves(r, &x, &c);
    check_unigram(r, &x.data);
    check_sums(r, &x.data);
    check_attention(r, "start", &x.first);
    check_attention(r, "end", &x.last);
    assert_true(x.first.place[TAPE_DECODER][0].entropy !=
                x.last.place[TAPE_DECODER][0].entropy);
    assert_int_equal(cell_get_int(r, "timing", "tokens", &tokens), OK);
    assert_int_equal(tokens, x.tokens);
    assert_int_equal(cell_get_text(r, "weights", "sha256", &sha256), OK);
    assert_string_equal(sha256, x.sha256);
    free(sha256);
    cell_close(r);
    trainer_close(&x.trainer);
    dataset_close(&x.data);
}

/* ---- answers ---- */

static double metric_of(struct cell_reader *r, const char *name)
{
    double x;

    if (cell_get_metric(r, name, &x) != OK)
        fail_msg("%s", err_last());
    return x;
}

/* Returns a metric of the texts that the cell has stored. */
static double of_texts(const char *name, char *const *hyp, char *const *ref)
{
    const struct metric *const *m = metric_all;

    while (strcmp((*m)->name, name))
        m++;
    struct answer seen[TOY_VALID];
    struct scored x;
    for (int i = 0; i < TOY_VALID; i++)
        seen[i] = (struct answer){.hyp = hyp[i], .ref = ref[i]};
    (*m)->measure(*m, &x, seen, TOY_VALID);
    return x.value;
}

static void check_best(struct cell_reader *r, char *const *hyp)
{
    char **best = given_strings(r, "examples/test/nbest", 2 * TOY_VALID);
    double *score = given_array(r, "examples/test/nbest_score",
                                2 * TOY_VALID);

    for (int i = 0; i < TOY_VALID; i++) {
        assert_string_equal(best[2 * i], hyp[i]);
        assert_true(score[2 * i] >= score[2 * i + 1]);
    }
    cell_free_strings(best, 2 * TOY_VALID);
    free(score);
}

/* The model is half-trained, so that some words of each text are right. */
static void pairs(void **state)
{
    struct config c = given_config(TASK_TRANSDUCE, 60, 1);
    struct dataset d;
    int right = 0;

    (void)state;
    c.lr_scale = 1e-2;
    c.beam = 3;
    c.nbest = 2;
    given_trained(&c, &given_pairs);
    given_open(&d, TASK_TRANSDUCE);
    struct cell_reader *r = given_stored();
    char **hyp = given_strings(r, "examples/test/hypothesis", TOY_VALID);
    char **ref = given_strings(r, "examples/test/reference", TOY_VALID);
    char **source = given_strings(r, "examples/test/source", TOY_VALID);
    for (int i = 0; i < TOY_VALID; i++) {
        const struct example *e = &d.split[SPLIT_TEST].row[i];

        assert_string_equal(ref[i], e->text);
        assert_string_equal(source[i], dataset_text(&d, e->source, e->nsource,
                                                    d.memory));
        right += !strcmp(hyp[i], ref[i]);
    }
    assert_true(right < TOY_VALID);
    for (int k = 1; given_pairs.metrics[k]; k++) {
        const char *name = given_pairs.metrics[k];

        near(name, metric_of(r, name), of_texts(name, hyp, ref));
        assert_true(metric_of(r, name) > 0 && metric_of(r, name) < 100);
    }
    check_best(r, hyp);
    cell_free_strings(hyp, TOY_VALID);
    cell_free_strings(ref, TOY_VALID);
    cell_free_strings(source, TOY_VALID);
    cell_close(r);
    dataset_close(&d);
}

static void labels(void **state)
{
    struct config c = given_config(TASK_CLASSIFY, 3, 1);
    struct dataset d;
    double right = 0, sum = 0;

    (void)state;
    given_trained(&c, &given_labels);
    given_open(&d, TASK_CLASSIFY);
    struct cell_reader *r = given_stored();
    double *label = given_array(r, "examples/test/label", TOY_VALID);
    double *guess = given_array(r, "examples/test/guess", TOY_VALID);
    double *hits = given_array(r, "examples/test/hits", TOY_VALID);
    double *nll = given_array(r, "examples/test/nll", TOY_VALID);
    for (int i = 0; i < TOY_VALID; i++) {
        assert_int_equal(label[i], d.split[SPLIT_TEST].row[i].label);
        assert_int_equal(hits[i], guess[i] == label[i]);
        right += guess[i] == label[i];
        sum += nll[i];
    }
    near("accuracy", metric_of(r, "accuracy"), 100 * right / TOY_VALID);
    near("ce of a label each", metric_of(r, "ce"), sum / TOY_VALID);
    assert_true(right > 0 && right < TOY_VALID);
    free(label);
    free(guess);
    free(hits);
    free(nll);
    cell_close(r);
    dataset_close(&d);
}

/* Each tenth has two points: (5, 5), with SD 0, and (1, 3), with SD 2^1/2. The
 * gain is 5 - 2 = 3, its error ((0^2 + (2^1/2)^2) / 2)^1/2 = 1. */
static void last_tenth(void **state)
{
    double loss[25] = {[21] = 5, [22] = 5, [23] = 1, [24] = 3}, error;

    (void)state;
    near("of 25 points", run_last_gain(loss, 25, &error), 3);
    near("its error", error, 1);
    near("of 20 points", run_last_gain(loss + 5, 20, &error), 3);
    near("its error", error, 1);
    near("of 19 points", run_last_gain(loss + 6, 19, &error), -2);
    assert_true(isnan(error));
    near("of 10 points", run_last_gain(loss + 15, 10, &error), -2);
    assert_true(isnan(run_last_gain(loss + 16, 9, &error)) && isnan(error));
    assert_true(isnan(run_last_gain(loss, 0, &error)) && isnan(error));
}

int main(void)
{
    const struct CMUnitTest cells[] = {
        {"the last gain is the difference between the last two tenths of "
         "training", last_tenth, NULL, NULL, NULL},
        {"a cell stores the curves, counts and attention of its steps", course,
         given_setup, given_teardown, NULL},
        {"the metrics of texts follow from the stored texts", pairs,
         given_setup, given_teardown, NULL},
        {"the metrics of labels follow from the stored guesses", labels,
         given_setup, given_teardown, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("train_cell", cells, NULL, NULL);
}
