/*
 * With products of operands rounded to bfloat16, the loss differs far less from
 * that in single precision than from that with another seed.
 */
#include "harness/data/batch.h"
#include "tests/support/select_variants.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

enum { STEPS = 120, SEEDS = 2 };

struct curve { double loss[STEPS]; };

/* If `at_hand` is set, weights are rounded once per step instead of in each
 * product. */
static struct curve train(struct config c, uint64_t seed,
                          enum precision precision, int at_hand)
{
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct curve out;
    struct trainer t;

    c.seed = seed;
    c.precision = precision;
    c.threads = 1;
    trainer_open(&t, &c, &mix, NULL);
    assert_true((t.low != NULL) == (precision == PRECISION_BF16));
    t.low = at_hand ? t.low : NULL;
    for (uint64_t s = 0; s < STEPS; s++) {
        struct batch b;

        arena_reset(a);
        batch_train(&b, &toy, c.seed, c.batch, s, a);
        out.loss[s] = trainer_step(&t, &b, s);
    }
    trainer_close(&t);
    arena_free(a);
    return out;
}

static double apart(const struct curve *x, const struct curve *y)
{
    double sum = 0;

    for (int s = 0; s < STEPS; s++)
        sum += fabs(x->loss[s] - y->loss[s]);
    return sum / STEPS;
}

static void within_noise(void **state)
{
    enum task_kind kind = *(const enum task_kind *)*state;
    struct config c = toy_config(kind);
    struct curve single[SEEDS], low[SEEDS];

    toy_open(kind);
    toy_eager(&c);
    for (uint64_t s = 0; s < SEEDS; s++) {
        single[s] = train(c, s + 1, PRECISION_FP32, 0);
        low[s] = train(c, s + 1, PRECISION_BF16, 1);
    }
    double noise = apart(&single[0], &single[1]);
    for (int s = 0; s < SEEDS; s++) {
        double between = apart(&single[s], &low[s]);

        if (!(between > 0 && between < noise / 2))
            fail_msg("seed %d: bf16 is %g nats from fp32, the seeds %g from "
                     "each other", s + 1, between, noise);
        /* the model learns */
        assert_true(low[s].loss[STEPS - 1] < low[s].loss[0] / 2);
    }
    dataset_close(&toy);
}

static void rounded_once(void **state)
{
    enum task_kind kind = TASK_TRANSDUCE;
    struct config c = toy_config(kind);

    (void)state;
    toy_open(kind);
    struct curve once = train(c, 1, PRECISION_BF16, 1);
    struct curve each = train(c, 1, PRECISION_BF16, 0);
    assert_memory_equal(&once, &each, sizeof once);
    dataset_close(&toy);
}

int main(void)
{
    static const enum task_kind kind[] = {TASK_TRANSDUCE, TASK_LANGUAGE,
                                          TASK_CLASSIFY};
    const struct CMUnitTest tests[] = {
        {"seq2seq: bf16's losses stay within the noise of seeds", within_noise,
         NULL, NULL, (void *)&kind[0]},
        {"lm: bf16's losses stay within the noise of seeds", within_noise,
         NULL, NULL, (void *)&kind[1]},
        {"encoder: bf16's losses stay within the noise of seeds", within_noise,
         NULL, NULL, (void *)&kind[2]},
        {"rounding weights once a step gives the same bits as rounding them "
         "each time", rounded_once, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("precision", tests, NULL, NULL);
}
