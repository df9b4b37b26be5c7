/* The stored attention of one sentence, where it is known: the uniform weights,
 * and the scores R of random, which are trained parameters. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/nn/params.h"
#include "tests/support/small_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct reals list(struct trained *t, const char *place, const char *name)
{
    char *path = str_format("attention/sentence/%s/%s", place, name);
    struct reals out = trained_reals(t, path);

    free(path);
    return out;
}

static size_t count(struct trained *t, const char *place, const char *name)
{
    char *path = str_format("attention/sentence/%s@%s", place, name);
    double x = trained_real(t, path);

    free(path);
    return (size_t)x;
}

static struct texts tokens(struct trained *t, const char *place)
{
    char *path = str_format("attention/sentence/%s/tokens", place);
    struct texts out = trained_texts(t, path);

    free(path);
    return out;
}

/* Row i of a causal uniform layer has i + 1 weights 1 / (i + 1). */
static void causal(void **state)
{
    struct trained t;

    (void)state;
    trained_open(&t, "task=lm1b variant=uniform");
    struct reals is = list(&t, "decoder.0", "end");
    assert_int_equal(count(&t, "decoder.0", "heads"), 2);
    assert_int_equal(count(&t, "decoder.0", "rows"), 16);
    assert_int_equal(count(&t, "decoder.0", "keys"), 16);
    assert_int_equal(is.n, 2 * 16 * 16);
    for (size_t i = 0; i < is.n; i++) {
        size_t row = i / 16 % 16, key = i % 16;
        double want = key <= row ? 1.0 / (double)(row + 1) : 0;

        assert_true(fabs(is.x[i] - want) < 1e-6);
    }
    trained_close(&t);
}

/* If a text is shorter than its padded row, only its tokens are stored; they
 * attend only to each other. */
static void no_padding(void **state)
{
    struct trained t;

    (void)state;
    trained_open(&t, "task=agnews variant=dense");
    struct reals is = list(&t, "encoder.0", "end");
    size_t n = count(&t, "encoder.0", "rows");
    struct texts text = tokens(&t, "encoder.0");

    assert_int_equal(text.n, n);
    assert_string_equal(text.x[n - 1], "</s>");
    assert_int_equal(is.n, 2 * n * n);
    for (size_t i = 0; i < 2 * n; i++) {
        double sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += is.x[i * n + j];
        assert_true(fabs(sum - 1) < 1e-5);
    }
    trained_close(&t);
}

/* The inputs of a decoder are the start id and the target without its last
 * id. */
static void inputs(void **state)
{
    struct trained t;
    struct byhand h;

    (void)state;
    trained_open(&t, "task=lm1b");
    byhand_open(&h, &t, NULL);
    const struct example *e =
        &h.d.split[SPLIT_VALID].row[h.last.sentence.example];
    struct texts text = tokens(&t, "decoder.0");
    assert_string_equal(text.x[0], "</s>");
    for (size_t i = 1; i < text.n; i++) {
        int id = e->target[i - 1];

        assert_string_equal(text.x[i], id == ID_EOS ? "</s>" : dataset_text(
                                &h.d, &id, 1, h.memory));
    }
    byhand_close(&h);
    trained_close(&t);
}

/* R is stored for both times, before and after training. Scores that depend on
 * the input are not stored. */
static void learned(void **state)
{
    struct trained t;
    struct byhand h;
    double moved = 0;

    (void)state;
    trained_open(&t, "variant=random N=24");
    byhand_open(&h, &t, NULL);
    struct reals start = list(&t, "encoder.0", "scores_start");
    struct reals end = list(&t, "encoder.0", "scores_end");
    size_t n = count(&t, "encoder.0", "scores_rows");
    const struct param *p = params_find(&h.t.params, "encoder.0.self.random.R");
    assert_int_equal(end.n, 2 * n * n);
    for (size_t i = 0; i < end.n; i++) {
        size_t at = i / (n * n) * 24 * 24 + i / n % n * 24 + i % n;

        assert_true(end.x[i] == (double)p->value->x[at]);
        moved = fmax(moved, fabs(end.x[i] - start.x[i]));
    }
    assert_true(moved > 0);
    byhand_close(&h);
    trained_close(&t);
}

static void followed(void **state)
{
    double *x;
    size_t n;
    struct trained t;

    (void)state;
    trained_open(&t, "variant=random+dense");
    assert_int_equal(cell_get_array(t.r, "attention/sentence/encoder.0/"
                                    "scores_end", &x, &n), ERR_EMPTY);
    trained_close(&t);
}

int main(void)
{
#define SENTENCE_TEST(name, fn)                                               \
    {name, fn, trained_setup, trained_teardown, NULL}
    const struct CMUnitTest tests[] = {
        SENTENCE_TEST("each row has its weights over the visible tokens",
                      causal),
        SENTENCE_TEST("padding has no weights and receives none", no_padding),
        SENTENCE_TEST("the tokens of a decoder are its inputs", inputs),
        SENTENCE_TEST("the scores of random are R, before and after training",
                      learned),
        SENTENCE_TEST("scores that depend on the input are not stored",
                      followed),
    };

    return cmocka_run_group_tests_name("sentence", tests, NULL, NULL);
}
