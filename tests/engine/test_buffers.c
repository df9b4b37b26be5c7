/* Checks that code outside the backends never accesses their buffers: with a
 * backend whose buffers the host cannot access, training, evaluation, decoding,
 * attention statistics and weights are bit-identical to backend_cpu. */
#include "harness/base/err.h"
#include "harness/data/batch.h"
#include "harness/engine/ops.h"
#include "harness/nn/decode.h"
#include "harness/train/evaluate.h"
#include "harness/train/run.h"
#include "harness/train/watch.h"
#include "harness/train/weights.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "tests/support/scratch.h"
#include "tests/support/toy.h"
#include "tests/support/guarded_backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { STEPS = 2, BEAM = 2, ROWS = 5 };

static const struct backend *const both[] = {&backend_cpu, &backend_walled};

static struct config config_of(enum task_kind kind)
{
    struct config c = toy_config(kind);

    c.threads = 1;
    c.lanes = c.shards = 2;
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
    trainer_open(&t, c, mix, be);
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

static void trains_alike(enum task_kind kind, const char *name,
                         const struct config *c)
{
    struct mix mix = named_mix(name);
    struct outcome want, got;

    if (mix_fault(&mix, &c->model))
        return;
    train(&want, c, &mix, both[0]);
    train(&got, c, &mix, both[1]);
    if (memcmp(&want, &got, sizeof want))
        fail_msg("%s, kind %d: other bits", name, (int)kind);
}

static void training(void **state)
{
    const char *name[NAMES];
    int n = named_all(name);

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = config_of((enum task_kind)kind);

        toy_open((enum task_kind)kind);
        for (int i = 0; i < n; i++)
            trains_alike((enum task_kind)kind, name[i], &c);
        c.model.position = POSITION_SINUSOIDAL;
        c.optimizer = (struct optim_rule){
            OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3,
            .clip = 1, .factor_min = 2, .score_rate = 1};
        for (int rule = MIX_LOGITS; rule <= MIX_HEADS; rule++) {
            c.model.mix = (enum mix_rule)rule;
            trains_alike((enum task_kind)kind, "random+vanilla", &c);
        }
        dataset_close(&toy);
    }
}

static void square(void **state)
{
    double sum[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tape *t = tape_new(both[i]);
        double nll[2];
        struct loss loss = {.scale = 0.5, .nll = nll};

        tape_begin(t, TAPE_EVAL, (struct rng_key){0}, 0, 0);
        tensor *y = tape_leaf(t, 2, (int[]){2, 1});
        both[i]->put(y->x, (real[]){3, 5}, 2 * sizeof(real));
        tensor *root = ad_square_loss(t, y, (float[]){1, 4}, &loss);
        assert_true(nll[0] == 4 && nll[1] == 1);
        assert_true(*tensor_read(both[i], root, t->nodes) == 2.5);
        sum[i] = loss.sum;
        tape_free(t);
    }
    assert_true(sum[0] == 2.5 && sum[1] == 2.5);
}

/* ---- other code that reads values ---- */

static void open_both(struct trainer t[2], const struct config *c)
{
    struct mix mix = named_mix("random+vanilla");

    for (int i = 0; i < 2; i++)
        trainer_open(&t[i], c, &mix, both[i]);
}

static void decoding(void **state)
{
    static const int limit[ROWS] = {8, 1, 5, 8, 3};
    struct config c = config_of(TASK_TRANSDUCE);
    struct hypothesis h[2][ROWS * BEAM];
    struct arena *a = arena_new();
    struct trainer t[2];
    struct batch b;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    open_both(t, &c);
    batch_eval(&b, &toy, SPLIT_VALID, 0, ROWS, a);
    for (int beam = 1; beam <= BEAM; beam++) {
        struct decoding s = {.source = b.source, .length = b.source_length,
                             .b = b.b, .n = b.n, .limit = limit,
                             .eos = ID_EOS, .beam = beam, .alpha = 0.6};

        for (int i = 0; i < 2; i++)
            decode(t[i].lane[0].model, t[i].tape[0], &s, a, a, h[i]);
        for (int k = 0; k < b.b * beam; k++) {
            assert_int_equal(h[0][k].n, h[1][k].n);
            assert_true(h[0][k].score == h[1][k].score);
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

static void watching(void **state)
{
    static struct watch w[2];
    static struct logits l[2];
    struct config c = config_of(TASK_LANGUAGE);
    struct trainer t[2];

    (void)state;
    toy_open(TASK_LANGUAGE);
    open_both(t, &c);
    for (int i = 0; i < 2; i++) {
        watch_run(&w[i], &t[i], &toy);
        logits_read(&l[i], &t[i], &toy);
        trainer_close(&t[i]);
    }
    assert_memory_equal(&w[0], &w[1], sizeof w[0]);
    const struct kept *x = &l[0].place[TAPE_DECODER][0];
    const struct kept *y = &l[1].place[TAPE_DECODER][0];
    assert_true(x->n > 0 && x->n == y->n);
    assert_bits("logits", y->x, x->x, x->n);
    logits_free(&l[0]);
    logits_free(&l[1]);
    assert_true(w[1].place[TAPE_DECODER][0].rows > 0);
    dataset_close(&toy);
}

/* Loads weights that were drawn with another seed from the image of a file. */
static void reading(void **state)
{
    struct config c = config_of(TASK_LANGUAGE), other = c;
    struct trainer t[2], from[2];
    char want[HASH_HEX], got[HASH_HEX];
    struct trace_file f;

    (void)state;
    other.seed++;
    open_both(t, &c);
    open_both(from, &other);
    trace_file_open(&f);
    for (int i = 0; i < from[0].params.n; i++) {
        const struct param *p = &from[0].params.list[i];

        weights_put(&f, p->kind == PARAM_LEARNED ? "params" : "frozen", p,
                    p->value->x);
    }
    trainer_digest(&from[0], want);
    for (int i = 0; i < 2; i++) {
        trainer_digest(&t[i], got);
        assert_string_not_equal(got, want);
        assert_int_equal(weights_take(&t[i].params, &f, "image"), OK);
        trainer_digest(&t[i], got);
        assert_string_equal(got, want);
        trainer_close(&t[i]);
        trainer_close(&from[i]);
    }
    trace_file_close(&f);
}

/* Resuming restores the values that a step has changed. */
static void resuming(void **state)
{
    char *folder = scratch_make(), hex[3][HASH_HEX];
    struct train_env env = {.folder = folder, .id = "0123456789abcdef"};
    struct arena *a = arena_new();
    uint64_t step;

    (void)state;
    toy_open(TASK_LANGUAGE);
    for (int i = 0; i < 2; i++) {
        struct config c = config_of(TASK_LANGUAGE);
        struct mix mix = named_mix("random+vanilla");
        struct run r = {.c = c, .env = &env, .build = "this",
                        .history = arena_zero(a, sizeof *r.history),
                        .first = arena_zero(a, sizeof *r.first),
                        .changes = arena_zero(a, sizeof *r.changes)};

        r.c.steps = 3;
        trainer_open(&r.trainer, &r.c, &mix, both[i]);
        toy_train(&r.trainer, 0, 1);
        assert_int_equal(run_save(&r, 1), OK);
        for (int k = 0; k < 2; k++) {
            toy_train(&r.trainer, 1, 3);
            trainer_digest(&r.trainer, hex[k]);
            assert_int_equal(run_load(&r, &step), OK);
            assert_int_equal(step, 1);
        }
        assert_string_equal(hex[0], hex[1]);
        if (i)
            assert_string_equal(hex[0], hex[2]);
        memcpy(hex[2], hex[0], HASH_HEX);
        trainer_close(&r.trainer);
    }
    dataset_close(&toy);
    arena_free(a);
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest buffers[] = {
        {"every variant trains in memory that the host cannot read", training,
         NULL, NULL, NULL},
        {"a squared error is computed in memory that the host cannot read",
         square, NULL, NULL, NULL},
        {"texts are decoded in memory that the host cannot read", decoding,
         NULL, NULL, NULL},
        {"attention is observed in memory that the host cannot read", watching,
         NULL, NULL, NULL},
        {"weights are loaded into memory that the host cannot read", reading,
         NULL, NULL, NULL},
        {"a checkpoint restores memory that the host cannot read", resuming,
         NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("buffers", buffers, NULL, NULL);
}
