/* Training steps: the same bits, however the work is cut; and learning. */
#include "harness/base/err.h"
#include "harness/data/batch.h"
#include "harness/engine/timed.h"
#include "harness/nn/checkpoint.h"
#include "harness/train/evaluate.h"
#include "harness/train/run.h"
#include "tests/support/leaf.h"
#include "tests/support/named.h"
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

struct digest { char hex[HASH_HEX]; };

static struct digest digest_of(const struct trainer *t)
{
    struct digest d;

    trainer_digest(t, d.hex);
    return d;
}

static struct digest after(const struct config *c, uint64_t steps)
{
    struct mix mix = named_mix("random+dense");
    struct trainer t;

    trainer_open(&t, c, &mix, NULL);
    toy_train(&t, 0, steps);
    struct digest d = digest_of(&t);
    trainer_close(&t);
    return d;
}

/* ---- the same bits ---- */

static void threads(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = toy_config((enum task_kind)kind);

        toy_open((enum task_kind)kind);
        c.threads = 1;
        struct digest want = after(&c, 7);
        for (c.threads = 2; c.threads < 6; c.threads++)
            assert_string_equal(after(&c, 7).hex, want.hex);
        c.seed++;
        assert_string_not_equal(after(&c, 7).hex, want.hex);
        dataset_close(&toy);
    }
}

static void lanes(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);

    (void)state;
    toy_open(TASK_TRANSDUCE);
    for (c.lanes = 1; c.lanes <= 4; c.lanes *= 2)
        assert_string_equal(after(&c, 5).hex, after(&c, 5).hex);
    c.lanes = 8; /* more than shards, more than rows */
    c.shards = c.batch = 3;
    assert_string_equal(after(&c, 5).hex, after(&c, 5).hex);
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
    assert_string_equal(digest_of(&t).hex, after(&c, 7).hex);
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
    struct digest want;
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
            want = digest_of(&t);
        } else {
            toy_train(&t, 6, 13);
            assert_string_equal(digest_of(&t).hex, want.hex);
        }
        trainer_close(&t);
    }
    dataset_close(&toy);
    scratch_remove(folder);
}

/* As of a run that is taken up again and again with other `evals`. */
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

/* The gradient of a batch, dropout included, however it is cut. */
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
        real *g = t.lane[0].view.grad; /* the sum of all lanes by now */
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

/* By tokens too, where there are fewer examples than shards. */
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

/* Lane l's gradient: shards l, l + lanes, ... in order, each a run of rows
 * that knows which rows of the batch it has. */
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

/* ---- what is whole while the backward pass goes on ---- */

struct places {
    const real *grad, *at[200];
    real       *copy[200];
    int         n;
    size_t      all;
};

/* All from there on, as it is now. */
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
    assert_in_range(half, 3, s.n); /* some of it goes early */
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

/* Five lanes of seven shards: ((0 + 1) + (2 + 3)) + 4, to the bit. */
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

/* Step s is Adam's step t = s + 1 at Noam's rate of t, of the gradient that the
 * trainer tells. */
static void moved(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    (void)state;
    toy_open(TASK_CLASSIFY);
    strcpy(c.schedule, "noam");
    c.lr_scale = 0.5;
    c.warmup = 3;
    trainer_open(&t, &c, &mix, NULL);
    size_t n = t.params.learned;
    double *m = arena_zero(a, 3 * n * sizeof *m), *v = m + n, *p = v + n;
    for (int s = 1; s <= 5; s++) {
        double rate = 0.5 / 4 * fmin(1 / sqrt(s), s / sqrt(27));

        for (size_t i = 0; i < n; i++)
            p[i] = (double)t.params.flat[i];
        batch_train(&b, &toy, 1, c.batch, (uint64_t)s, a);
        trainer_step(&t, &b, (uint64_t)s - 1);
        for (size_t i = 0; i < n; i++) {
            double g = (double)trainer_grad(&t)[i];

            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.997 * v[i] + 0.003 * g * g;
            p[i] -= rate * m[i] / (1 - pow(0.9, s)) /
                    (sqrt(v[i] / (1 - pow(0.997, s))) + 1e-9);
        }
        assert_near("weights after a step", t.params.flat, p, n, CLOSE);
    }
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* How far one step of score_rate k moves each weight from the seed's. */
static void move_of(double *out, struct config *c, const struct mix *mix,
                    double k, struct trainer *t)
{
    struct arena *a = arena_new();
    struct batch b;

    c->optimizer.score_rate = k;
    trainer_open(t, c, mix, NULL);
    for (size_t i = 0; i < t->params.learned; i++)
        out[i] = (double)t->params.flat[i];
    batch_train(&b, &toy, 1, c->batch, 0, a);
    trainer_step(t, &b, 0);
    for (size_t i = 0; i < t->params.learned; i++)
        out[i] = (double)t->params.flat[i] - out[i];
    arena_free(a);
}

/* Of scores k times as far, but for what the weights' own last bit rounds; all
 * else to the same bits. */
static void compare_moves(const struct params *ps, const double *plain,
                          const double *far, double k)
{
    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];

        for (size_t j = p->at; p->kind == PARAM_LEARNED &&
                               j < p->at + tensor_len(p->value); j++) {
            double want = p->score ? k * plain[j] : plain[j];
            double slack = p->score ? (1 + k) * CLOSE / 10 : 0;

            if (fabs(far[j] - want) > slack)
                fail_msg("%s moves by %g, not %g", p->name, far[j], want);
        }
    }
}

static void score_rates(void **state)
{
    static const char *const name[] = {"random+dense", "vanilla", "linformer",
                                       "dynamic-conv", "factorized-random"};
    struct config c = toy_config(TASK_CLASSIFY);
    const struct optim_rule rule[] = {c.optimizer, {
        OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3, .clip = 1,
        .factor_min = 4}};
    const double rates[] = {5, 0.25, 0};
    struct arena *a = arena_new();
    enum { MOST = 1 << 15 };
    double *plain = arena_take(a, 2 * MOST * sizeof *plain);
    double *far = plain + MOST;

    (void)state;
    toy_open(TASK_CLASSIFY);
    c.model.projection = 4;
    for (int i = 0; i < 5 * 2 * 3; i++) {
        struct mix mix = named_mix(name[i / 6]);
        struct trainer t, other;
        double k = rates[i % 3];

        c.optimizer = rule[i / 3 % 2];
        move_of(plain, &c, &mix, 1, &t);
        assert_true(t.params.learned <= MOST);
        move_of(far, &c, &mix, k, &other);
        compare_moves(&t.params, plain, far, k);
        trainer_close(&t);
        trainer_close(&other);
    }
    arena_free(a);
    dataset_close(&toy);
}

/* The loss of a few steps, as measured or not. */
static void steps_of(double loss[3], const struct config *c,
                     const struct backend *be)
{
    struct mix mix = named_mix("random+vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    trainer_open(&t, c, &mix, be);
    for (uint64_t s = 0; s < 3; s++) {
        batch_train(&b, &toy, 1, c->batch, s, a);
        loss[s] = trainer_step(&t, &b, s);
    }
    trainer_close(&t);
    arena_free(a);
}

static void timed(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    const struct optim_rule rule[] = {c.optimizer, {
        OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3, .clip = 1,
        .factor_min = 2, .score_rate = 1}};
    double plain[3], measured[3];

    (void)state;
    toy_open(TASK_TRANSDUCE);
    for (int i = 0; i < 2; i++) {
        c.optimizer = rule[i];
        steps_of(plain, &c, NULL);
        steps_of(measured, &c, timed_open(&backend_cpu));
        assert_memory_equal(measured, plain, sizeof plain);
    }
    dataset_close(&toy);
}

/* Each by itself: other weights, and the same weights under other masks. */
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
    assert_string_not_equal(digest_of(&t).hex, digest_of(&o).hex);
    memcpy(o.params.flat, t.params.flat, t.params.learned * sizeof(real));
    assert_string_equal(digest_of(&t).hex, digest_of(&o).hex);
    batch_train(&b, &toy, 1, c.batch, 0, a);
    assert_true(trainer_step(&t, &b, 0) != trainer_step(&o, &b, 0));
    trainer_close(&t);
    trainer_close(&o);
    arena_free(a);
    dataset_close(&toy);
}

/* Any one weight is in the digest. */
static void digested(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("random+dense");
    struct trainer t;

    (void)state;
    toy_open(TASK_CLASSIFY);
    trainer_open(&t, &c, &mix, NULL);
    struct digest whole = digest_of(&t);
    for (int i = 0; i < t.params.n; i++) {
        const tensor *w = t.params.list[i].value;
        real *last = &w->x[tensor_len(w) - 1], keep = *last;

        *last += 1;
        assert_string_not_equal(digest_of(&t).hex, whole.hex);
        *last = keep;
    }
    assert_string_equal(digest_of(&t).hex, whole.hex);
    trainer_close(&t);
    dataset_close(&toy);
}

/* A step draws its own masks, and the same ones again. */
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

/* ---- a seed, of weights, masks and batches, each by itself ---- */

static void seed_of_weights(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct digest first = after(&c, 0);

    (void)state;
    assert_string_equal(after(&c, 0).hex, first.hex);
    c.seed++;
    assert_string_not_equal(after(&c, 0).hex, first.hex);
}

/* The same weights and the same batch; the seed changes behind them. */
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

/* ---- learning ---- */

static void learns(void **state)
{
    static const double below[] = {[TASK_TRANSDUCE] = 0.7,
                                   [TASK_LANGUAGE] = 0.7,
                                   [TASK_CLASSIFY] = 0.3};

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct config c = toy_config((enum task_kind)kind);
        struct mix mix = named_mix("vanilla");
        struct trainer t;

        toy_open((enum task_kind)kind);
        toy_eager(&c);
        trainer_open(&t, &c, &mix, NULL);
        double start = toy_train(&t, 0, 5), end = toy_train(&t, 5, 150);
        if (!(start > below[kind] + 0.3 && end < below[kind]))
            fail_msg("task kind %d: from %g to %g", kind, start, end);
        trainer_close(&t);
        dataset_close(&toy);
    }
}

static void diverged(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    trainer_open(&t, &c, &mix, NULL);
    toy_train(&t, 0, 2);
    batch_train(&b, &toy, 1, c.batch, 2, a);
    size_t n = t.params.learned, bytes = n * sizeof(real);
    params_find(&t.params, "decoder.norm.bias")->value->x[3] = NAN;
    real *state_of = memcpy(malloc(2 * bytes), t.optim.state, 2 * bytes);
    struct digest before = digest_of(&t);
    assert_false(isfinite(trainer_step(&t, &b, 2)));
    assert_string_equal(digest_of(&t).hex, before.hex);
    assert_memory_equal(t.optim.state, state_of, 2 * bytes);
    free(state_of);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* Of a class that is told to be impossible the loss is infinite, no NaN. */
static void infinite(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct trainer t;
    struct batch b;
    double value;

    (void)state;
    toy_open(TASK_CLASSIFY);
    toy_eager(&c);
    trainer_open(&t, &c, &mix, NULL);
    assert_null(trainer_fault(&t, &value));
    params_find(&t.params, "classifier.b")->value->x[1] = -INFINITY;
    struct digest before = digest_of(&t);
    batch_train(&b, &toy, 1, c.batch, 0, a);
    assert_true(isinf(trainer_step(&t, &b, 0)));
    assert_string_equal(digest_of(&t).hex, before.hex);
    assert_string_equal(trainer_fault(&t, &value)->name, "classifier.b");
    assert_true(isinf(value));
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* ---- what attention looks like ---- */

/* Of 7 texts of one id, 7 of two and 6 of three the sixteen in the middle.  A
 * uniform row over m keys has entropy ln m, and m weights of 1/m: 1 is in the
 * last bin, 1/2 and 1/3 are in the one before. */
static void watched(void **state)
{
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("uniform");
    const double nats = 7 * 2 * log(2) + 4 * 3 * log(3);
    static struct watch w;
    struct trainer t;

    (void)state;
    toy_open(TASK_CLASSIFY);
    for (int i = 0; i < TOY_VALID; i++)
        toy.split[SPLIT_VALID].row[i].nsource = 1 + i % 3;
    dataset_seal(&toy);
    trainer_open(&t, &c, &mix, NULL);
    watch_run(&w, &t, &toy);
    const struct watched *got = &w.place[TAPE_ENCODER][0];
    assert_int_equal(got->rows, 2 * (5 + 7 * 2 + 4 * 3)); /* two heads */
    assert_true(fabs(got->entropy - 2 * nats) < 100 * CLOSE);
    for (int k = 0; k < WATCH_BINS - 2; k++)
        assert_int_equal(got->bin[k], 0);
    assert_int_equal(got->bin[WATCH_BINS - 2], 2 * (7 * 4 + 4 * 9));
    assert_int_equal(got->bin[WATCH_BINS - 1], 2 * 5);
    assert_int_equal(w.place[TAPE_DECODER][0].rows, 0);
    trainer_close(&t);
    dataset_close(&toy);
}

static size_t held(const struct trainer *t)
{
    size_t bytes = arena_held(t->params.memory);

    for (int i = 0; i < t->c->lanes; i++)
        bytes += arena_held(t->lane[i].view.memory);
    for (int i = 0; i < t->threads; i++)
        bytes += arena_held(t->tape[i]->data) + arena_held(t->tape[i]->nodes);
    return bytes;
}

static void steady(void **state)
{
    struct config c = toy_config(TASK_LANGUAGE); /* one shape */
    struct mix mix = named_mix("random+dense");
    struct trainer t;

    (void)state;
    toy_open(TASK_LANGUAGE);
    trainer_open(&t, &c, &mix, NULL);
    toy_train(&t, 0, 2);
    size_t before = held(&t);
    toy_train(&t, 2, 9);
    assert_int_equal(held(&t), before);
    trainer_close(&t);
    dataset_close(&toy);
}

int main(void)
{
    const struct CMUnitTest trainer[] = {
        {"weights do not depend on the number of threads", threads, NULL,
         NULL, NULL},
        {"any number of lanes gives the same bits again", lanes, NULL, NULL,
         NULL},
        {"weights do not depend on evaluations", evaluations, NULL, NULL,
         NULL},
        {"a validation curve has room for points without end",
         curve_of_any_length, NULL, NULL, NULL},
        {"a resumed run ends with the bits of the unbroken one", resume, NULL,
         NULL, NULL},
        {"shards and lanes change the gradient by rounding only", shards,
         NULL, NULL, NULL},
        {"what is called whole in a backward pass stays as it is", whole, NULL,
         NULL, NULL},
        {"lanes are added pairwise, each of its shards in order", pairwise,
         NULL, NULL, NULL},
        {"scores move at score_rate times the rate of all else", score_rates,
         NULL, NULL, NULL},
        {"a step is the optimiser's of its number and rate", moved, NULL, NULL,
         NULL},
        {"where the time goes is told without moving a bit", timed, NULL, NULL,
         NULL},
        {"another seed is other weights, and other dropout", seeds, NULL, NULL,
         NULL},
        {"the digest is of every weight", digested, NULL, NULL, NULL},
        {"each step drops what its own number says", masks, NULL, NULL, NULL},
        {"another seed draws other weights", seed_of_weights, NULL, NULL, NULL},
        {"another seed drops other things, and without dropout nothing",
         seed_of_masks, NULL, NULL, NULL},
        {"another seed makes other batches", seed_of_batches, NULL, NULL,
         NULL},
        {"each task kind is learned", learns, NULL, NULL, NULL},
        {"a loss that is not finite leaves weights and moments", diverged,
         NULL, NULL, NULL},
        {"an infinite loss leaves the weights, an infinite one is named",
         infinite, NULL, NULL, NULL},
        {"attention is watched over what is no padding, in nats", watched,
         NULL, NULL, NULL},
        {"a step allocates nothing once two have been made", steady, NULL,
         NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("trainer", trainer, NULL, NULL);
}
