#include "tests/support/toy.h"

#include "harness/data/batch.h"
#include "harness/train/trainer.h"
#include "tests/support/select_variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

struct dataset toy;

static void make_row(struct example *r, enum task_kind kind, uint64_t site)
{
    struct rng_key key = {.stream = RNG_TEST, .site = site};
    int n = kind == TASK_LANGUAGE ? TOY_LENGTH : 3 + (int)rng_below(key, 0, 6);
    int *source = arena_take(toy.memory, (size_t)n * sizeof *source);
    int *target = arena_take(toy.memory, (size_t)n * sizeof *target);

    for (int i = 0; i < n; i++) {
        source[i] = ID_FIRST + (int)rng_below(key, (uint64_t)i + 1,
                                              TOY_VOCAB - ID_FIRST - 1);
        target[i] = source[i] + 1;
    }
    for (int i = 1; i < n && kind == TASK_LANGUAGE; i++)
        target[i] = ID_FIRST + (target[i - 1] + 1) % 5;
    source[n - 1] = target[n - 1] = ID_EOS;
    *r = (struct example){.words = n, .label = source[0] % TOY_CLASSES};
    if (kind != TASK_LANGUAGE) {
        r->source = source;
        r->nsource = n;
    }
    if (kind != TASK_CLASSIFY) {
        r->target = target;
        r->ntarget = n;
    }
}

void toy_open(enum task_kind kind)
{
    static const int rows[SPLITS] = {TOY_TRAIN, TOY_VALID, TOY_VALID};

    toy = (struct dataset){.kind = kind, .vocab = TOY_VOCAB,
                           .classes = TOY_CLASSES, .N = TOY_LENGTH,
                           .memory = arena_new()};
    for (int s = 0; s < SPLITS; s++) {
        struct examples *e = &toy.split[s];

        e->n = rows[s];
        e->row = arena_take(toy.memory, (size_t)e->n * sizeof *e->row);
        for (int i = 0; i < e->n; i++)
            make_row(&e->row[i], kind, (uint64_t)(1000 * s + i));
    }
    dataset_seal(&toy);
}

struct config toy_config(enum task_kind kind)
{
    static const enum family family[] = {
        [TASK_TRANSDUCE] = FAMILY_SEQ2SEQ, [TASK_LANGUAGE] = FAMILY_LM,
        [TASK_CLASSIFY] = FAMILY_ENCODER};

    return (struct config){
        .seed = 3, .length = TOY_LENGTH, .batch = 24, .shards = 6, .lanes = 4,
        .threads = 2, .optimizer = {.b1 = 0.9, .b2 = 0.997, .eps = 1e-9,
                                      .score_rate = 1},
        .beam = 1, .nbest = 1,
        .schedule = "constant", .lr_scale = 3e-3, .warmup = 10,
        .model = {.family = family[kind], .layers = 1, .d = 16, .heads = 2,
                  .ff = 32, .N = TOY_LENGTH, .vocab = TOY_VOCAB,
                  .classes = TOY_CLASSES, .tied = 1, .dense_bias = 1,
                  .rank = 2, .dot_scale = 1, .r_scale = 1, .norm_eps = 1e-6,
                  .ffn_bias = 1, .embed_scale = 1, .dropout = 0.1,
                  .label_smoothing = 0.1, .conv_width = {1, {3}}}};
}

void toy_eager(struct config *c)
{
    c->model.dropout = c->model.label_smoothing = 0;
    c->lr_scale = 1e-2;
}

double toy_train(struct trainer *t, uint64_t first, uint64_t last)
{
    struct arena *a = arena_new();
    double loss = 0;

    for (uint64_t s = first; s < last; s++) {
        struct batch b;

        arena_reset(a);
        batch_train(&b, &toy, t->c->seed, t->c->batch, s, a);
        double one = trainer_step(t, &b, s);
        assert_true(isfinite(one));
        loss += s + 5 >= last ? one / 5 : 0;
    }
    arena_free(a);
    return loss;
}

struct toy_digest toy_digest(const struct trainer *t)
{
    struct toy_digest d;

    trainer_digest(t, d.hex);
    return d;
}

struct toy_digest toy_after(const struct config *c, uint64_t steps)
{
    struct mix mix = named_mix("random+dense");
    struct trainer t;

    trainer_open(&t, c, &mix, NULL);
    toy_train(&t, 0, steps);
    struct toy_digest d = toy_digest(&t);
    trainer_close(&t);
    return d;
}
