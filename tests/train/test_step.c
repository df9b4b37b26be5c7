/* A training step: which weights change, by how much, and what is learned. */
#include "harness/data/batch.h"
#include "harness/engine/timed.h"
#include "harness/train/run.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- size of the updates ---- */

/* Step s must be Adam's step t = s + 1, with noam's learning rate at t and the
 * gradient that the trainer reports. */
static void moved(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    (void)state;
    toy_open(TASK_CLASSIFY);
    strcpy(c.schedule, "noam");
    c.lr_scale = 0.5;
    c.warmup = 3;
    trainer_open(&t, &c, &mix, NULL);
    size_t n = t.params.learned;
    double *m = arena_zero(a, 3 * n * sizeof *m), *v = m + n, *p = v + n;
    for (int s = 1; s <= 5; s++) {
        double rate = 0.5 / 4 * fmin(1 / sqrt(s), s / sqrt(27));

        for (size_t i = 0; i < n; i++)
            p[i] = (double)t.params.flat[i];
        batch_train(&b, &toy, 1, c.batch, (uint64_t)s, a);
        trainer_step(&t, &b, (uint64_t)s - 1);
        for (size_t i = 0; i < n; i++) {
            double g = (double)trainer_grad(&t)[i];

            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.997 * v[i] + 0.003 * g * g;
            p[i] -= rate * m[i] / (1 - pow(0.9, s)) /
                    (sqrt(v[i] / (1 - pow(0.997, s))) + 1e-9);
        }
        assert_near("weights after a step", t.params.flat, p, n, CLOSE);
    }
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* Stores in `out` how far one step with score_rate k moves each weight from its
 * initial value. */
static void move_of(double *out, struct config *c, const struct mix *mix,
                    double k, struct trainer *t)
{
    struct arena *a = arena_new();
    struct batch b;

    c->optimizer.score_rate = k;
    trainer_open(t, c, mix, NULL);
    for (size_t i = 0; i < t->params.learned; i++)
        out[i] = (double)t->params.flat[i];
    batch_train(&b, &toy, 1, c->batch, 0, a);
    trainer_step(t, &b, 0);
    for (size_t i = 0; i < t->params.learned; i++)
        out[i] = (double)t->params.flat[i] - out[i];
    arena_free(a);
}

/* Compares two steps. With score_rate k, the parameters of the scores change k
 * times as far, up to their rounding; if `part` is not NULL, only those of this
 * part of a mixture. All other weights are bit-identical after both steps. */
static void compare_moves(const struct params *ps, const double *plain,
                          const double *far, double k, const char *part)
{
    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];

        for (size_t j = p->at; p->kind == PARAM_LEARNED &&
                               j < p->at + tensor_len(p->value); j++) {
            int scaled = p->score && (!part || strstr(p->name, part));
            double want = scaled ? k * plain[j] : plain[j];
            double slack = scaled ? (1 + k) * CLOSE / 10 : 0;

            if (fabs(far[j] - want) > slack)
                fail_msg("%s moves by %g, not %g", p->name, far[j], want);
        }
    }
}

static void score_rates(void **state)
{
    static const char *const name[] = {"random+dense", "vanilla", "linformer",
                                       "dynamic-conv", "factorized-random"};
    struct config c = toy_config(TASK_CLASSIFY);
    const struct optim_rule rule[] = {c.optimizer, {
        OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3, .clip = 1,
        .factor_min = 4}};
    const double rates[] = {5, 0.25, 0};
    struct arena *a = arena_new();
    enum { MOST = 1 << 15 };
    double *plain = arena_take(a, 2 * MOST * sizeof *plain);
    double *far = plain + MOST;

    (void)state;
    toy_open(TASK_CLASSIFY);
    c.model.projection = 4;
    for (int i = 0; i < 5 * 2 * 3; i++) {
        struct mix mix = named_mix(name[i / 6]);
        struct trainer t, other;
        double k = rates[i % 3];

        c.optimizer = rule[i / 3 % 2];
        move_of(plain, &c, &mix, 1, &t);
        assert_true(t.params.learned <= MOST);
        move_of(far, &c, &mix, k, &other);
        compare_moves(&t.params, plain, far, k, NULL);
        trainer_close(&t);
        trainer_close(&other);
    }
    arena_free(a);
    dataset_close(&toy);
}

static void part_rates(void **state)
{
    static const char *const part[] = {"random", "dense", "vanilla"};
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("random+dense");
    enum { MOST = 1 << 15 };
    struct arena *a = arena_new();
    double *plain = arena_take(a, 2 * MOST * sizeof *plain);
    double *far = plain + MOST;
    struct trainer t, other;

    (void)state;
    toy_open(TASK_CLASSIFY);
    move_of(plain, &c, &mix, 1, &t);
    assert_true(t.params.learned <= MOST);
    for (int i = 0; i < 3; i++) { /* the mixture has no part "vanilla" */
        char within[16];

        snprintf(within, sizeof within, ".%s.", part[i]);
        c.optimizer.part_rate[0] = (struct part_rate){part[i], 5};
        move_of(far, &c, &mix, 1, &other);
        compare_moves(&t.params, plain, far, 5, within);
        trainer_close(&other);
    }
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* Stores the loss of a few steps in `loss`, with or without attention
 * statistics. */
static void steps_of(double loss[3], const struct config *c,
                     const struct backend *be)
{
    struct mix mix = named_mix("random+vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    trainer_open(&t, c, &mix, be);
    for (uint64_t s = 0; s < 3; s++) {
        batch_train(&b, &toy, 1, c->batch, s, a);
        loss[s] = trainer_step(&t, &b, s);
    }
    trainer_close(&t);
    arena_free(a);
}

static void timed(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    const struct optim_rule rule[] = {c.optimizer, {
        OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3, .clip = 1,
        .factor_min = 2, .score_rate = 1}};
    double plain[3], measured[3];

    (void)state;
    toy_open(TASK_TRANSDUCE);
    for (int i = 0; i < 2; i++) {
        c.optimizer = rule[i];
        steps_of(plain, &c, NULL);
        steps_of(measured, &c, timed_open(&backend_cpu));
        assert_memory_equal(measured, plain, sizeof plain);
    }
    dataset_close(&toy);
}

/* ---- learning ---- */

static void learns(void **state)
{
    static const double below[] = {[TASK_TRANSDUCE] = 0.7,
                                   [TASK_LANGUAGE] = 0.7,
                                   [TASK_CLASSIFY] = 0.3};

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = toy_config((enum task_kind)kind);
        struct mix mix = named_mix("vanilla");
        struct trainer t;

        toy_open((enum task_kind)kind);
        toy_eager(&c);
        trainer_open(&t, &c, &mix, NULL);
        double start = toy_train(&t, 0, 5), end = toy_train(&t, 5, 150);
        if (!(start > below[kind] + 0.3 && end < below[kind]))
            fail_msg("task kind %d: from %g to %g", kind, start, end);
        trainer_close(&t);
        dataset_close(&toy);
    }
}

static void diverged(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    trainer_open(&t, &c, &mix, NULL);
    toy_train(&t, 0, 2);
    batch_train(&b, &toy, 1, c.batch, 2, a);
    size_t n = t.params.learned, bytes = n * sizeof(real);
    params_find(&t.params, "decoder.norm.bias")->value->x[3] = NAN;
    real *state_of = memcpy(malloc(2 * bytes), t.optim.state, 2 * bytes);
    struct toy_digest before = toy_digest(&t);
    assert_false(isfinite(trainer_step(&t, &b, 2)));
    assert_string_equal(toy_digest(&t).hex, before.hex);
    assert_memory_equal(t.optim.state, state_of, 2 * bytes);
    free(state_of);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* If the target class has probability 0, the loss is infinite, not NaN. */
static void infinite(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;
    double value;

    (void)state;
    toy_open(TASK_CLASSIFY);
    toy_eager(&c);
    trainer_open(&t, &c, &mix, NULL);
    assert_null(trainer_fault(&t, &value));
    params_find(&t.params, "classifier.b")->value->x[1] = -INFINITY;
    struct toy_digest before = toy_digest(&t);
    batch_train(&b, &toy, 1, c.batch, 0, a);
    assert_true(isinf(trainer_step(&t, &b, 0)));
    assert_string_equal(toy_digest(&t).hex, before.hex);
    assert_string_equal(trainer_fault(&t, &value)->name, "classifier.b");
    assert_true(isinf(value));
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* ---- attention statistics ---- */

/* There are 7 texts of one id, 7 of two and 6 of three. The middle sixteen are
 * watched: 5, 7 and 4 of them. A uniform row over m keys has entropy ln m and m
 * weights of 1/m. 1 is in the last bin, 1/2 and 1/3 in the bin before. */
static void watched(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("uniform");
    const double nats = 7 * 2 * log(2) + 4 * 3 * log(3);
    static struct watch w;
    struct trainer t;

    (void)state;
    toy_open(TASK_CLASSIFY);
    for (int i = 0; i < TOY_VALID; i++)
        toy.split[SPLIT_VALID].row[i].nsource = 1 + i % 3;
    dataset_seal(&toy);
    trainer_open(&t, &c, &mix, NULL);
    watch_run(&w, &t, &toy);
    const struct watched *got = &w.place[TAPE_ENCODER][0];
    assert_int_equal(got->rows, 2 * (5 + 7 * 2 + 4 * 3)); /* two heads */
    assert_true(fabs(got->entropy - 2 * nats) < 100 * CLOSE);
    for (int k = 0; k < WATCH_BINS - 2; k++)
        assert_int_equal(got->bin[k], 0);
    assert_int_equal(got->bin[WATCH_BINS - 2], 2 * (7 * 4 + 4 * 9));
    assert_int_equal(got->bin[WATCH_BINS - 1], 2 * 5);
    assert_int_equal(w.place[TAPE_DECODER][0].rows, 0);
    trainer_close(&t);
    dataset_close(&toy);
}

static size_t held(const struct trainer *t)
{
    size_t bytes = arena_held(t->params.memory);

    for (int i = 0; i < t->c->lanes; i++)
        bytes += arena_held(t->lane[i].view.memory);
    for (int i = 0; i < t->threads; i++)
        bytes += arena_held(t->tape[i]->data) + arena_held(t->tape[i]->nodes);
    return bytes;
}

static void steady(void **state)
{
    struct config c = toy_config(TASK_LANGUAGE); /* one shape of batch */
    struct mix mix = named_mix("random+dense");
    struct trainer t;

    (void)state;
    toy_open(TASK_LANGUAGE);
    trainer_open(&t, &c, &mix, NULL);
    toy_train(&t, 0, 2);
    size_t before = held(&t);
    toy_train(&t, 2, 9);
    assert_int_equal(held(&t), before);
    trainer_close(&t);
    dataset_close(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a part of a mixture can have its own learning rate", part_rates, NULL,
         NULL, NULL},
        {"scores change score_rate times as fast as other weights", score_rates,
         NULL, NULL, NULL},
        {"a step is Adam's step of that number and learning rate", moved, NULL,
         NULL, NULL},
        {"timing the kernels does not change the losses", timed, NULL, NULL,
         NULL},
        {"a model learns each kind of task", learns, NULL, NULL, NULL},
        {"a loss that is not finite does not change weights and moments",
         diverged, NULL, NULL, NULL},
        {"an infinite loss does not change weights; an infinite weight is "
         "named", infinite, NULL, NULL, NULL},
        {"attention statistics exclude padding; the entropy is in nats",
         watched, NULL, NULL, NULL},
        {"after two steps, a step allocates nothing", steady, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
