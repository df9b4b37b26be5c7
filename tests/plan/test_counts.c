/* Checks the numbers of parameters and the costs of models, which are computed
 * before any weight exists. */
#include "harness/data/buckets.h"
#include "harness/base/err.h"
#include "harness/plan/table1.h"
#include "harness/print/sheet.h"
#include "tests/support/small_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct plan *full(const char *experiment, const char *mix)
{
    struct assign a = {"mix", mix, "-S"};
    struct plan_of of = {.experiment = experiment,
                         .choice = {.scale = "full",
                                    .set = {mix != NULL, &a}}};
    struct plan *p;

    assert_int_equal(plan_open(&p, &of), OK);
    return p;
}

static struct count counted(const struct plan *p, const char *task,
                            const char *variant)
{
    struct published *published;
    struct count k = {.cell = NULL};

    assert_int_equal(published_open(&published), OK);
    for (int i = 0; i < p->n; i++)
        if (!strcmp(p->cell[i].config.task, task) &&
            !strcmp(p->cell[i].config.variant, variant))
            count_cell(&k, &p->cell[i], published);
    assert_non_null(k.cell);
    published_close(published);
    return k;
}

/* The exact numbers of parameters of T5-base: with the heads of the released
 * code, and with equal heads for all variants. */
static void digits(void **state)
{
    static const struct { const char *variant; double code, equal; } want[] = {
        {"vanilla", 222903552, 222903552},
        {"dense-mtf", 224476160, 209534208},
        {"dense-mtf+vanilla", 243350528, 223689984},
        {"random", 254360576, 270089472},
        {"random+vanilla", 292109312, 298401024},
        {"factorized-random-mtf", 207174656, 199310592},
        {"dynamic-conv-mtf", 256977408, 256977408},
        {"lightweight-conv-mtf", 223947264, 223947264}};
    struct plan *p = full("table4", NULL), *s = full("table4", "sigmoid");

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct count k = counted(p, "c4", want[i].variant);
        struct count scalars = counted(s, "c4", want[i].variant);
        int mixture = strchr(want[i].variant, '+') != NULL;

        assert_true(k.code == want[i].code);
        assert_true(k.equal == want[i].equal);
        assert_true(scalars.code == k.code + (mixture ? 24 : 0));
        assert_true(count_residual(k.code, &k.claim) == 0);
    }
    plan_close(p);
    plan_close(s);
}

/* In all models, the counts follow from L = 12 self-attention layers, and h N^2
 * = 2 d^2 at this shape. */
static void identities(void **state)
{
    struct plan *p = full("quick", NULL);
    double fixed = counted(p, "wmt14_ende", "fixed-random").equal;
    double random = counted(p, "wmt14_ende", "random").equal;
    double vanilla = counted(p, "wmt14_ende", "vanilla").equal;
    double factored = counted(p, "wmt14_ende", "factorized-random").equal;
    double both = counted(p, "wmt14_ende", "random+vanilla").equal;

    (void)state;
    assert_true(random - fixed == 12.0 * 8 * 256 * 256);
    assert_true(vanilla - fixed == 12.0 * 2 * 512 * 512);
    assert_true(factored - fixed == 12.0 * 2 * 8 * 256 * 8);
    assert_true(both - vanilla == random - fixed + 12 * 2);
    assert_true(counted(p, "lm1b", "vanilla").equal == 52457472);
    plan_close(p);
}

static const struct table1_row *row(const struct table1 *t, const char *name)
{
    int i = 0;

    while (strcmp(t->row[i].variant->name, name))
        i++;
    return &t->row[i];
}

static void is(struct break_even b, enum cheaper when, int n)
{
    assert_int_equal(b.when, when);
    assert_int_equal(b.n, n);
}

static void layers(void **state)
{
    const double d = 512, n = 256;
    struct assigns none = {0, NULL};
    struct table1 *t;

    (void)state;
    assert_int_equal(table1_fill(&t, &none), OK);
    const struct table1_row *vanilla = row(t, "vanilla");
    const struct table1_row *random = row(t, "random");
    assert_true(vanilla->cost.params == 2 * d * d);
    assert_true(vanilla->cost.scores == 4 * n * d * d + 2 * n * n * d);
    assert_true(vanilla->cost.mixing == 2 * n * n * d);
    is(vanilla->params, CHEAPER_NEVER, 0);
    assert_true(random->cost.params == 8 * n * n);
    assert_true(random->cost.scores == 0);
    is(random->params, CHEAPER_BELOW, 256); /* d sqrt(2 / h) */
    is(random->flops, CHEAPER_ALWAYS, 0);
    const struct table1_row *f = row(t, "factorized-random");
    assert_true(f->cost.params == 2 * 8 * n * 8);
    assert_true(f->cost.scores == 2 * 8 * n * n * 8);
    is(f->params, CHEAPER_BELOW, 4096);
    const struct table1_row *dense = row(t, "dense");
    assert_true(dense->cost.params == 8 * (64 * 64 + 64 * n + 64 + n));
    assert_true(dense->cost.scores == 2 * n * 8 * (64 * 64 + 64 * n));
    is(row(t, "factorized-dense")->params, CHEAPER_BELOW, 1009);
    is(row(t, "orthogonal")->flops, CHEAPER_NEVER, 0);
    const struct table1_row *conv = row(t, "lightweight-conv");
    assert_true(conv->cost.params == 2 * d * d + 2 * d + 8 * 7);
    assert_true(conv->cost.mixing == 2 * n * (2 * d * d + 7 * d));
    assert_true(isnan(row(t, "linformer")->cost.scores));
    table1_close(t);
}

/* Random has fewer parameters than vanilla if N < d sqrt(2 / h), which is 313.5
 * for T5's d = 768 and h = 12. */
static void other_shapes(void **state)
{
    struct assign a[] = {{"d", "768", "-S"}, {"heads", "12", "-S"}};
    struct assign axis = {"variant", "random", "-S"};
    struct assign odd = {"heads", "7", "-S"};
    struct table1 *t;

    (void)state;
    assert_int_equal(table1_fill(&t, &(struct assigns){2, a}), OK);
    is(row(t, "random")->params, CHEAPER_BELOW, 314);
    table1_close(t);
    assert_int_equal(table1_fill(&t, &(struct assigns){1, &axis}), ERR_USAGE);
    assert_int_equal(table1_fill(&t, &(struct assigns){1, &odd}), ERR_USAGE);
}

/* Seven rows of the translation column are consistent with one vocabulary size.
 * The other two are consistent with none; they contradict the sum of the
 * counts. */
static void columns(void **state)
{
    static const char *const cannot[] = {"random+dense", "dense+vanilla"};
    struct assigns none = {0, NULL};
    struct table1 *t;
    int found = 0;

    (void)state;
    assert_int_equal(table1_fill(&t, &none), OK);
    const struct table1_column *c = &t->column[0];
    assert_int_equal(c->n, 9);
    assert_int_equal(c->matches, 7);
    assert_true(c->fit.low == 44313 && c->fit.high == 44318);
    for (int i = 0; i < c->n; i++)
        if (c->row[i].cannot)
            assert_string_equal(c->row[i].cell->config.variant,
                                cannot[found++]);
    assert_int_equal(found, 2);
    assert_int_equal(t->column[1].matches, 2);
    c = &t->column[2];
    for (int i = 0; i < c->n; i++)
        assert_true(count_residual(c->row[i].code, &c->row[i].claim) == 0);
    assert_int_equal(c->n, 8);
    assert_string_equal(c->row[5].claim.source, "Narang et al. 2021");
    table1_close(t);
}

/* ---- a step ---- */

static struct cost of_step(const char *words, struct config *c)
{
    struct trained t;
    struct cost cost;

    trained_resolve(&t, words);
    settings_expect(&t.c);
    train_cost(&t.c, &t.mix, t.task, NULL, &cost);
    *c = t.c;
    arena_free(t.memory);
    return cost;
}

/* Returns the FLOPs of a layer with n tokens: four d x d maps, scores, mixing,
 * and two maps to and from the inner width. A multiply-add counts as 2. */
static double layer_by_hand(const struct config *c, double n)
{
    double d = c->model.d;

    return 2 * n * (4 * d * d + 2 * n * d + 2 * d * c->model.ff);
}

/* Returns the FLOPs of cross-attention from m tokens to n. */
static double cross_by_hand(const struct config *c, double m, double n)
{
    double d = c->model.d;

    return 2 * (2 * m * d * d + 2 * n * d * d + 2 * m * n * d);
}

/* In the backward pass, each matrix product adds two products. Nothing else is
 * counted. */
static void steps(void **state)
{
    struct config c;
    double cost, hand, n = 16;

    (void)state;
    cost = of_step("task=lm1b layers=3 d=24 ff=40 vocab=56", &c).flops_per_step;
    hand = 3 * layer_by_hand(&c, n) + 2 * n * 24 * 56;
    assert_true(cost == 3 * 8 * hand);
    cost = of_step("layers=2 batch=6 vocab=48", &c).flops_per_step;
    hand = 2 * (2 * layer_by_hand(&c, n) + cross_by_hand(&c, n, n)) +
           2 * n * 16 * 48;
    assert_true(cost == 3 * 6 * hand);
}

/* If all examples have maximum length, the expected cost is the full cost. For
 * shorter ones, only the cost of attention falls faster than the length. */
static void shorter(void **state)
{
    struct lengths l = {16, 16, LENGTHS_PUBLISHED, "", {{0}}, NULL};
    const char *words = "layers=2 batch=6 shards=4 vocab=48";
    struct trained t;
    struct expected of;
    double n = 8;

    (void)state;
    trained_resolve(&t, words);
    settings_expect(&t.c);
    struct cost longest;
    train_cost(&t.c, &t.mix, t.task, NULL, &longest);
    train_expect(&of, &t.c, &t.mix, &l);
    assert_true(of.flops == longest.flops_per_step);
    assert_true(of.rows == 6 && of.ids == 6 * 32);
    l.source = l.target = 7.5;
    train_expect(&of, &t.c, &t.mix, &l);
    assert_true(of.flops == 3 * 6 *
                (2 * (2 * layer_by_hand(&t.c, n) + cross_by_hand(&t.c, n, n)) +
                 2 * n * 16 * 48));
    arena_free(t.memory);
}

/* If the lengths of prepared examples are known, the memory estimate depends on
 * them; the maximum number of operations per step does not. */
static void shorter_memory(void **state)
{
    static const int most[] = {16, 9, 8};
    struct cost longest, own, before = {0};
    struct trained t;
    double wide;

    (void)state;
    trained_resolve(&t, "layers=2 batch=6 shards=4 vocab=48 decode.beam=4");
    settings_expect(&t.c);
    train_cost(&t.c, &t.mix, t.task, NULL, &longest);
    for (int i = 0; i < 3; i++) { /* memory decreases with the length */
        struct lengths l = {.source = most[i]};

        for (int s = 0; s < SPLITS; s++)
            l.longest[s] = (struct longest){32, most[i], most[i]};
        train_cost(&t.c, &t.mix, t.task, &l, &own);
        assert_true(own.flops_per_step == longest.flops_per_step);
        assert_true(own.part.data < longest.part.data); /* 32 rows, not 64 */
        assert_true(i || (own.part.activations == longest.part.activations &&
                          own.part.products == longest.part.products));
        assert_true(!i || own.part.activations < before.part.activations);
        before = own;
    }
    wide = longest.part.activations;
    t.c.beam = 1; /* a beam encodes each sentence only once */
    train_cost(&t.c, &t.mix, t.task, NULL, &longest);
    assert_true(wide < 1.5 * longest.part.activations);
    /* cells of trials are not tested */
    snprintf(t.c.trial, sizeof t.c.trial, "score_rate=8");
    train_cost(&t.c, &t.mix, t.task, NULL, &own);
    assert_true(own.part.program < longest.part.program);
    assert_true(own.part.data == longest.part.data);
    arena_free(t.memory);
}

static void near(double is, double expected)
{
    assert_true(fabs(is - expected) < 1e-9 * expected);
}

static double example_by_hand(const struct config *c, double n)
{
    return 2 * (2 * layer_by_hand(c, n) + cross_by_hand(c, n, n)) +
           2 * n * 16 * 48;
}

/* By the rule of buckets.h, a batch of 64 tokens has 6 examples of length 8.
 * Their bucket has boundary 9, and 6 is the greatest divisor of W = 24 that is
 * at most 64 / 9. A batch of length 16 has 4 examples. With the numbers of
 * examples below, batches of 6 are three times as frequent as batches of 4. */
static void by_tokens(void **state)
{
    struct lengths_of of[BUCKETS] = {{0}};
    struct lengths l = {9, 8, LENGTHS_PREPARED, "", {{0}}, of};
    struct expected e;
    struct trained t;

    (void)state;
    trained_resolve(&t, "layers=2 vocab=48 batch=64 batch.by=tokens shards=1 "
                        "lanes=1");
    settings_expect(&t.c);
    of[1] = (struct lengths_of){18. / 22, 8, 8};
    of[8] = (struct lengths_of){4. / 22, 16, 16};
    train_expect(&e, &t.c, &t.mix, &l);
    near(e.rows, 0.75 * 6 + 0.25 * 4);
    near(e.ids, 0.75 * 6 * 16 + 0.25 * 4 * 32);
    near(e.flops, 3 * (0.75 * 6 * example_by_hand(&t.c, 8) +
                       0.25 * 4 * example_by_hand(&t.c, 16)));
    arena_free(t.memory);
}

/* A tap is one multiply-add per token and channel, and two more in the backward
 * pass. */
static void taps(void **state)
{
    static const char *const name[] = {"lightweight-conv", "dynamic-conv"};
    struct config c;
    char words[96];

    (void)state;
    for (int i = 0; i < 2; i++) {
        /* the taps of dynamic-conv are computed from the token, by a map from d
         * to K per head */
        double made = i == 1 ? 2 * 16 * 2 : 0, cost[2];

        for (int k = 0; k < 2; k++) {
            snprintf(words, sizeof words, "task=lm1b variant=%s conv_width=%d",
                     name[i], k ? 7 : 3);
            cost[k] = of_step(words, &c).flops_per_step;
        }
        assert_true(cost[1] - cost[0] ==
                    3 * 8 * 16 * (7 - 3) * (2 * 16 + made));
    }
}

/* The parts of the memory estimate. Numbers have 4 bytes (8 if real is
 * double). */
static void parts(void **state)
{
    struct config c;
    struct cost a = of_step("lanes=4 threads=2", &c);
    struct cost b = of_step("lanes=4 threads=4", &c);
    double n = a.params * sizeof(real);

    (void)state;
    assert_true(a.bytes == a.part.weights + a.part.gradients +
                               a.part.optimizer + a.part.activations +
                               a.part.data + a.part.products +
                               a.part.program);
    assert_true(a.part.weights == n);
    assert_true(a.part.gradients == 4 * n);
    assert_true(a.part.optimizer == 2 * n); /* Adam's two moments */
    assert_true(b.part.activations == 2 * a.part.activations);
    a = of_step("lanes=1 threads=4", &c); /* one lane, one thread */
    assert_true(b.part.activations == 4 * a.part.activations);
    a = of_step("variant=fixed-random", &c); /* 2 layers, 2 heads, N^2 */
    assert_true(a.part.weights ==
                (a.params + 2 * 2 * 16 * 16) * sizeof(real));
    assert_true(a.part.optimizer == 2 * a.params * sizeof(real));
}

static void printed(void **state)
{
    struct published_value millions = {.value = 67e6, .unit = 1e6};
    struct published_value tenths = {.value = 2.5e6, .unit = 1e5}, none = {0};
    char text[32];

    (void)state;
    assert_string_equal(grid_digits(222903552, text), "222,903,552");
    assert_string_equal(grid_digits(24, text), "24");
    assert_string_equal(count_printed(&millions, text), "67M");
    assert_string_equal(count_printed(&tenths, text), "2.5M");
    assert_true(count_residual(67499999, &millions) == 0);
    assert_true(count_residual(67500000, &millions) == 1e6);
    assert_true(isnan(count_residual(1, &none)));
    assert_string_equal(count_signed(-6e6, &millions, text), "-6M");
    assert_string_equal(count_signed(0, &millions, text), "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"T5-base has the released code's parameters, to the digit", digits,
         NULL, NULL, NULL},
        {"counts differ by what the formulas say", identities, NULL, NULL,
         NULL},
        {"a layer costs what its formula says", layers, NULL, NULL, NULL},
        {"break-even follows the shape", other_shapes, NULL, NULL, NULL},
        {"rows that no assumption matches are found", columns, NULL, NULL,
         NULL},
        {"a step's operations are those of its products, three times", steps,
         NULL, NULL, NULL},
        {"batches by tokens cost what their buckets do, by how many there are",
         by_tokens, NULL, NULL, NULL},
        {"examples known to be shorter take less memory", shorter_memory, NULL,
         NULL, NULL},
        {"shorter examples make a step of fewer operations", shorter, NULL,
         NULL, NULL},
        {"the operations of a convolution grow with its taps", taps, NULL,
         NULL, NULL},
        {"memory grows with lanes, threads, moments and frozen weights", parts,
         NULL, NULL, NULL},
        {"counts print like the published ones", printed, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
