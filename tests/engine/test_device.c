/* What trains, evaluates, decodes and resumes on a GPU, here that of
 * tests/support/device.h: close to the processor's numbers, and of equal bits
 * in whatever order threads and blocks get their turns. */
#include "harness/base/err.h"
#include "harness/data/batch.h"
#include "harness/nn/decode.h"
#include "harness/train/evaluate.h"
#include "harness/train/run.h"
#include "tests/support/device.h"
#include "tests/support/grid.h"
#include "tests/support/named.h"
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

static void near(const char *name, int kind, const char *what, int n,
                 const double *got, const double *want)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= 1e-5 * (1 + fabs(want[i]))))
            fail_msg("%s, kind %d: %s %d is %.9g, not %.9g", name, kind, what,
                     i, got[i], want[i]);
}

/* With this many orders, from one on that differs from call to call. */
static void trains_alike(enum task_kind kind, const char *name,
                         const struct config *c, int orders)
{
    static int calls;
    struct mix mix = named_mix(name);
    struct outcome want, got[GRID_ORDERS];

    if (mix_fault(&mix, &c->model))
        return;
    train(&want, c, &mix, &backend_cpu);
    for (int o = 0; o < orders; o++) {
        grid_order = (enum grid_order)((calls + o) % GRID_ORDERS);
        train(&got[o], c, &mix, &backend_cuda);
        if (memcmp(&got[o], &got[0], sizeof want))
            fail_msg("%s, kind %d: other bits in order %d", name, (int)kind,
                     (int)grid_order);
    }
    calls++;
    near(name, (int)kind, "loss", STEPS, got[0].loss, want.loss);
    near(name, (int)kind, "nll", TOY_VALID, got[0].nll, want.nll);
    assert_string_not_equal(got[0].hex, want.hex); /* sums in other orders */
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
            trains_alike((enum task_kind)kind, name[i], &c, 1);
        c.model.position = POSITION_SINUSOIDAL;
        c.optimizer = (struct optim_rule){
            OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3,
            .clip = 1, .factor_min = 2, .score_rate = 1};
        for (int rule = MIX_LOGITS; rule <= MIX_HEADS; rule++) {
            c.model.mix = (enum mix_rule)rule;
            trains_alike((enum task_kind)kind, "random+vanilla", &c,
                         rule == MIX_LOGITS ? GRID_ORDERS : 1);
        }
        dataset_close(&toy);
    }
}

int main(void)
{
    const struct CMUnitTest device[] = {
        {"every variant trains and is scored as on the processor", training,
         NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    open_test_device();
    return cmocka_run_group_tests_name("device", device, NULL, NULL);
}
