/* The work of a step on a device: calls, bytes and FLOPs by kernel. On the
 * device, no op of a full-scale model falls back to a loop on the host. */
#include "harness/base/err.h"
#include "harness/config/settings.h"
#include "harness/plan/plan.h"
#include "harness/train/bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static double sum_of(const struct counted of[COUNTED], int flops)
{
    double all = 0;

    for (int i = 0; i < COUNTED; i++)
        all += flops ? of[i].flops : of[i].calls;
    return all;
}

static double bytes_of(const struct counted of[COUNTED])
{
    double sum = 0;

    for (int i = 0; i < COUNTED; i++)
        sum += of[i].bytes;
    return sum;
}

/* ---- one call ---- */

static struct counted one(const struct backend *be, int kernel)
{
    struct counted of[COUNTED];

    (void)be;
    count_read(of);
    assert_true(of[kernel].calls == sum_of(of, 0));
    return of[kernel];
}

static void product(void **state)
{
    const struct backend *be = count_open(PRECISION_FP32, 0);
    struct gemm s = {.m = 2, .n = 3, .k = 5, .lda = 5, .ldb = 3, .ldc = 3,
                     .outer = 7, .inner = 11, .step_a = {0, 10},
                     .step_b = {165, 15}, .step_c = {66, 6}};
    static const int length[] = {5, 0, 1};

    (void)state;
    be->gemm(&s, NULL, NULL, NULL, NULL);
    s.add = 1;
    be->gemm(&s, NULL, NULL, NULL, NULL);
    struct counted c = one(be, COUNT_gemm);
    assert_string_equal(c.name, "gemm");
    assert_true(c.calls == 2 && c.flops == 2 * 77 * 2 * 2 * 3 * 5);
    /* A: 11 matrices of 10 values; B: 77 of 15; C: 77 of 6, which are written,
     * then read and written */
    assert_true(c.bytes == sizeof(real) * (2 * (110 + 77 * 15) + 3 * 77 * 6));

    s = (struct gemm){.m = 2, .n = 3, .k = 5, .inner = 3, .each = 1,
                      .step_b = {0, 15}, .step_c = {0, 6}, .length = length,
                      .limits = 'k'};
    be->gemm(&s, NULL, NULL, NULL, NULL);
    c = one(be, COUNT_gemm);
    assert_true(c.flops == 2 * 2 * 3 * (5 + 0 + 1));
    assert_true(one(be, COUNT_gemm).calls == 0); /* reading resets them */
}

/* Scores of two heads and three sentences: 5 x 7 scores, from a width of 11. */
static void scores(void **state)
{
    const struct backend *be = count_open(PRECISION_FP32, 0);
    struct attend a = {.h = 2, .b = 3, .n = 5, .m = 7, .k = 11, .shared = 1};
    const int length[] = {7, 7, 7};
    real some;

    (void)state;
    be->attend(&a, NULL, NULL, NULL, NULL, NULL);
    struct counted c = one(be, COUNT_attend);
    assert_true(c.flops == 2 * 6 * 35 * 11);
    /* 2 x 35 scores; as many weights, because sentences share them; V and Y */
    assert_true(c.bytes ==
                sizeof(real) * (70 + 70 + 2 * 11 * 3 * (5 + 7)));
    a.length = length;
    be->attend_back(&a, NULL, NULL, NULL, NULL, &some, NULL);
    c = one(be, COUNT_attend_back);
    assert_true(c.flops == 2 * 6 * 35 * 11);
    assert_true(c.bytes ==
                sizeof(real) * (210 + 2 * 70 + 2 * 11 * 3 * (5 + 7)));
}

/* The parts of the scores: dot products of a width of 11, keys that sentences
 * and heads share, and a bias. */
static void parts(void **state)
{
    const struct backend *be = count_open(PRECISION_BF16, 1);
    real some;
    struct fused f = {
        .a = {.h = 2, .b = 3, .n = 5, .m = 7, .k = 11, .keep = 1},
        .parts = 3,
        .part = {{.h = 2, .width = 11, .at_x = {11, 110, 22, 1},
                  .at_y = {11, 154, 22, 1}, .gx = &some},
                 {.h = 2, .width = 13, .at_x = {195, 65, 13, 1},
                  .at_y = {0, 0, 1, 7}, .gy = &some},
                 {.h = 2, .at_x = {7, 0, 0, 1}, .gx = &some}}};
    double q = 2 * 3 * 5 * 11, k = 2 * 3 * 7 * 11, rows = 2 * 3 * 5;
    double inner = 2 * 3 * 5 * 13, w = 13 * 7, bias = 2 * 7;

    (void)state;
    be->fuse(&f, NULL, NULL, NULL);
    struct counted c = one(be, COUNT_fuse);
    assert_true(c.flops == 2 * rows * 7 * (11 + 11 + 13));
    assert_true(c.bytes == sizeof(real) * (q + k + inner + w + bias + q + k +
                                           2 * rows));
    be->fuse_back(&f, NULL, NULL, NULL, NULL, &some);
    c = one(be, COUNT_fuse_back);
    assert_true(c.flops == 2 * rows * 7 * (2 * 11 + 11 + 13));
    assert_true(c.bytes == sizeof(real) * (3 * q + k + inner + 3 * w +
                                           3 * bias + 2 * q + 3 * k +
                                           2 * rows));
}

static void moves(void **state)
{
    const struct backend *be = count_open(PRECISION_BF16, 0);
    unsigned char host[8] = {1, 1};

    (void)state;
    be->copy(NULL, NULL, 8);
    assert_true(one(be, COUNT_copy).bytes == 16);
    be->zero(NULL, 8);
    assert_true(one(be, COUNT_zero).bytes == 8);
    be->get(host, NULL, 8);
    assert_true(one(be, COUNT_get).bytes == 8 && !host[0] && !host[1]);
    be->lower(3, NULL, NULL);
    assert_true(one(be, COUNT_lower).bytes == 3 * (sizeof(real) + 2));
    assert_null(count_open(PRECISION_FP32, 0)->lower);
}

/* ---- a step ---- */

static struct plan *full_scale(void)
{
    struct plan_of of = {.experiment = "full"};
    struct plan *p;

    assert_int_equal(plan_open(&p, &of), OK);
    return p;
}

/* Counts one step of a cell with one shard. */
static void count_step(struct counted of[COUNTED], const struct cell *x,
                       struct config *c)
{
    *c = x->config;
    settings_expect(c);
    c->shards = c->lanes = c->threads = 1;
    assert_int_equal(bench_count(of, c, &x->mix, x->task), OK);
}

static void full(void **state)
{
    struct plan *p = full_scale();
    struct counted of[COUNTED];
    struct config c;
    int random = 0;

    (void)state;
    for (int i = 0; i < p->n; i++) {
        const struct cell *x = &p->cell[i];
        int few = !strcmp(x->task->name, "c4") && !strcmp(x->row, "random");

        count_step(of, x, &c);
        random += few;
        if (sum_of(of, 0) >= (few ? 3000 : 6000))
            fail_msg("%s/%s: %.0f calls", x->row, x->task->name,
                     sum_of(of, 0));
    }
    assert_true(p->n > 100 && random > 0);
    plan_close(p);
}

/* Fused attention has the same products and moves fewer bytes. All attention of
 * these cells is fused. */
static void fused(void **state)
{
    struct plan *p = full_scale();
    struct counted with[COUNTED], without[COUNTED];
    struct config c;
    int seen = 0;

    (void)state;
    for (int i = 0; i < p->n; i++) {
        struct cell x = p->cell[i];

        if (strcmp(x.task->name, "c4"))
            continue;
        x.config.precision = PRECISION_BF16;
        count_step(with, &x, &c);
        x.config.device = DEVICE_CUDA_UNFUSED;
        count_step(without, &x, &c);
        assert_true(sum_of(with, 1) == sum_of(without, 1));
        assert_true(sum_of(with, 0) < sum_of(without, 0));
        assert_true(bytes_of(with) < 0.97 * bytes_of(without));
        assert_true(with[COUNT_fuse].calls == without[COUNT_attend].calls);
        assert_true(with[COUNT_attend].calls == 0);
        assert_true(without[COUNT_fuse_back].calls == 0);
        seen++;
    }
    assert_true(seen > 5);
    plan_close(p);
}

/* The step on the CPU, counted by the tape, has the same matrix products as the
 * step on the device. */
static void operations(void **state)
{
    struct plan *p = full_scale();
    struct counted of[COUNTED];
    struct config c;
    int seen = 0;

    (void)state;
    for (int i = 0; i < p->n; i++) {
        const struct cell *x = &p->cell[i];
        struct cost cost;

        if (strcmp(x->task->name, "c4") && strcmp(x->task->name, "agnews"))
            continue;
        count_step(of, x, &c);
        train_cost(&c, &x->mix, x->task, NULL, &cost);
        if (sum_of(of, 1) != cost.flops_per_step)
            fail_msg("%s/%s: %.0f FLOPs, not %.0f", x->row, x->task->name,
                     sum_of(of, 1), cost.flops_per_step);
        seen++;
    }
    assert_true(seen > 20);
    plan_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a product reads each operand of its batches once", product, NULL,
         NULL, NULL},
        {"shared scores are read once, and so are shared attention weights",
         scores, NULL, NULL, NULL},
        {"fused attention moves the inputs of the scores, not the scores",
         parts, NULL, NULL, NULL},
        {"copied bytes are counted", moves, NULL, NULL, NULL},
        {"a step at full scale makes fewer than 6,000 calls, random fewer than "
         "3,000", full, NULL, NULL, NULL},
        {"the FLOPs of all kernels add up to those of the plan", operations,
         NULL, NULL, NULL},
        {"fused attention moves fewer bytes for the same FLOPs", fused, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("count", tests, NULL, NULL);
}
