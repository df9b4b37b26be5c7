/* Training, evaluation, decoding and resuming on a GPU, here the simulated one
 * of tests/support/device.h. Results must be close to the processor's, and
 * bit-identical for any order of threads and blocks. */
#include "harness/base/err.h"
#include "harness/data/batch.h"
#include "harness/nn/decode.h"
#include "harness/train/evaluate.h"
#include "harness/train/run.h"
#include "harness/train/watch.h"
#include "tests/support/device.h"
#include "tests/support/grid.h"
#include "tests/support/select_variants.h"
#include "tests/support/scratch.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { STEPS = 2, BEAM = 2, ROWS = 5 };

/* The backends that are compared, of the processor and of the GPU, and the
 * tolerance.  With bfloat16 products, the GPU also rounds the operands of the
 * products in attention, which are float32 on the processor. */
struct pair_of {
    enum precision precision;
    const struct backend *cpu, *gpu;
    double bound;
};
static const struct pair_of full = {PRECISION_FP32, &backend_cpu,
                                    &backend_cuda, 1e-5};
static const struct pair_of fused = {PRECISION_BF16, &backend_bf16,
                                     &backend_cuda_bf16, 5e-3};

static struct config config_of(enum task_kind kind, const struct pair_of *by)
{
    struct config c = toy_config(kind);

    c.threads = 1;
    c.lanes = c.shards = 2;
    c.batch = 8;
    c.precision = by->precision;
    return c;
}

/* ---- training ---- */

struct outcome {
    double loss[STEPS], nll[TOY_VALID];
    char   hex[HASH_HEX];
};

static void train(struct outcome *out, const struct config *c,
                  const struct mix *mix, const struct backend *be)
{
    struct arena *a = arena_new();
    struct scores s;
    struct trainer t;
    struct batch b;
    double value;

    memset(out, 0, sizeof *out);
    assert_int_equal(trainer_open(&t, c, mix, be), OK);
    for (uint64_t i = 0; i < STEPS; i++) {
        batch_train(&b, &toy, 1, c->batch, i, a);
        out->loss[i] = trainer_step(&t, &b, i);
    }
    trainer_digest(&t, out->hex);
    assert_null(trainer_fault(&t, &value));
    assert_int_equal(evaluate(&s, &t, &toy, SPLIT_VALID, a, NULL), OK);
    memcpy(out->nll, s.nll, sizeof out->nll);
    trainer_close(&t);
    arena_free(a);
}

static void near(const char *name, int of, const char *what, int n,
                 const double *got, const double *want, double bound)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= bound * (1 + fabs(want[i]))))
            fail_msg("%s %d: %s %d is %.9g, not %.9g", name, of, what, i,
                     got[i], want[i]);
}

/* Trains with `orders` orders of threads. The first order changes from call to
 * call. */
static void trains_alike(enum task_kind kind, const char *name,
                         const struct config *c, int orders,
                         const struct pair_of *by)
{
    static int calls;
    struct mix mix = named_mix(name);
    struct outcome want, got[GRID_ORDERS];

    train(&want, c, &mix, by->cpu);
    for (int o = 0; o < orders; o++) {
        grid_order = (enum grid_order)((calls + o) % GRID_ORDERS);
        train(&got[o], c, &mix, by->gpu);
        if (memcmp(&got[o], &got[0], sizeof want))
            fail_msg("%s, kind %d: other bits in order %d", name, (int)kind,
                     (int)grid_order);
    }
    calls++;
    near(name, (int)kind, "loss", STEPS, got[0].loss, want.loss, by->bound);
    near(name, (int)kind, "nll", TOY_VALID, got[0].nll, want.nll, by->bound);
    assert_string_not_equal(got[0].hex, want.hex); /* sums differ */
}

/* Trains each variant in one family that supports it. */
static void train_all(const struct pair_of *by)
{
    const char *name[NAMES];
    int n = named_all(name), left = n;

    for (int kind = 0; kind < 3; kind++) {
        struct config c = config_of((enum task_kind)kind, by);

        toy_open((enum task_kind)kind);
        for (int i = 0; i < n; i++) {
            struct mix mix = name[i] ? named_mix(name[i]) : (struct mix){0};

            if (!name[i] || (i % 3 > kind) || mix_fault(&mix, &c.model))
                continue;
            trains_alike((enum task_kind)kind, name[i], &c, 1, by);
            name[i] = NULL;
            left--;
        }
        dataset_close(&toy);
    }
    assert_int_equal(left, 0);
}

static void training(void **state)
{
    (void)state;
    train_all(&full);
}

static void training_fused(void **state)
{
    (void)state;
    train_all(&fused);
}

/* Trains all mixtures, with Adafactor and, if attention is fused, with a
 * position bias. */
static void mix_all(const struct pair_of *by)
{
    struct config c = config_of(TASK_LANGUAGE, by);

    toy_open(TASK_LANGUAGE);
    c.model.position = POSITION_SINUSOIDAL;
    c.model.relative_bias = by == &fused;
    c.model.relative_buckets = 8;
    c.model.relative_distance = 6;
    c.optimizer = (struct optim_rule){
        OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3,
        .clip = 1, .factor_min = 2, .score_rate = 1};
    for (int rule = MIX_LOGITS; rule <= MIX_HEADS; rule++) {
        c.model.mix = (enum mix_rule)rule;
        trains_alike(TASK_LANGUAGE, "random+vanilla", &c,
                     rule == MIX_LOGITS ? GRID_ORDERS : 1, by);
    }
    dataset_close(&toy);
}

static void mixing(void **state)
{
    (void)state;
    mix_all(&full);
}

static void mixing_fused(void **state)
{
    (void)state;
    mix_all(&fused);
}

/* ---- other code that reads values ---- */

static void decode_alike(const struct pair_of *by)
{
    static const int limit[ROWS] = {8, 1, 5, 8, 3};
    const struct backend *const both[] = {by->cpu, by->gpu};
    struct config c = config_of(TASK_TRANSDUCE, by);
    struct mix mix = named_mix("random+vanilla");
    struct hypothesis h[2][ROWS * BEAM];
    struct arena *a = arena_new();
    struct trainer t[2];
    struct batch b;

    toy_open(TASK_TRANSDUCE);
    for (int i = 0; i < 2; i++)
        assert_int_equal(trainer_open(&t[i], &c, &mix, both[i]), OK);
    batch_eval(&b, &toy, SPLIT_VALID, 0, ROWS, a);
    for (int beam = 1; beam <= BEAM; beam++) {
        struct decoding s = {.source = b.source, .length = b.source_length,
                             .b = b.b, .n = b.n, .limit = limit,
                             .eos = ID_EOS, .beam = beam, .alpha = 0.6};

        for (int i = 0; i < 2; i++)
            decode(t[i].lane[0].model, t[i].tape[0], &s, a, a, h[i]);
        for (int k = 0; k < b.b * beam; k++) {
            assert_int_equal(h[0][k].n, h[1][k].n);
            near("decoding", beam, "score", 1, &h[1][k].score, &h[0][k].score,
                 by->bound);
            if (h[0][k].n)
                assert_memory_equal(h[0][k].id, h[1][k].id,
                                    (size_t)h[0][k].n * sizeof(int));
        }
    }
    trainer_close(&t[0]);
    trainer_close(&t[1]);
    dataset_close(&toy);
    arena_free(a);
}

static void decoding(void **state)
{
    (void)state;
    decode_alike(&full);
    decode_alike(&fused);
}

/* The logits and weights of attention that is otherwise fused can be read. */
static void observing(void **state)
{
    const struct backend *const both[] = {fused.cpu, fused.gpu};
    struct config c = config_of(TASK_LANGUAGE, &fused);
    struct mix mix = named_mix("random+vanilla");
    static struct watch w[2];
    static struct logits l[2];
    struct trainer t;

    (void)state;
    toy_open(TASK_LANGUAGE);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trainer_open(&t, &c, &mix, both[i]), OK);
        watch_run(&w[i], &t, &toy);
        logits_read(&l[i], &t, &toy);
        trainer_close(&t);
    }
    const struct kept *x = &l[0].place[TAPE_DECODER][0];
    const struct kept *y = &l[1].place[TAPE_DECODER][0];
    assert_true(x->n > 0 && x->n == y->n);
    for (size_t k = 0; k < x->n; k++)
        near("observing", (int)k, "logit", 1, &(double){(double)y->x[k]},
             &(double){(double)x->x[k]}, fused.bound);
    assert_true(w[0].place[TAPE_DECODER][0].rows > 0);
    assert_int_equal(w[1].place[TAPE_DECODER][0].rows,
                     w[0].place[TAPE_DECODER][0].rows);
    near("observing", 0, "entropy", 1, &w[1].place[TAPE_DECODER][0].entropy,
         &w[0].place[TAPE_DECODER][0].entropy, fused.bound);
    logits_free(&l[0]);
    logits_free(&l[1]);
    dataset_close(&toy);
}

/* Resuming restores the values that steps have changed. The repeated steps are
 * bit-identical, even in another order of threads. */
static void resume_alike(const struct pair_of *by)
{
    char *folder = scratch_make(), hex[2][HASH_HEX];
    struct train_env env = {.folder = folder, .id = "0123456789abcdef"};
    struct arena *a = arena_new();
    struct mix mix = named_mix("dense+vanilla");
    struct run r = {.c = config_of(TASK_LANGUAGE, by), .env = &env,
                    .build = "this",
                    .history = arena_zero(a, sizeof *r.history),
                    .first = arena_zero(a, sizeof *r.first),
                    .changes = arena_zero(a, sizeof *r.changes)};
    uint64_t step;

    toy_open(TASK_LANGUAGE);
    r.c.steps = 3;
    assert_int_equal(trainer_open(&r.trainer, &r.c, &mix, by->gpu), OK);
    toy_train(&r.trainer, 0, 1);
    assert_int_equal(run_save(&r, 1), OK);
    for (int k = 0; k < 2; k++) {
        grid_order = k ? GRID_SHUFFLED : GRID_FORWARD;
        toy_train(&r.trainer, 1, 3);
        trainer_digest(&r.trainer, hex[k]);
        assert_int_equal(run_load(&r, &step), OK);
        assert_int_equal(step, 1);
    }
    assert_string_equal(hex[0], hex[1]);
    trainer_close(&r.trainer);
    dataset_close(&toy);
    arena_free(a);
    scratch_remove(folder);
}

static void resuming(void **state)
{
    (void)state;
    resume_alike(&full);
    resume_alike(&fused);
}

/* With bfloat16 products, including those of attention, the loss is close,
 * whether attention is fused or not. */
static void low_products(void **state)
{
    static const struct backend *const be[] = {
        &backend_bf16, &backend_cuda_unfused, &backend_cuda_unfused,
        &backend_cuda_bf16};
    struct config c = config_of(TASK_TRANSDUCE, &fused);
    struct mix mix = named_mix("vanilla");
    struct outcome of[4];

    (void)state;
    toy_open(TASK_TRANSDUCE);
    for (int i = 0; i < 4; i++) {
        grid_order = (enum grid_order)(i % GRID_ORDERS);
        train(&of[i], &c, &mix, be[i]);
        for (int k = 0; k < STEPS; k++)
            assert_true(fabs(of[i].loss[k] - of[0].loss[k]) <
                        fused.bound * of[0].loss[k]);
    }
    assert_memory_equal(&of[1], &of[2], sizeof of[1]);
    assert_string_not_equal(of[1].hex, of[3].hex);
    dataset_close(&toy);
}

int main(void)
{
    const struct CMUnitTest device[] = {
        {"every variant trains and is scored as on the processor", training,
         NULL, NULL, NULL},
        {"all mixtures train with Adafactor, combined in three ways", mixing,
         NULL, NULL, NULL},
        {"decoded texts are the same as on the processor", decoding, NULL, NULL,
         NULL},
        {"an observer reads the scores of fused attention", observing, NULL,
         NULL, NULL},
        {"a checkpoint restores weights and moments", resuming, NULL, NULL,
         NULL},
        {"training with bfloat16 products agrees with the processor",
         low_products, NULL, NULL, NULL},
        {"every variant trains with fused attention", training_fused, NULL,
         NULL, NULL},
        {"all mixtures with a position bias train with fused attention",
         mixing_fused, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    open_test_device(NULL);
    return cmocka_run_group_tests_name("device", device, NULL, NULL);
}
