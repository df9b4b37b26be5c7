/* Evaluation of a trained model on a whole split, and the cost of a step as
 * `plan` estimates it. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/data/batch.h"
#include "harness/metrics/metric.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"
#include "harness/tasks/task.h"
#include "harness/train/evaluate.h"
#include "harness/train/train.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "tests/support/scratch.h"
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

static void ignore(void *arg, long done)
{
    *(long *)arg = done;
}

static void scores(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = toy_config((enum task_kind)kind);
        struct mix mix = named_mix("vanilla");
        struct arena *a = arena_new();
        struct scores one, two;
        struct trainer t;
        struct batch b;

        toy_open((enum task_kind)kind);
        c.model.dropout = c.model.label_smoothing = 0;
        c.threads = 1;
        trainer_open(&t, &c, &mix, NULL);
        evaluate(&one, &t, &toy, SPLIT_TRAIN, a, NULL);
        trainer_close(&t);
        c.threads = 4;
        trainer_open(&t, &c, &mix, NULL);
        evaluate(&two, &t, &toy, SPLIT_TRAIN, a, NULL);
        assert_int_equal(one.n, TOY_TRAIN);
        assert_memory_equal(one.nll, two.nll, TOY_TRAIN * sizeof *one.nll);
        assert_memory_equal(one.hits, two.hits, TOY_TRAIN * sizeof *one.hits);
        batch_eval(&b, &toy, SPLIT_TRAIN, 0, TOY_TRAIN, a);
        double loss = trainer_step(&t, &b, 0);
        assert_true(fabs(loss - scores_cross_entropy(&one)) < CLOSE * 10);
        for (int i = 0; i < TOY_TRAIN; i++)
            assert_int_equal(one.tokens[i],
                             kind == TASK_CLASSIFY
                                 ? 1 : toy.split[0].row[i].ntarget);
        trainer_close(&t);
        arena_free(a);
        dataset_close(&toy);
    }
}

/* Ids of a prompt have no loss and are not targets. The loss of the other
 * targets does not change. */
static void prompts(void **state)
{
    struct config c = toy_config(TASK_LANGUAGE);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct scores whole, part;
    struct trainer t;
    struct batch b;

    (void)state;
    c.model.dropout = c.model.label_smoothing = 0;
    toy_open(TASK_LANGUAGE);
    trainer_open(&t, &c, &mix, NULL);
    evaluate(&whole, &t, &toy, SPLIT_TRAIN, a, NULL);
    for (int i = 0; i < TOY_TRAIN; i++)
        toy.split[SPLIT_TRAIN].row[i].prompt = i % TOY_LENGTH;
    dataset_seal(&toy);
    assert_int_equal(toy.split[SPLIT_TRAIN].tokens,
                     TOY_TRAIN * (TOY_LENGTH + 1) / 2);
    evaluate(&part, &t, &toy, SPLIT_TRAIN, a, NULL);
    for (int i = 0; i < TOY_TRAIN; i++) {
        assert_int_equal(part.tokens[i], TOY_LENGTH - i % TOY_LENGTH);
        assert_true(i % TOY_LENGTH ? part.nll[i] < whole.nll[i]
                                   : part.nll[i] == whole.nll[i]);
    }
    batch_eval(&b, &toy, SPLIT_TRAIN, 0, TOY_TRAIN, a);
    assert_int_equal(b.targets, TOY_TRAIN * (TOY_LENGTH + 1) / 2);
    double loss = trainer_step(&t, &b, 0);
    assert_true(fabs(loss - scores_cross_entropy(&part)) < CLOSE * 10);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* Opens an untrained model for rows of up to N ids. */
static void open_wide(struct trainer *t, struct config *c, int N)
{
    static struct mix mix;

    mix = named_mix("vanilla");
    c->model.N = N;
    trainer_open(t, c, &mix, NULL);
}

/* There is no dropout in evaluation: a model without dropout and with the same
 * weights has the same loss. */
static void no_dropout(void **state)
{
    struct config c = toy_config(TASK_LANGUAGE);
    struct arena *a = arena_new();
    struct scores with, without;
    struct trainer t;

    (void)state;
    toy_open(TASK_LANGUAGE);
    c.model.dropout = 0.5;
    open_wide(&t, &c, TOY_LENGTH);
    evaluate(&with, &t, &toy, SPLIT_VALID, a, NULL);
    trainer_close(&t);
    c.model.dropout = 0;
    open_wide(&t, &c, TOY_LENGTH);
    evaluate(&without, &t, &toy, SPLIT_VALID, a, NULL);
    assert_memory_equal(with.nll, without.nll, TOY_VALID * sizeof(double));
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* A classifier with zero weights predicts class 0, with a loss of ln C nats. */
static void equal_labels(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct arena *a = arena_new();
    struct scores s;
    struct trainer t;

    (void)state;
    toy_open(TASK_CLASSIFY);
    open_wide(&t, &c, TOY_LENGTH);
    tensor *w = params_find(&t.params, "classifier.w")->value;
    memset(w->x, 0, tensor_len(w) * sizeof *w->x);
    evaluate(&s, &t, &toy, SPLIT_VALID, a, NULL);
    for (int i = 0; i < TOY_VALID; i++) {
        assert_int_equal(s.guess[i], 0);
        assert_int_equal(s.hits[i],
                         toy.split[SPLIT_VALID].row[i].label == 0);
        assert_true(fabs(s.nll[i] - log(TOY_CLASSES)) < CLOSE);
    }
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

static void stops(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    const volatile sig_atomic_t stop = 1;
    struct scores s;
    struct trainer t;
    long done = 0;
    const struct follower follows = {&stop, ignore, &done};

    (void)state;
    toy_open(TASK_TRANSDUCE);
    trainer_open(&t, &c, &mix, NULL);
    assert_int_equal(evaluate(&s, &t, &toy, SPLIT_TRAIN, a, &follows),
                     ERR_STOPPED);
    assert_int_equal(evaluate_decode(&s, &t, &toy, SPLIT_TRAIN, a, &follows),
                     ERR_STOPPED);
    assert_true(done <= DECODE_ROWS);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* ---- cost ---- */

/* The cost of a batch of sentences of maximum length equals the estimate of
 * `plan`. */
static void cost(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = toy_config((enum task_kind)kind);
        const char *name[NAMES];
        int names = named_all(name);

        toy_open((enum task_kind)kind);
        c.threads = c.lanes = 1;
        c.batch = 7;
        c.shards = 3;
        for (int i = 0; i < names; i++) {
            int ids[7 * TOY_LENGTH], length[7];
            struct batch b = {.b = 7, .n = TOY_LENGTH, .m = TOY_LENGTH,
                              .source = ids, .source_length = length,
                              .target_in = ids, .target_out = ids,
                              .target_length = length, .label = ids,
                              .index = ids, .targets = 7 * TOY_LENGTH};
            struct mix mix = named_mix(name[i]);
            struct cost want;
            struct trainer t;

            if (mix_fault(&mix, &c.model))
                continue;
            for (int k = 0; k < 7 * TOY_LENGTH; k++)
                ids[k] = k % TOY_CLASSES;
            for (int k = 0; k < 7; k++)
                length[k] = TOY_LENGTH;
            trainer_open(&t, &c, &mix, NULL);
            train_cost(&c, &mix, NULL, NULL, &want);
            trainer_step(&t, &b, 0);
            assert_true(t.tape[0]->flops == want.flops_per_step);
            assert_true(want.params ==
                        (double)params_total(&t.params, PARAM_LEARNED));
            assert_true(want.bytes >
                        (double)arena_peak(t.tape[0]->data));
            trainer_close(&t);
        }
        dataset_close(&toy);
    }
}

/* ---- stored losses ---- */

/* Returns the configuration of a cell with learning rate 0: its weights keep
 * their initial values. */
static struct config idle_config(const char *task)
{
    static const char *const set[][2] = {
        {"variant", "random+dense"}, {"scale", "smoke"}, {"synthetic", "true"},
        {"steps", "6"}, {"evals", "3"}, {"schedule.scale", "0"},
        {"layers", "1"}, {"d", "16"}, {"heads", "2"}, {"ff", "32"},
        {"N", "16"}, {"vocab", "60"}, {"batch", "16"}, {"shards", "4"},
        {"train", "64"}, {"valid", "37"}, {"test", "45"}};
    enum { SET = sizeof set / sizeof *set };
    struct assign a[SET + 1] = {{"task", task, "here"}};
    struct config c;

    for (int i = 0; i < SET; i++)
        a[i + 1] = (struct assign){set[i][0], set[i][1], "here"};
    assert_int_equal(settings_resolve(&c, a, SET + 1), OK);
    return c;
}

static void hear_nothing(void *arg, const struct progress *p)
{
    (void)arg;
    (void)p;
}

static void store_cell(const struct config *c, const struct mix *mix,
                       const struct task *task, char id[SETTINGS_ID],
                       char *store)
{
    static const volatile sig_atomic_t stop;
    char *config = settings_text(c, 1), *settings = settings_all(c, 1);
    struct train_env env = {.folder = store, .id = id, .config = config,
                            .settings = settings,
                            .cache = store, .files = store, .store = store,
                            .metric = metric_all, .stop = &stop,
                            .tell = hear_nothing};

    struct store *made;
    assert_int_equal(store_open(&made, store, 1), OK);
    store_close(made);
    settings_id(c, id);
    if (train_cell(c, mix, task, &env) < 0)
        fail_msg("%s", err_last());
    free(settings);
    free(config);
}

/* Returns the loss, in nats per target, of the examples of a split in a data
 * set that has no other examples. */
static double of_these_alone(struct config c, const struct mix *mix,
                             const struct task *task, enum split split)
{
    struct task_opts o = train_data(&c, "", "");
    struct arena *a = arena_new();
    struct dataset all, alone;
    struct scores s;
    struct trainer t;

    assert_int_equal(task_open(&all, task, &o), OK);
    alone = (struct dataset){.kind = all.kind, .vocab = all.vocab, .N = all.N,
                             .classes = all.classes, .memory = arena_new()};
    alone.split[SPLIT_TRAIN] = all.split[split];
    dataset_seal(&alone);
    alone.start = c.start;
    c.model.vocab = all.vocab;
    c.model.classes = all.classes;
    trainer_open(&t, &c, mix, NULL);
    assert_int_equal(evaluate(&s, &t, &alone, SPLIT_TRAIN, a, NULL), OK);
    assert_int_equal(s.n, all.split[split].n);
    double ce = scores_cross_entropy(&s);
    trainer_close(&t);
    dataset_close(&alone);
    dataset_close(&all);
    arena_free(a);
    return ce;
}

static void stored(void **state)
{
    static const char *const tasks[] = {"lm1b", "agnews", "c4",
                                        "gen_induction"};

    (void)state;
    for (size_t k = 0; k < sizeof tasks / sizeof *tasks; k++) {
        struct config c = idle_config(tasks[k]);
        struct mix mix = named_mix("random+dense");
        char *folder = scratch_make(), id[SETTINGS_ID];
        const struct task *task;
        struct cell_reader *r;
        double *ce, test, want;
        size_t n;

        assert_int_equal(task_find(&task, tasks[k]), OK);
        store_cell(&c, &mix, task, id, folder);
        assert_int_equal(cell_open(&r, folder, id), OK);
        assert_int_equal(cell_get_array(r, "curves/valid/ce", &ce, &n), OK);
        assert_int_equal(cell_get_metric(r, "ce", &test), OK);
        assert_int_equal(n, 3);
        want = of_these_alone(c, &mix, task, SPLIT_VALID);
        for (size_t i = 0; i < n; i++)
            if (ce[i] != want)
                fail_msg("%s: the validation curve says %.6f, the validation "
                         "examples alone %.6f", tasks[k], ce[i], want);
        want = of_these_alone(c, &mix, task, SPLIT_TEST);
        if (test != want)
            fail_msg("%s: the test says %.6f, its examples alone %.6f",
                     tasks[k], test, want);
        assert_true(ce[0] != test);
        free(ce);
        cell_close(r);
        scratch_remove(folder);
    }
}

int main(void)
{
    const struct CMUnitTest evaluation[] = {
        {"the scores are the losses of the examples, for any number of threads",
         scores, NULL, NULL, NULL},
        {"a prompt is not scored and does not change the losses of other "
         "targets", prompts, NULL, NULL, NULL},
        {"an evaluation has no dropout", no_dropout, NULL, NULL, NULL},
        {"the first of equally probable labels is predicted", equal_labels,
         NULL, NULL, NULL},
        {"a signal ends an evaluation", stops, NULL, NULL, NULL},
        {"the plan counts the operations of a step exactly", cost, NULL, NULL,
         NULL},
        {"the stored validation curve depends on the validation examples alone",
         stored, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("evaluate", evaluation, NULL, NULL);
}
