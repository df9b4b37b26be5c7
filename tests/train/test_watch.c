/* Stored attention statistics, where they are known: weights of uniform
 * attention, and the change of the logits by a step of Adam. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/train/watch.h"
#include "tests/support/small_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

/* Row i of a causal uniform layer has i + 1 weights of 1 / (i + 1). They have
 * entropy ln(i + 1) and are in bin 4 (6 - log10(i + 1)). */
static void causal(void **state)
{
    static const char at[] = "attention/start/decoder.0";
    double want[WATCH_BINS] = {0}, entropy = 0;
    struct trained t;

    (void)state;
    trained_open(&t, "task=lm1b variant=uniform");
    for (int i = 0; i < 16; i++) {
        int bin = (int)floor(4 * (6 - log10(i + 1)) + 1e-6);

        want[bin < WATCH_BINS ? bin : WATCH_BINS - 1] += i + 1;
        entropy += log(i + 1) / 16;
    }
    char *path = str_format("%s/histogram", at);
    struct reals is = trained_reals(&t, path);
    assert_int_equal(is.n, WATCH_BINS);
    for (int i = 0; i < WATCH_BINS; i++) /* over every head and sentence */
        assert_true(is.x[i] * want[WATCH_BINS - 1] ==
                    want[i] * is.x[WATCH_BINS - 1]);
    free(path);
    path = str_format("%s@entropy_nats", at);
    assert_true(fabs(trained_real(&t, path) - entropy) < 1e-6);
    free(path);
    trained_close(&t);
}

/* ---- change of the logits ---- */

static struct reals changes(struct trained *t, const char *place,
                            const char *what)
{
    char *path = str_format("attention/moves/%s/%s", place, what);
    struct reals out = trained_reals(t, path);

    free(path);
    return out;
}

static void check_steps(const char *words, const char *place, size_t n,
                        const double *want)
{
    struct trained t;

    trained_open(&t, words);
    struct reals is = changes(&t, place, "step");
    assert_int_equal(is.n, n);
    assert_memory_equal(is.x, want, n * sizeof *want);
    assert_int_equal(changes(&t, place, "rms").n, n);
    trained_close(&t);
}

static void measured_steps(void **state)
{
    (void)state;
    check_steps("task=lm1b steps=6", "decoder.0", 4,
                (const double[]){1, 2, 4, 6});
    check_steps("task=lm1b steps=8 evals=2", "decoder.0", 4,
                (const double[]){1, 2, 4, 8});
    check_steps("task=agnews steps=1", "encoder.0", 1, (const double[]){1});
    check_steps("steps=3", "cross.0", 3, (const double[]){1, 2, 3});
    int all = 0;
    for (uint64_t s = 1; s < 1 << 20; s++)
        all += changes_due(s, 100000000);
    assert_int_equal(all, 20);
    assert_true(changes_due(100000000, 100000000));
}

/* The first step changes every element of R by the learning rate, except row 0
 * of a causal layer, which sees a single key. So 135 of the 136 visible logits
 * of 16 rows change. */
static void first_move(void **state)
{
    const double all = sqrt(135.0 / 136);
    const struct { const char *words, *place; double want; } cell[] = {
        {"task=lm1b variant=random", "decoder.0", 0.01 * all},
        {"task=lm1b variant=random score_rate=3", "decoder.0", 0.03 * all},
        {"task=lm1b variant=mixer", "decoder.0", 0.01},
        {"task=lm1b variant=lightweight-conv", "decoder.0", 0.01},
        {"task=lm1b variant=fixed-random", "decoder.0", 0},
        {"task=agnews variant=uniform", "encoder.0", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++) {
        struct trained t;

        trained_open(&t, cell[i].words);
        double is = changes(&t, cell[i].place, "rms").x[0];
        if (!(fabs(is - cell[i].want) <= 1e-3 * cell[i].want))
            fail_msg("%s: %g, not %g", cell[i].words, is, cell[i].want);
        trained_close(&t);
    }
}

/* Returns logits: row r, column j has 100 r + j. */
static real *made(size_t rows, size_t m)
{
    real *x = malloc(rows * m * sizeof *x);

    for (size_t i = 0; i < rows * m; i++)
        x[i] = (real)(100 * (i / m) + i % m);
    return x;
}

static void kept_are(const struct attend *a, enum tape_place place, size_t n,
                     const double *want)
{
    size_t b = a->shared ? 1 : (size_t)a->b;
    real *x = made((size_t)a->h * b * (size_t)a->n, (size_t)a->m);
    struct logits l = {0};

    logits_keep(&l, place, 2, a, x);
    const struct kept *k = &l.place[place][2];
    assert_int_equal(k->n, n);
    for (size_t i = 0; i < n; i++)
        assert_true((double)k->x[i] == want[i]);
    logits_free(&l);
    free(x);
}

static void visible_logits(void **state)
{
    static const int length[] = {2, 1};
    const struct attend plain = {.h = 1, .b = 2, .n = 2, .m = 2},
                        causal = {.h = 2, .b = 1, .n = 2, .m = 2, .causal = 1},
                        shared = {.h = 2, .b = 2, .n = 2, .m = 2, .shared = 1},
                        both = {.h = 2, .b = 2, .n = 2, .m = 2, .shared = 1,
                                .length = length},
                        padded = {.h = 1, .b = 2, .n = 2, .m = 2,
                                  .length = length};

    (void)state;
    kept_are(&plain, TAPE_ENCODER, 8,
             (const double[]){0, 1, 100, 101, 200, 201, 300, 301});
    kept_are(&causal, TAPE_DECODER, 6,
             (const double[]){0, 100, 101, 200, 300, 301});
    kept_are(&shared, TAPE_ENCODER, 8,
             (const double[]){0, 1, 100, 101, 200, 201, 300, 301});
    kept_are(&both, TAPE_ENCODER, 10,
             (const double[]){0, 1, 100, 101, 0, 200, 201, 300, 301, 200});
    kept_are(&padded, TAPE_ENCODER, 5, (const double[]){0, 1, 100, 101, 200});
    kept_are(&padded, TAPE_CROSS, 6, /* queries are not limited by `length` */
             (const double[]){0, 1, 100, 101, 200, 300});
}

/* If there are many rows, about WATCH_LOGITS / m + 1 of them are sampled. The
 * gaps between sampled rows are less than 400 rows, and the mean of the row
 * numbers is near the middle. */
static void many_logits(void **state)
{
    const struct attend a = {.h = 4, .b = 1, .n = 4096, .m = 64};
    real *x = made(4 * 4096, 64);
    struct logits l = {0};
    double sum = 0, last = 0;

    (void)state;
    logits_keep(&l, TAPE_ENCODER, 0, &a, x);
    const struct kept *k = &l.place[TAPE_ENCODER][0];
    double rows = (double)k->n / 64;
    assert_true(fabs(rows - (WATCH_LOGITS / 64 + 1)) < 20);
    for (size_t i = 0; i < k->n; i += 64) {
        double row = (double)k->x[i] / 100;

        assert_true(row - last < 400);
        sum += (last = row) / rows;
    }
    assert_true(fabs(sum - 8192) < 300);
    logits_free(&l);
    free(x);
}

/* If four logits change by 0, 3, 4 and 0, the root mean square is 2.5. */
static void root_mean_square(void **state)
{
    real a[] = {1, 2, 3, 4}, b[] = {1, 5, -1, 4};
    struct logits from = {0}, to = {0};
    static struct logit_changes m;
    double x;

    (void)state;
    from.place[TAPE_CROSS][1] = (struct kept){.x = a, .n = 4};
    to.place[TAPE_CROSS][1] = (struct kept){.x = b, .n = 4};
    changes_add(&m, 8, &from, &to);
    assert_true(m.rms[TAPE_CROSS][1][0] == 2.5);
    assert_true(m.n == 1 && m.step[0] == 8);
    assert_true(m.logits[TAPE_CROSS][1] == 4 && !m.logits[TAPE_CROSS][0]);
    assert_int_equal(changes_fault(&m, &x), 0);
    b[2] = INFINITY;
    changes_add(&m, 9, &from, &to);
    changes_add(&m, 16, &from, &to);
    assert_int_equal(changes_fault(&m, &x), 9);
    assert_true(isinf(x));
}

/* A cell keeps the statistics of the first layers of a deep model. */
static void deep_models(void **state)
{
    struct trained t;
    double *x;
    size_t n;

    (void)state;
    trained_open(&t, "task=lm1b layers=65 d=4 ff=4 heads=1 N=8 batch=4 "
                     "steps=2 evals=1 train=16 valid=7 test=5");
    assert_int_equal(changes(&t, "decoder.63", "rms").n, 2);
    struct reals bins = trained_reals(&t,
                                      "attention/end/decoder.63/histogram");
    assert_int_equal(bins.n, WATCH_BINS);
    assert_int_equal(cell_get_array(t.r, "attention/moves/decoder.64/rms", &x,
                                    &n), ERR_EMPTY);
    assert_int_equal(cell_get_array(t.r, "attention/end/decoder.64/histogram",
                                    &x, &n), ERR_EMPTY);
    trained_close(&t);
}

static double entropy_of(const char *words)
{
    struct trained t;

    trained_open(&t, words);
    double x = trained_real(&t, "attention/start/encoder.0@entropy_nats");
    trained_close(&t);
    return x;
}

static void examples(void **state)
{
    double all = entropy_of("task=agnews");

    (void)state;
    assert_true(entropy_of("task=agnews test=12") == all);
    assert_true(entropy_of("task=agnews valid=12") != all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the histogram and the entropy are of the visible weights of a row",
         causal, trained_setup, trained_teardown, NULL},
        {"attention statistics are of validation examples only", examples,
         trained_setup, trained_teardown, NULL},
        {"of a deep model, the first 64 layers are kept", deep_models,
         trained_setup, trained_teardown, NULL},
        {"logits are measured at steps 1, 2, 4, ... and at the last step",
         measured_steps, trained_setup, trained_teardown, NULL},
        {"the first step changes logits by the learning rate of the variant",
         first_move, trained_setup, trained_teardown, NULL},
        {"visible logits of tokens are kept, those of padding are not",
         visible_logits, NULL, NULL, NULL},
        {"of many rows, some at equal distances are kept", many_logits, NULL,
         NULL, NULL},
        {"the change of logits is a root mean square", root_mean_square, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
