#include "harness/train/trainer.h"

#include "harness/base/err.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum { CHUNK = 1 << 14 }; /* values that one thread adds and steps at a time */

void trainer_open(struct trainer *t, const struct config *c,
                  const struct mix *mix)
{
    *t = (struct trainer){.c = c, .rate = schedule_find(c->schedule)->rate};
    backend_cpu.thread_begin();
    params_count(&t->plan);
    model_new(&c->model, mix, &t->plan);
    params_open(&t->params, &t->plan, &backend_cpu, c->seed);
    model_new(&c->model, mix, &t->params);
    optim_open(&t->optim, &t->params, c->b1, c->b2, c->eps);
    t->lane = calloc((size_t)c->lanes, sizeof *t->lane);
    t->loss = calloc((size_t)c->shards, sizeof *t->loss);
    REQUIRE(t->lane && t->loss, "out of memory");
    for (int i = 0; i < c->lanes; i++) {
        params_view(&t->lane[i].view, &t->params);
        t->lane[i].model = model_new(&c->model, mix, &t->lane[i].view);
        t->lane[i].tape = tape_new(&backend_cpu);
    }
}

void trainer_close(struct trainer *t)
{
    for (int i = 0; t->lane && i < t->c->lanes; i++) {
        tape_free(t->lane[i].tape);
        params_close(&t->lane[i].view);
    }
    params_close(&t->params);
    params_close(&t->plan);
    free(t->lane);
    free(t->loss);
}

struct input batch_rows(const struct batch *b, int first, int last)
{
    struct input in = {.b = last - first, .n = b->n, .m = b->m};

    if (b->n) {
        in.source = b->source + (size_t)first * (size_t)b->n;
        in.source_length = b->source_length + first;
    }
    if (b->m) {
        in.target_in = b->target_in + (size_t)first * (size_t)b->m;
        in.target_out = b->target_out + (size_t)first * (size_t)b->m;
        in.target_length = b->target_length + first;
    }
    if (b->label)
        in.label = b->label + first;
    return in;
}

static void shard(struct trainer *t, struct lane *lane, const struct batch *b,
                  int s, uint64_t step)
{
    int first = b->b * s / t->c->shards, last = b->b * (s + 1) / t->c->shards;
    struct rng_key key = {t->c->seed, RNG_DROPOUT, (uint32_t)step, 0};
    struct loss loss = {.scale = 1 / (double)b->targets};
    struct input in = batch_rows(b, first, last);

    t->loss[s] = 0;
    if (first == last)
        return;
    tape_begin(lane->tape, TAPE_TRAIN, key, first, t->c->model.dropout);
    tensor *root = model_loss(lane->model, lane->tape, &in, &loss);
    t->loss[s] = loss.sum;
    tape_backward(lane->tape, root);
}

/* Lanes' gradients added pairwise, always in the same order, into lane 0. */
static void add_lanes(struct trainer *t, size_t at, size_t n)
{
    for (int stride = 1; stride < t->c->lanes; stride *= 2)
        for (int i = 0; i + stride < t->c->lanes; i += 2 * stride)
            backend_cpu.axpy(n, 1, t->lane[i + stride].view.grad + at,
                             t->lane[i].view.grad + at);
}

static void update(struct trainer *t, uint64_t step, int threads)
{
    double time = (double)step + 1;
    double rate = t->rate(time, t->c->model.d, t->c->lr_scale, t->c->warmup);
    size_t all = t->params.learned;

    #pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t at = 0; at < all; at += CHUNK) {
        size_t n = all - at < CHUNK ? all - at : CHUNK;

        backend_cpu.thread_begin();
        add_lanes(t, at, n);
        optim_step(&t->optim, t->lane[0].view.grad, step + 1, rate, at, n);
    }
}

double trainer_step(struct trainer *t, const struct batch *b, uint64_t step)
{
    int lanes = t->c->lanes;
    int threads = t->c->threads < lanes ? t->c->threads : lanes;
    double loss = 0;

    #pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < lanes; i++) {
        struct lane *lane = &t->lane[i];

        backend_cpu.thread_begin();
        backend_cpu.zero(lane->view.grad, t->params.learned * sizeof(real));
        for (int s = i; s < t->c->shards; s += lanes)
            shard(t, lane, b, s, step);
    }
    for (int s = 0; s < t->c->shards; s++)
        loss += t->loss[s];
    if (isfinite(loss))
        update(t, step, threads);
    return loss;
}

void trainer_digest(const struct trainer *t, char hex[HASH_HEX])
{
    struct sha256_ctx *sha = hash_new();

    for (int i = 0; i < t->params.n; i++)
        if (t->params.list[i].kind == PARAM_LEARNED)
            hash_add(sha, t->params.list[i].value->x,
                     tensor_len(t->params.list[i].value) * sizeof(real));
    hash_end(sha, hex);
}
