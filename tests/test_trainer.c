/* Training steps, evaluation and cost, on sentences whose translation is each
 * id plus one. */
#include "harness/base/err.h"
#include "harness/data/batch.h"
#include "harness/engine/flops.h"
#include "harness/nn/checkpoint.h"
#include "harness/train/evaluate.h"
#include "harness/train/train.h"
#include "tests/layer.h"
#include "tests/leaf.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VOCAB = 12, LONGEST = 8, CLASSES = 3, TRAIN = 96, VALID = 20 };

/* ---- the toy ---- */

static struct dataset toy; /* of the kind that toy_open was asked for */

static void make_row(struct example *r, enum task_kind kind, uint64_t site)
{
    struct rng_key key = {.stream = RNG_TEST, .site = site};
    int n = kind == TASK_LANGUAGE ? LONGEST : 3 + (int)rng_below(key, 0, 6);
    int *source = arena_take(toy.memory, (size_t)n * sizeof *source);
    int *target = arena_take(toy.memory, (size_t)n * sizeof *target);

    for (int i = 0; i < n; i++) {
        source[i] = ID_FIRST + (int)rng_below(key, (uint64_t)i + 1,
                                              VOCAB - ID_FIRST - 1);
        target[i] = source[i] + 1;
    }
    for (int i = 1; i < n && kind == TASK_LANGUAGE; i++)
        target[i] = ID_FIRST + (target[i - 1] + 1) % 5;
    source[n - 1] = target[n - 1] = ID_EOS;
    *r = (struct example){.words = n, .label = source[0] % CLASSES};
    if (kind != TASK_LANGUAGE) {
        r->source = source;
        r->nsource = n;
    }
    if (kind != TASK_CLASSIFY) {
        r->target = target;
        r->ntarget = n;
    }
}

static void toy_open(enum task_kind kind)
{
    static const int rows[SPLITS] = {TRAIN, VALID, VALID};

    toy = (struct dataset){.kind = kind, .vocab = VOCAB, .classes = CLASSES,
                           .N = LONGEST, .memory = arena_new()};
    for (int s = 0; s < SPLITS; s++) {
        struct examples *e = &toy.split[s];

        e->n = rows[s];
        e->row = arena_take(toy.memory, (size_t)e->n * sizeof *e->row);
        for (int i = 0; i < e->n; i++)
            make_row(&e->row[i], kind, (uint64_t)(1000 * s + i));
    }
    dataset_seal(&toy);
}

static struct config config_of(enum task_kind kind)
{
    static const enum family family[] = {
        [TASK_TRANSDUCE] = FAMILY_SEQ2SEQ, [TASK_LANGUAGE] = FAMILY_LM,
        [TASK_CLASSIFY] = FAMILY_ENCODER};

    return (struct config){
        .seed = 3, .length = LONGEST, .batch = 24, .shards = 6, .lanes = 4,
        .threads = 2, .b1 = 0.9, .b2 = 0.997, .eps = 1e-9,
        .schedule = "constant", .lr_scale = 3e-3, .warmup = 10,
        .model = {.family = family[kind], .layers = 1, .d = 16, .heads = 2,
                  .ff = 32, .N = LONGEST, .vocab = VOCAB, .classes = CLASSES,
                  .tied = 1, .dense_bias = 1, .rank = 2, .dot_scale = 1,
                  .r_scale = 1, .norm_eps = 1e-6, .dropout = 0.1,
                  .label_smoothing = 0.1}};
}

/* Steps first .. last - 1; the mean loss of the last five. */
static double train(struct trainer *t, uint64_t first, uint64_t last)
{
    struct arena *a = arena_new();
    double loss = 0;

    for (uint64_t s = first; s < last; s++) {
        struct batch b;

        arena_reset(a);
        batch_train(&b, &toy, t->c->seed, t->c->batch, s, a);
        double one = trainer_step(t, &b, s);
        assert_true(isfinite(one));
        loss += s + 5 >= last ? one / 5 : 0;
    }
    arena_free(a);
    return loss;
}

struct digest { char hex[HASH_HEX]; };

static struct digest digest_of(const struct trainer *t)
{
    struct digest d;

    trainer_digest(t, d.hex);
    return d;
}

static struct digest after(const struct config *c, uint64_t steps)
{
    struct mix mix = layer_mix("random+dense");
    struct trainer t;

    trainer_open(&t, c, &mix);
    train(&t, 0, steps);
    struct digest d = digest_of(&t);
    trainer_close(&t);
    return d;
}

/* ---- the same bits ---- */

static void threads(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = config_of((enum task_kind)kind);

        toy_open((enum task_kind)kind);
        c.threads = 1;
        struct digest want = after(&c, 7);
        for (c.threads = 2; c.threads < 6; c.threads++)
            assert_string_equal(after(&c, 7).hex, want.hex);
        c.seed++;
        assert_string_not_equal(after(&c, 7).hex, want.hex);
        dataset_close(&toy);
    }
}

static void lanes(void **state)
{
    struct config c = config_of(TASK_TRANSDUCE);

    (void)state;
    toy_open(TASK_TRANSDUCE);
    for (c.lanes = 1; c.lanes <= 4; c.lanes *= 2)
        assert_string_equal(after(&c, 5).hex, after(&c, 5).hex);
    c.lanes = 8; /* more than shards, more than rows */
    c.shards = c.batch = 3;
    assert_string_equal(after(&c, 5).hex, after(&c, 5).hex);
    dataset_close(&toy);
}

static void evaluations(void **state)
{
    struct config c = config_of(TASK_TRANSDUCE);
    struct mix mix = layer_mix("random+dense");
    struct arena *a = arena_new();
    struct scores scores;
    struct trainer t;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    trainer_open(&t, &c, &mix);
    for (uint64_t s = 0; s < 7; s++) {
        assert_int_equal(evaluate(&scores, &t, &toy, SPLIT_VALID, a, NULL),
                         OK);
        train(&t, s, s + 1);
    }
    assert_string_equal(digest_of(&t).hex, after(&c, 7).hex);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

static void resume(void **state)
{
    struct config c = config_of(TASK_LANGUAGE);
    struct mix mix = layer_mix("vanilla");
    char *folder = scratch_make(), base[512];
    struct digest want;
    uint64_t step;

    (void)state;
    snprintf(base, sizeof base, "%s/c", folder);
    toy_open(TASK_LANGUAGE);
    for (int round = 0; round < 2; round++) {
        struct trainer t;

        trainer_open(&t, &c, &mix);
        size_t bytes = t.params.learned * sizeof(real);
        struct block state_of[] = {{t.params.flat, bytes},
                                   {t.optim.m, bytes}, {t.optim.v, bytes}};
        checkpoint_load(base, "c", &step, state_of, 3);
        assert_int_equal(step, round ? 6 : 0);
        train(&t, step, 6);
        if (!round) {
            assert_int_equal(checkpoint_save(base, "c", 6, state_of, 3), OK);
            train(&t, 6, 13);
            want = digest_of(&t);
        } else {
            train(&t, 6, 13);
            assert_string_equal(digest_of(&t).hex, want.hex);
        }
        trainer_close(&t);
    }
    dataset_close(&toy);
    scratch_remove(folder);
}

/* The gradient of a batch, dropout included, however it is cut. */
static void shards(void **state)
{
    struct config c = config_of(TASK_TRANSDUCE);
    struct mix mix = layer_mix("random+vanilla");
    struct arena *a = arena_new();
    static const int cut[] = {1, 2, 6, 24};
    double first = 0;
    real *want = NULL;
    struct batch b;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    c.model.dropout = 0.3;
    c.lanes = 1;
    batch_train(&b, &toy, 1, c.batch, 0, a);
    for (int i = 0; i < 4; i++) {
        struct trainer t;

        c.shards = cut[i];
        trainer_open(&t, &c, &mix);
        double loss = trainer_step(&t, &b, 0);
        size_t n = t.params.learned;
        real *g = t.lane[0].view.grad;
        if (want) {
            assert_reals("gradient", g, want, n, CLOSE);
            assert_true(fabs(loss - first) < CLOSE);
        } else {
            want = memcpy(arena_take(a, n * sizeof *g), g, n * sizeof *g);
            first = loss;
        }
        trainer_close(&t);
    }
    arena_free(a);
    dataset_close(&toy);
}

/* ---- learning ---- */

static void learns(void **state)
{
    static const double below[] = {[TASK_TRANSDUCE] = 0.8,
                                   [TASK_LANGUAGE] = 1.2,
                                   [TASK_CLASSIFY] = 0.6};

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = config_of((enum task_kind)kind);
        struct mix mix = layer_mix("vanilla");
        struct trainer t;

        toy_open((enum task_kind)kind);
        trainer_open(&t, &c, &mix);
        double start = train(&t, 0, 5), end = train(&t, 5, 400);
        if (!(start > below[kind] + 0.3 && end < below[kind]))
            fail_msg("task kind %d: from %g to %g", kind, start, end);
        trainer_close(&t);
        dataset_close(&toy);
    }
}

static void diverged(void **state)
{
    struct config c = config_of(TASK_TRANSDUCE);
    struct mix mix = layer_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    trainer_open(&t, &c, &mix);
    train(&t, 0, 2);
    batch_train(&b, &toy, 1, c.batch, 2, a);
    size_t n = t.params.learned, bytes = n * sizeof(real);
    params_find(&t.params, "decoder.norm.bias")->value->x[3] = NAN;
    real *m = memcpy(malloc(bytes), t.optim.m, bytes);
    struct digest before = digest_of(&t);
    assert_false(isfinite(trainer_step(&t, &b, 2)));
    assert_string_equal(digest_of(&t).hex, before.hex);
    assert_memory_equal(t.optim.m, m, bytes);
    free(m);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

static void steady(void **state)
{
    struct config c = config_of(TASK_LANGUAGE); /* one shape */
    struct mix mix = layer_mix("random+dense");
    struct trainer t;
    size_t held[4];

    (void)state;
    toy_open(TASK_LANGUAGE);
    trainer_open(&t, &c, &mix);
    train(&t, 0, 2);
    for (int i = 0; i < 4; i++)
        held[i] = arena_held(t.lane[i].tape->data) +
                  arena_held(t.lane[i].tape->nodes) +
                  arena_held(t.lane[i].view.memory);
    train(&t, 2, 9);
    for (int i = 0; i < 4; i++)
        assert_int_equal(arena_held(t.lane[i].tape->data) +
                             arena_held(t.lane[i].tape->nodes) +
                             arena_held(t.lane[i].view.memory), held[i]);
    trainer_close(&t);
    dataset_close(&toy);
}

/* ---- evaluation ---- */

static void ignore(void *arg, long done)
{
    *(long *)arg = done;
}

static void scores(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = config_of((enum task_kind)kind);
        struct mix mix = layer_mix("vanilla");
        struct arena *a = arena_new();
        struct scores one, two;
        struct trainer t;
        struct batch b;

        toy_open((enum task_kind)kind);
        c.model.dropout = c.model.label_smoothing = 0;
        trainer_open(&t, &c, &mix);
        c.threads = 1;
        evaluate(&one, &t, &toy, SPLIT_TRAIN, a, NULL);
        c.threads = 4;
        evaluate(&two, &t, &toy, SPLIT_TRAIN, a, NULL);
        assert_int_equal(one.n, TRAIN);
        assert_memory_equal(one.nll, two.nll, TRAIN * sizeof *one.nll);
        assert_memory_equal(one.hits, two.hits, TRAIN * sizeof *one.hits);
        batch_eval(&b, &toy, SPLIT_TRAIN, 0, TRAIN, a);
        double loss = trainer_step(&t, &b, 0);
        assert_true(fabs(loss - scores_cross_entropy(&one)) < CLOSE * 10);
        for (int i = 0; i < TRAIN; i++)
            assert_int_equal(one.tokens[i],
                             kind == TASK_CLASSIFY
                                 ? 1 : toy.split[0].row[i].ntarget);
        trainer_close(&t);
        arena_free(a);
        dataset_close(&toy);
    }
}

/* Once it has learned, the decoded text is the target. */
static void texts(void **state)
{
    struct config c = config_of(TASK_TRANSDUCE);
    struct mix mix = layer_mix("vanilla");
    struct arena *a = arena_new();
    struct scores s;
    struct trainer t;
    int right = 0;
    long done = 0;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    trainer_open(&t, &c, &mix);
    train(&t, 0, 500);
    evaluate(&s, &t, &toy, SPLIT_VALID, a, NULL);
    assert_int_equal(evaluate_decode(&s, &t, &toy, SPLIT_VALID, a, NULL,
                                     ignore, &done), OK);
    assert_int_equal(done, VALID);
    for (int i = 0; i < VALID; i++) {
        const struct example *r = &toy.split[SPLIT_VALID].row[i];

        right += !strcmp(s.text[i],
                         dataset_text(&toy, r->target, r->ntarget, a));
    }
    if (right < VALID / 2)
        fail_msg("%d of %d texts are right", right, VALID);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

static void stops(void **state)
{
    struct config c = config_of(TASK_TRANSDUCE);
    struct mix mix = layer_mix("vanilla");
    struct arena *a = arena_new();
    const volatile sig_atomic_t stop = 1;
    struct scores s;
    struct trainer t;
    long done = 0;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    trainer_open(&t, &c, &mix);
    assert_int_equal(evaluate(&s, &t, &toy, SPLIT_TRAIN, a, &stop),
                     ERR_STOPPED);
    assert_int_equal(evaluate_decode(&s, &t, &toy, SPLIT_TRAIN, a, &stop,
                                     ignore, &done), ERR_STOPPED);
    assert_true(done <= EVAL_ROWS);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* ---- cost ---- */

/* A batch of the longest sentences costs what plan says. */
static void cost(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = config_of((enum task_kind)kind);
        const char *name[LAYER_NAMES];
        int names = layer_names(name);

        toy_open((enum task_kind)kind);
        c.threads = c.lanes = 1;
        c.batch = 7;
        c.shards = 3;
        for (int i = 0; i < names; i++) {
            int ids[7 * LONGEST], length[7];
            struct batch b = {7, LONGEST, LONGEST, ids, length, ids, ids,
                              length, ids, ids, 7 * LONGEST};
            struct mix mix = layer_mix(name[i]);
            struct cost want;
            struct trainer t;

            for (int k = 0; k < 7 * LONGEST; k++)
                ids[k] = k % CLASSES;
            for (int k = 0; k < 7; k++)
                length[k] = LONGEST;
            trainer_open(&t, &c, &mix);
            train_cost(&c, &mix, &want);
            double before = flops_total();
            trainer_step(&t, &b, 0);
            assert_true(flops_total() - before == want.flops_per_step);
            assert_true(want.params ==
                        (double)params_total(&t.params, PARAM_LEARNED));
            assert_true(want.bytes >
                        (double)arena_peak(t.lane[0].tape->data));
            trainer_close(&t);
        }
        dataset_close(&toy);
    }
}

static void schedules_by_formula(void **state)
{
    const struct schedule *noam = schedule_find("noam");

    (void)state;
    assert_true(fabs(noam->rate(1, 64, 2, 100) - 2 / 8.0 * 1e-3) < 1e-15);
    assert_true(fabs(noam->rate(100, 64, 2, 100) - 2 / 8.0 * 0.1) < 1e-15);
    assert_true(fabs(noam->rate(400, 64, 2, 100) - 2 / 8.0 * 0.05) < 1e-15);
    assert_true(schedule_find("rsqrt")->rate(4, 64, 1, 100) == 0.1);
    assert_true(schedule_find("rsqrt")->rate(400, 64, 1, 100) == 0.05);
    assert_true(schedule_find("constant")->rate(9, 64, 0.5, 100) == 0.5);
    assert_null(schedule_find("none"));
}

int main(void)
{
    const struct CMUnitTest trainer[] = {
        {"weights do not depend on the number of threads", threads, NULL,
         NULL, NULL},
        {"any number of lanes gives the same bits again", lanes, NULL, NULL,
         NULL},
        {"weights do not depend on evaluations", evaluations, NULL, NULL,
         NULL},
        {"a resumed run ends with the bits of the unbroken one", resume, NULL,
         NULL, NULL},
        {"shards change the gradient by rounding only, dropout on", shards,
         NULL, NULL, NULL},
        {"each task kind is learned", learns, NULL, NULL, NULL},
        {"a loss that is not finite leaves weights and moments", diverged,
         NULL, NULL, NULL},
        {"a step allocates nothing once two have been made", steady, NULL,
         NULL, NULL},
        {"scores are the loss, example by example, for any threads", scores,
         NULL, NULL, NULL},
        {"what has been learned is decoded", texts, NULL, NULL, NULL},
        {"a signal ends an evaluation", stops, NULL, NULL, NULL},
        {"plan's operations are those of a step", cost, NULL, NULL, NULL},
        {"schedules", schedules_by_formula, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("trainer", trainer, NULL, NULL);
}
