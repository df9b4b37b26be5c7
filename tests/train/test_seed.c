/* Effects of the seed on training: it changes weights, masks and batches, each
 * separately. */
#include "harness/data/batch.h"
#include "tests/support/select_variants.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

/* Another seed changes the weights and, if the weights are equal, the masks. */
static void seeds(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY), other = c;
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t, o;
    struct batch b;

    (void)state;
    toy_open(TASK_CLASSIFY);
    other.seed++;
    trainer_open(&t, &c, &mix, NULL);
    trainer_open(&o, &other, &mix, NULL);
    assert_string_not_equal(toy_digest(&t).hex, toy_digest(&o).hex);
    memcpy(o.params.flat, t.params.flat, t.params.learned * sizeof(real));
    assert_string_equal(toy_digest(&t).hex, toy_digest(&o).hex);
    batch_train(&b, &toy, 1, c.batch, 0, a);
    assert_true(trainer_step(&t, &b, 0) != trainer_step(&o, &b, 0));
    trainer_close(&t);
    trainer_close(&o);
    arena_free(a);
    dataset_close(&toy);
}

/* Changing any weight changes the digest. */
static void digested(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("random+dense");
    struct trainer t;

    (void)state;
    toy_open(TASK_CLASSIFY);
    trainer_open(&t, &c, &mix, NULL);
    struct toy_digest whole = toy_digest(&t);
    for (int i = 0; i < t.params.n; i++) {
        const tensor *w = t.params.list[i].value;
        real *last = &w->x[tensor_len(w) - 1], keep = *last;

        *last += 1;
        assert_string_not_equal(toy_digest(&t).hex, whole.hex);
        *last = keep;
    }
    assert_string_equal(toy_digest(&t).hex, whole.hex);
    trainer_close(&t);
    dataset_close(&toy);
}

/* Each step draws masks of its own, and the same masks if it is repeated. */
static void masks(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    (void)state;
    toy_open(TASK_CLASSIFY);
    c.lr_scale = 0;
    trainer_open(&t, &c, &mix, NULL);
    batch_train(&b, &toy, 1, c.batch, 0, a);
    double first = trainer_step(&t, &b, 0);
    assert_true(trainer_step(&t, &b, 1) != first);
    assert_true(trainer_step(&t, &b, 0) == first);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* ---- the seed of weights, masks and batches, each separately ---- */

static void seed_of_weights(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct toy_digest first = toy_after(&c, 0);

    (void)state;
    assert_string_equal(toy_after(&c, 0).hex, first.hex);
    c.seed++;
    assert_string_not_equal(toy_after(&c, 0).hex, first.hex);
}

/* Returns the loss of a batch with another seed, which is set after weights and
 * batch have been drawn. */
static double loss_of_seed(double dropout, uint64_t seed)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    toy_open(TASK_CLASSIFY);
    c.model.dropout = dropout;
    trainer_open(&t, &c, &mix, NULL);
    batch_train(&b, &toy, 1, c.batch, 0, a);
    c.seed = seed;
    double loss = trainer_step(&t, &b, 0);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
    return loss;
}

static void seed_of_masks(void **state)
{
    (void)state;
    assert_true(loss_of_seed(0.3, 8) != loss_of_seed(0.3, 9));
    assert_true(loss_of_seed(0.3, 9) == loss_of_seed(0.3, 9));
    assert_true(loss_of_seed(0, 8) == loss_of_seed(0, 9));
}

static void seed_of_batches(void **state)
{
    struct arena *a = arena_new();
    struct batch one, same, other;
    size_t bytes = 24 * sizeof(int);

    (void)state;
    toy_open(TASK_CLASSIFY);
    batch_train(&one, &toy, 8, 24, 0, a);
    batch_train(&other, &toy, 9, 24, 0, a);
    batch_train(&same, &toy, 8, 24, 0, a);
    assert_memory_equal(same.index, one.index, bytes);
    assert_memory_not_equal(other.index, one.index, bytes);
    arena_free(a);
    dataset_close(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"another seed gives other weights and other dropout", seeds, NULL,
         NULL, NULL},
        {"a change of any weight changes the digest", digested, NULL, NULL,
         NULL},
        {"the dropout of a step depends on its number", masks, NULL, NULL,
         NULL},
        {"another seed draws other weights", seed_of_weights, NULL, NULL, NULL},
        {"another seed changes the loss only if there is dropout",
         seed_of_masks, NULL, NULL, NULL},
        {"another seed draws other batches", seed_of_batches, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("seed", tests, NULL, NULL);
}
