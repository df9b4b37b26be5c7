/* Training steps are bit-identical, however the work is divided among shards,
 * lanes and threads. */
#include "harness/base/err.h"
#include "harness/data/batch.h"
#include "harness/nn/checkpoint.h"
#include "harness/train/evaluate.h"
#include "harness/train/run.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "tests/support/scratch.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same bits ---- */

static void threads(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = toy_config((enum task_kind)kind);

        toy_open((enum task_kind)kind);
        c.threads = 1;
        struct toy_digest want = toy_after(&c, 7);
        for (c.threads = 2; c.threads < 6; c.threads++)
            assert_string_equal(toy_after(&c, 7).hex, want.hex);
        c.seed++;
        assert_string_not_equal(toy_after(&c, 7).hex, want.hex);
        dataset_close(&toy);
    }
}

static void lanes(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);

    (void)state;
    toy_open(TASK_TRANSDUCE);
    for (c.lanes = 1; c.lanes <= 4; c.lanes *= 2)
        assert_string_equal(toy_after(&c, 5).hex, toy_after(&c, 5).hex);
    c.lanes = 8; /* more lanes than shards or rows */
    c.shards = c.batch = 3;
    assert_string_equal(toy_after(&c, 5).hex, toy_after(&c, 5).hex);
    dataset_close(&toy);
}

static void evaluations(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    struct mix mix = named_mix("random+dense");
    struct arena *a = arena_new();
    struct scores scores;
    struct trainer t;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    trainer_open(&t, &c, &mix, NULL);
    for (uint64_t s = 0; s < 7; s++) {
        assert_int_equal(evaluate(&scores, &t, &toy, SPLIT_VALID, a, NULL),
                         OK);
        toy_train(&t, s, s + 1);
    }
    assert_string_equal(toy_digest(&t).hex, toy_after(&c, 7).hex);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

static void resume(void **state)
{
    struct config c = toy_config(TASK_LANGUAGE);
    struct mix mix = named_mix("vanilla");
    const struct checkpoint_of of = {"c", "build"};
    char *folder = scratch_make(), base[512];
    struct toy_digest want;
    uint64_t step;

    (void)state;
    snprintf(base, sizeof base, "%s/c", folder);
    toy_open(TASK_LANGUAGE);
    for (int round = 0; round < 2; round++) {
        struct trainer t;

        trainer_open(&t, &c, &mix, NULL);
        size_t bytes = t.params.learned * sizeof(real);
        size_t more = t.optim.values * sizeof(real);
        struct block state_of[] = {{t.params.flat, bytes},
                                   {t.optim.state, more}};
        checkpoint_load(base, of, &step, state_of, 2);
        assert_int_equal(step, round ? 6 : 0);
        toy_train(&t, step, 6);
        if (!round) {
            assert_int_equal(checkpoint_save(base, of, 6, state_of, 2), OK);
            toy_train(&t, 6, 13);
            want = toy_digest(&t);
        } else {
            toy_train(&t, 6, 13);
            assert_string_equal(toy_digest(&t).hex, want.hex);
        }
        trainer_close(&t);
    }
    dataset_close(&toy);
    scratch_remove(folder);
}

/* The curve stays valid for a run that is resumed repeatedly, each time with
 * another `evals`. */
static void curve_of_any_length(void **state)
{
    static struct history h;

    (void)state;
    for (int step = 1; step <= 300 * EVALS; step++) {
        history_add(&h, step, 1.0 / step);
        assert_true(h.evals > 0 && h.evals <= EVALS);
        assert_int_equal(h.at[h.evals - 1], step);
        assert_true(step == 1 || h.at[h.evals - 2] == step - 1);
        for (int64_t i = 1; i < h.evals && step % 997 == 0; i++)
            assert_true(h.at[i] > h.at[i - 1] &&
                        h.ce[i] == 1.0 / (double)h.at[i]);
    }
}

/* Compares the gradient of a batch, with dropout, for several divisions. */
static void cut_alike(const struct batch *b)
{
    static const struct { int shards, lanes; } cut[] = {
        {1, 1}, {2, 2}, {6, 1}, {6, 4}, {24, 8}};
    struct config c = toy_config(TASK_TRANSDUCE);
    struct mix mix = named_mix("random+vanilla");
    struct arena *a = arena_new();
    double first = 0;
    real *want = NULL;

    c.model.dropout = 0.3;
    for (int i = 0; i < 5; i++) {
        struct trainer t;

        c.shards = cut[i].shards;
        c.lanes = cut[i].lanes;
        trainer_open(&t, &c, &mix, NULL);
        double loss = trainer_step(&t, b, 0);
        size_t n = t.params.learned;
        real *g = t.lane[0].view.grad; /* the sum of all lanes */
        if (want) {
            assert_reals("gradient", g, want, n, CLOSE);
            assert_true(fabs(loss - first) < CLOSE);
        } else {
            want = memcpy(arena_take(a, n * sizeof *g), g, n * sizeof *g);
            first = loss;
        }
        trainer_close(&t);
    }
    arena_free(a);
}

/* This also holds for batches limited by tokens that have fewer examples than
 * shards. */
static void shards(void **state)
{
    struct batching by = {.tokens = 80, .devices = 1, .longest = TOY_LENGTH};
    OWNED(arena_free) struct arena *a = arena_new();
    struct batch b;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    batch_train(&b, &toy, 1, 24, 0, a);
    cut_alike(&b);
    batch_step(&b, &toy, &by, 1, 0, a);
    assert_in_range(b.b, 2, 23);
    cut_alike(&b);
    dataset_close(&toy);
}

/* Sets all gradients to NaN. */
static void poison(const struct params *view)
{
    for (int k = 0; k < view->n; k++) {
        const tensor *w = view->list[k].value;

        for (size_t i = 0; w->g && i < tensor_len(w); i++)
            w->g[i] = NAN;
    }
}

/* A step does not add to gradients of earlier steps. A weight without a
 * gradient has zeros, and so has a lane without an example. */
static void gradients_anew(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    struct mix mix = named_mix("random+vanilla");
    OWNED(arena_free) struct arena *a = arena_new();
    struct trainer fresh, used;
    struct batch b, one;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    c.shards = 6;
    c.lanes = 4;
    batch_train(&b, &toy, 1, 24, 0, a);
    batch_train(&one, &toy, 1, 1, 0, a);
    trainer_open(&fresh, &c, &mix, NULL);
    trainer_open(&used, &c, &mix, NULL);
    size_t n = fresh.params.learned;
    for (int round = 0; round < 2; round++) {
        for (int l = 0; l < c.lanes; l++)
            poison(&used.lane[l].view);
        for (int l = 0; l < c.lanes; l++)
            memset(fresh.lane[l].view.grad, 0, n * sizeof(real));
        trainer_step(&fresh, round ? &one : &b, (uint64_t)round);
        trainer_step(&used, round ? &one : &b, (uint64_t)round);
        assert_reals("gradient", trainer_grad(&used), trainer_grad(&fresh), n,
                     0);
    }
    trainer_close(&fresh);
    trainer_close(&used);
    dataset_close(&toy);
}

/* Computes the gradient of lane l from its shards l, l + lanes, ... in order. A
 * shard is a range of rows, each of which keeps its position in the batch. */
static void by_hand(struct trainer *t, const struct batch *b, int l)
{
    struct rng_key key = {t->c->seed, RNG_DROPOUT, 4, 0};
    struct params *own = &t->lane[l].view;

    memset(own->grad, 0, t->params.learned * sizeof *own->grad);
    for (int s = l; s < t->c->shards; s += t->c->lanes) {
        struct loss loss = {.scale = 1 / (double)b->targets};
        int first = b->b * s / t->c->shards;
        struct input in = batch_rows(b, first,
                                     b->b * (s + 1) / t->c->shards);

        tape_begin(t->tape[0], TAPE_TRAIN, key, first, t->c->model.dropout);
        tape_backward(t->tape[0], model_loss(t->lane[l].model, t->tape[0],
                                             &in, &loss));
    }
}

/* ---- gradients that are complete during the backward pass ---- */

struct places {
    const real *grad, *at[200];
    real       *copy[200];
    int         n;
    size_t      all;
};

/* Copies the gradients that have become complete: those from `from` to the
 * end. */
static void see(void *arg, const real *from)
{
    struct places *s = arg;
    const real *last = s->n ? s->at[s->n - 1] : s->grad + s->all;

    from = from ? from : s->grad;
    assert_true(from >= s->grad && from <= last);
    if (from == last)
        return;
    assert_in_range(s->n, 0, 199);
    size_t n = s->all - (size_t)(from - s->grad);
    s->copy[s->n] = memcpy(calloc(n, sizeof(real)), from, n * sizeof(real));
    s->at[s->n++] = from;
}

static void whole_of(struct trainer *t, const struct batch *b)
{
    struct places s = {.grad = t->lane[0].view.grad, .all = t->params.learned};
    int half = 0;

    t->tape[0]->whole = see;
    t->tape[0]->whole_arg = &s;
    by_hand(t, b, 0);
    t->tape[0]->whole = NULL;
    assert_ptr_equal(s.at[s.n - 1], s.grad);
    for (int i = 0; i < s.n; i++) {
        size_t from = (size_t)(s.at[i] - s.grad);

        assert_memory_equal(s.at[i], s.copy[i], (s.all - from) * sizeof(real));
        half += from > s.all / 2;
        free(s.copy[i]);
    }
    assert_in_range(half, 3, s.n); /* some are complete before the end */
}

static void whole(void **state)
{
    static const char *const name[] = {"random+dense", "factorized-random",
                                       "dynamic-conv", "linformer"};

    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0; i < (kind == TASK_CLASSIFY ? 4 : 3); i++) {
            struct config c = toy_config((enum task_kind)kind);
            struct mix mix = named_mix(name[i]);
            struct arena *a = arena_new();
            struct trainer t;
            struct batch b;

            toy_open((enum task_kind)kind);
            c.shards = c.lanes = 1;
            c.model.layers = 3;
            c.model.relative_bias = i == 0;
            c.model.relative_buckets = 8;
            c.model.relative_distance = 16;
            c.model.tied = i != 1;
            trainer_open(&t, &c, &mix, NULL);
            batch_train(&b, &toy, c.seed, c.batch, 4, a);
            whole_of(&t, &b);
            trainer_close(&t);
            arena_free(a);
            dataset_close(&toy);
        }
}

/* Five lanes of seven shards are summed as ((0 + 1) + (2 + 3)) + 4, bit by
 * bit. */
static void pairwise(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    struct mix mix = named_mix("random+dense");
    struct arena *a = arena_new();
    struct trainer t, hand;
    struct batch b;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    c.shards = 7;
    c.lanes = 5;
    trainer_open(&t, &c, &mix, NULL);
    trainer_open(&hand, &c, &mix, NULL);
    batch_train(&b, &toy, c.seed, c.batch, 4, a);
    trainer_step(&t, &b, 4);
    size_t n = t.params.learned;
    real *want = arena_take(a, n * sizeof *want), *g[5];
    for (int l = 0; l < 5; l++) {
        by_hand(&hand, &b, l);
        g[l] = hand.lane[l].view.grad;
    }
    for (size_t i = 0; i < n; i++) {
        real first = g[0][i] + g[1][i], second = g[2][i] + g[3][i];

        want[i] = first + second;
        want[i] += g[4][i];
    }
    assert_bits("lanes added pairwise", trainer_grad(&t), want, n);
    trainer_close(&t);
    trainer_close(&hand);
    arena_free(a);
    dataset_close(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"weights do not depend on the number of threads", threads, NULL, NULL,
         NULL},
        {"a repeated run gives the same bits, for any number of lanes", lanes,
         NULL, NULL, NULL},
        {"weights do not depend on evaluations", evaluations, NULL, NULL, NULL},
        {"a run can be evaluated any number of times", curve_of_any_length,
         NULL, NULL, NULL},
        {"a resumed run ends with the bits of an uninterrupted run", resume,
         NULL, NULL, NULL},
        {"the gradients of a step do not depend on earlier gradients",
         gradients_anew, NULL, NULL, NULL},
        {"shards and lanes change the gradient by rounding only", shards, NULL,
         NULL, NULL},
        {"gradients that are reported complete do not change any more", whole,
         NULL, NULL, NULL},
        {"shards are added in order within a lane, and lanes pairwise",
         pairwise, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("trainer", tests, NULL, NULL);
}
