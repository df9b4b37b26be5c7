/* `verify science`: its verdicts on made-up losses, and on cells with an
 * injected leak. */
#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/tasks/task.h"
#include "harness/train/evaluate.h"
#include "harness/train/train.h"
#include "harness/verify/science/science.h"
#include "tests/support/faults.h"
#include "tests/support/select_variants.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- made-up cells ---- */

enum { N = 400, CELLS = 200 };

struct made {
    struct config      config;
    struct mix         mix;
    double             nll[N], own[N], tokens[N], hits[N];
};

static struct made cell[CELLS];
static struct science_run run[CELLS];

/* Makes the losses of cell i, one token per example: own + `above` + noise. The
 * noise has unit deviation times `noise`; the losses have exactly the mean own
 * + `above`. */
static void make(int i, const char *task, const char *variant, double above,
                 double noise)
{
    struct rng_key key = {1, RNG_TEST, (uint32_t)i, 77};
    struct made *m = &cell[i];
    double mean = 0, square = 0;

    *m = (struct made){.config = {.seed = 1, .lr_scale = 1, .length = 10,
                                  .vocab = 19, .model = {.rank = 8, .N = 10}},
                       .mix = named_mix(variant)};
    snprintf(m->config.variant, sizeof m->config.variant, "%s", variant);
    run[i] = (struct science_run){&m->config, &m->mix, NULL, N,     m->nll,
                                  m->own,     m->tokens, m->hits, 1};
    assert_int_equal(task_find(&run[i].task, task), OK);
    for (int k = 0; k < N; k++) {
        m->nll[k] = rng_normal(key, (uint64_t)k);
        mean += m->nll[k] / N;
    }
    for (int k = 0; k < N; k++)
        square += pow(m->nll[k] - mean, 2) / (N - 1);
    for (int k = 0; k < N; k++) {
        m->tokens[k] = 1;
        m->own[k] = 2 + rng_uniform(key, (uint64_t)(N + k));
        m->nll[k] = m->own[k] + above +
                    noise * (m->nll[k] - mean) / sqrt(square);
    }
}

static const struct science_row *find(const struct science_row *row, int rows,
                                      const char *task, const char *variant,
                                      enum science_property property)
{
    for (int i = 0; i < rows; i++)
        if (row[i].property == property &&
            !strcmp(row[i].first->task->name, task) &&
            !strcmp(row[i].first->config->variant, variant))
            return &row[i];
    return NULL;
}

/* Returns the verdict on one row of the first n cells, or -1 if there is no
 * such row. */
static int verdict(int n, const char *task, const char *variant,
                   enum science_property property)
{
    int rows;
    struct science_row *row = science_judge(run, n, &rows);
    const struct science_row *r = find(row, rows, task, variant, property);
    int v = r ? (int)r->verdict : -1;

    free(row);
    return v;
}

/* A loss below the floor by more than 3 standard errors is reported. With noise
 * 1 and 400 examples, these are 3 * 1 / sqrt(400) = 0.15. */
static void below(void **state)
{
    (void)state;
    make(0, "gen_lag", "random", -0.149, 1);
    assert_int_equal(verdict(1, "gen_lag", "random", SCIENCE_FLOOR),
                     VERDICT_PASS);
    make(0, "gen_lag", "random", -0.151, 1);
    assert_int_equal(verdict(1, "gen_lag", "random", SCIENCE_FLOOR),
                     VERDICT_FAIL);
    /* paired: variation between examples does not matter */
    make(0, "gen_lag", "random", -0.002, 0.01);
    assert_int_equal(verdict(1, "gen_lag", "random", SCIENCE_FLOOR),
                     VERDICT_FAIL);
    /* rounding of losses that are 0 is not a leak */
    make(0, "gen_copy", "random", -1e-8, 1e-9);
    assert_int_equal(verdict(1, "gen_copy", "random", SCIENCE_FLOOR),
                     VERDICT_PASS);
    make(0, "gen_copy", "random", 0, 0);
    assert_int_equal(verdict(1, "gen_copy", "random", SCIENCE_FLOOR),
                     VERDICT_PASS);
    make(0, "gen_copy", "random", NAN, 0);
    assert_int_equal(verdict(1, "gen_copy", "random", SCIENCE_FLOOR),
                     VERDICT_FAIL);
}

/* Among 200 cells, a deviation of 3.2 standard errors is random, one of 6 is
 * not. */
static void many(void **state)
{
    (void)state;
    for (int i = 0; i < CELLS; i++) {
        make(i, "gen_lag", "random", 0, 1);
        cell[i].config.seed = (uint64_t)i;
    }
    make(7, "gen_bigram", "dense", -0.16, 1);
    assert_int_equal(verdict(CELLS, "gen_bigram", "dense", SCIENCE_FLOOR),
                     VERDICT_PASS);
    make(7, "gen_bigram", "dense", -0.3, 1);
    assert_int_equal(verdict(CELLS, "gen_bigram", "dense", SCIENCE_FLOOR),
                     VERDICT_FAIL);
    assert_int_equal(verdict(CELLS, "gen_lag", "random", SCIENCE_FLOOR),
                     VERDICT_PASS);
    /* one of many seeds is enough */
    make(7, "gen_lag", "random", -0.3, 1);
    cell[7].config.seed = 7;
    int rows;
    struct science_row *row = science_judge(run, CELLS, &rows);
    const struct science_row *r = find(row, rows, "gen_lag", "random",
                                       SCIENCE_FLOOR);
    assert_int_equal(r->verdict, VERDICT_FAIL);
    assert_string_equal(r->remark, "seed 7");
    assert_true(fabs(r->measured - r->exact + 0.3) < 1e-9);
    assert_true(fabs(r->bound - r->exact + 0.15) < 1e-9);
    free(row);
}

/* Makes three seeds for each of two learning rates, with these losses above the
 * floor and these validation losses. */
static void six(const double above[6], const double valid[2])
{
    for (int i = 0; i < 6; i++) {
        make(i, "gen_lag", "random", above[i], 0.1);
        cell[i].config.seed = (uint64_t)i + 1;
        cell[i].config.lr_scale = i < 3 ? 0.3 : 1;
        run[i].valid = valid[i / 3];
    }
}

static void reached(void **state)
{
    (void)state;
    six((double[]){0.01, 0.02, 0.03, 2, 2, 2}, (double[]){1, 2});
    assert_int_equal(verdict(6, "gen_lag", "random", SCIENCE_REACH),
                     VERDICT_PASS);
    /* the rate is chosen by validation, not by test */
    six((double[]){0.01, 0.02, 0.03, 2, 2, 2}, (double[]){2, 1});
    assert_int_equal(verdict(6, "gen_lag", "random", SCIENCE_REACH),
                     VERDICT_FAIL);
    /* a seed that did not learn is included */
    six((double[]){0.01, 0.02, 0.4, 2, 2, 2}, (double[]){1, 2});
    assert_int_equal(verdict(6, "gen_lag", "random", SCIENCE_REACH),
                     VERDICT_FAIL);
}

/* A seed that diverged is included, too, unless the other rate was better
 * anyway. */
static void diverged(void **state)
{
    (void)state;
    six((double[]){0.01, 0.02, 0.03, 0.01, 0.01, 0.01}, (double[]){1, 2});
    run[1].n = 0;
    assert_int_equal(verdict(6, "gen_lag", "random", SCIENCE_REACH),
                     VERDICT_PASS);
    run[4].n = 0;
    assert_int_equal(verdict(6, "gen_lag", "random", SCIENCE_REACH),
                     VERDICT_FAIL);
    assert_int_equal(verdict(6, "gen_lag", "random", SCIENCE_FLOOR),
                     VERDICT_PASS);
    for (int i = 0; i < 6; i++)
        run[i].n = 0;
    assert_int_equal(verdict(6, "gen_lag", "random", SCIENCE_REACH),
                     VERDICT_FAIL);
    assert_int_equal(verdict(6, "gen_lag", "random", SCIENCE_FLOOR),
                     VERDICT_NONE);
}

static void claims(void **state)
{
    (void)state;
    make(0, "gen_lag", "uniform", 1, 0.1);
    assert_int_equal(verdict(1, "gen_lag", "uniform", SCIENCE_REACH),
                     VERDICT_NONE);
    make(0, "gen_recall", "random+vanilla", 1, 0.1);
    assert_int_equal(verdict(1, "gen_recall", "random+vanilla", SCIENCE_REACH),
                     VERDICT_FAIL);
    make(0, "gen_recall", "dense", 1, 0.1);
    assert_int_equal(verdict(1, "gen_recall", "dense", SCIENCE_REACH),
                     VERDICT_NONE);
    make(0, "gen_lag", "fixed-random", 1, 0.1); /* "random" does not match */
    assert_int_equal(verdict(1, "gen_lag", "fixed-random", SCIENCE_REACH),
                     VERDICT_NONE);
    make(0, "gen_lag", "factorized-random", 1, 0.1);
    assert_int_equal(verdict(1, "gen_lag", "factorized-random", SCIENCE_REACH),
                     VERDICT_FAIL);
    cell[0].config.model.rank = 1;
    assert_int_equal(verdict(1, "gen_lag", "factorized-random", SCIENCE_REACH),
                     VERDICT_NONE);
    make(0, "gen_bigram", "linformer", 1, 0.1); /* matches "*" */
    assert_int_equal(verdict(1, "gen_bigram", "linformer", SCIENCE_REACH),
                     VERDICT_FAIL);
}

/* Theory says which variants reach the entropy floor, and which the bound of
 * probes. */
static void theory(void **state)
{
    static const struct {
        const char *task, *who;
        enum science_property property;
    } want[] = {
        {"gen_recall", " vanilla ", SCIENCE_REACH},
        {"gen_pointer", " vanilla dense dense-literal factorized-dense ",
         SCIENCE_REACH},
        {"gen_lag", " vanilla dense dense-literal factorized-dense random "
         "factorized-random ", SCIENCE_REACH},
        {"gen_pointer", " random factorized-random uniform ", SCIENCE_OPTIMUM}};

    (void)state;
    for (int k = 0; k < 4; k++)
        for (int i = 0; variant_all[i]; i++) {
            const char *name = variant_all[i]->name;
            char word[64];

            make(0, want[k].task, name, 1, 0.1);
            cell[0].config.model.probe = want[k].property == SCIENCE_OPTIMUM;
            snprintf(word, sizeof word, " %s ", name);
            int v = verdict(1, want[k].task, name, want[k].property);
            assert_int_equal(v >= 0 && v != VERDICT_NONE,
                             strstr(want[k].who, word) != NULL);
        }
}

/* The input-blind bound of gen_pointer with 8 symbols is 32.4 % and 1.69 nats;
 * the true distribution has a loss of 0. */
static void blind(void **state)
{
    static const char *const who[] = {"vanilla", "dense", "random",
                                      "fixed-random", "random+vanilla"};

    (void)state;
    for (int i = 0; i < 5; i++) {
        int knows = i < 2 || i == 4;

        make(0, "gen_pointer", who[i], -0.5, 0.1);
        memset(cell[0].own, 0, sizeof cell[0].own);
        for (int k = 0; k < N; k++)
            cell[0].hits[k] = k % 2;
        assert_int_equal(verdict(1, "gen_pointer", who[i], SCIENCE_BLIND), -1);
        cell[0].config.model.probe = 1;
        assert_int_equal(verdict(1, "gen_pointer", who[i], SCIENCE_ACCURACY),
                         knows ? -1 : VERDICT_FAIL);
        assert_int_equal(verdict(1, "gen_pointer", who[i], SCIENCE_BLIND),
                         knows ? -1 : VERDICT_PASS);
        for (int k = 0; k < N; k++) {
            cell[0].nll[k] -= 1;
            cell[0].hits[k] = k % 3 == 0;
        }
        assert_int_equal(verdict(1, "gen_pointer", who[i], SCIENCE_ACCURACY),
                         knows ? -1 : VERDICT_PASS);
        assert_int_equal(verdict(1, "gen_pointer", who[i], SCIENCE_BLIND),
                         knows ? -1 : VERDICT_FAIL);
    }
}

/* ---- a leak ---- */

static void plain(struct backend *be) { (void)be; }

static void (*fault(const char *sentence))(struct backend *be)
{
    for (const struct fault *f = fault_kernels; f->sentence; f++)
        if (!strcmp(f->sentence, sentence))
            return f->kernel;
    fail_msg("no fault '%s'", sentence);
    return plain;
}

static double *doubles(struct arena *a, const int *x, int n)
{
    double *y = arena_take(a, (size_t)n * sizeof *y);

    for (int i = 0; i < n; i++)
        y[i] = x[i];
    return y;
}

/* Trains a small language model with these kernels. Returns the row that
 * compares it with its floor. */
static struct science_row train(const char *name,
                                void (*plant)(struct backend *be))
{
    static const char variant[] = "random";
    struct config c = {
        .seed = 1, .length = 12, .vocab = 11, .train = 16 * 250, .valid = 1,
        .test = N, .batch = 16, .shards = 1, .lanes = 1, .threads = 1,
        .optimizer = {.b1 = 0.9, .b2 = 0.997, .eps = 1e-9, .score_rate = 1},
        .schedule = "constant", .lr_scale = 1e-2, .warmup = 1,
        .model = {.family = FAMILY_LM, .layers = 1, .d = 16, .heads = 2,
                  .ff = 32, .N = 12, .rank = 2, .dot_scale = 1, .r_scale = 1,
                  .norm_eps = 1e-6, .ffn_bias = 1, .embed_scale = 1}};
    struct task_opts o = train_data(&c, NULL, NULL);
    struct backend be = backend_cpu;
    struct mix mix = named_mix(variant);
    struct arena *a = arena_new();
    struct science_run one = {.config = &c, .mix = &mix, .n = N, .valid = 1};
    struct dataset d;
    struct scores s;
    struct trainer t;
    int rows;

    plant(&be);
    snprintf(c.variant, sizeof c.variant, "%s", variant);
    assert_int_equal(task_find(&one.task, name), OK);
    assert_int_equal(task_open(&d, one.task, &o), OK);
    c.model.vocab = d.vocab;
    trainer_open(&t, &c, &mix, &be);
    for (uint64_t step = 0; step < 250; step++) {
        struct batch b;

        batch_train(&b, &d, c.seed, c.batch, step, a);
        assert_true(isfinite(trainer_step(&t, &b, step)));
    }
    evaluate(&s, &t, &d, SPLIT_TEST, a, NULL);
    one.nll = s.nll;
    one.own = d.split[SPLIT_TEST].own_nll;
    one.tokens = doubles(a, s.tokens, N);
    one.hits = doubles(a, s.hits, N);
    struct science_row *row = science_judge(&one, 1, &rows), first = row[0];
    assert_int_equal(first.property, SCIENCE_FLOOR);
    assert_string_equal(first.first->task->name, name);
    free(row);
    trainer_close(&t);
    dataset_close(&d);
    arena_free(a);
    return first;
}

static void leak(void **state)
{
    static const char *const task[] = {"gen_lag", "gen_bigram"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct science_row sound = train(task[i], plain);
        struct science_row leaky = train(task[i],
                                         fault("the causal mask is off"));

        assert_int_equal(sound.verdict, VERDICT_PASS);
        assert_true(sound.measured > sound.exact);
        assert_int_equal(leaky.verdict, VERDICT_FAIL);
        assert_true(leaky.measured < leaky.bound && leaky.p < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"three standard errors below the floor are a failure", below, NULL,
         NULL, NULL},
        {"many cells are read together", many, NULL, NULL, NULL},
        {"the better rate's seeds must reach the floor in the mean", reached,
         NULL, NULL, NULL},
        {"a cell that diverged counts", diverged, NULL, NULL, NULL},
        {"only what theory claims is judged", claims, NULL, NULL, NULL},
        {"theory claims of a variant what its traits say", theory, NULL, NULL,
         NULL},
        {"probes whose weights see no token have bounds of their own", blind,
         NULL, NULL, NULL},
        {"a causal mask that leaks falls below the floor, and is named", leak,
         NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("science", tests, NULL, NULL);
}
