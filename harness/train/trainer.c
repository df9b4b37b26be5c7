#include "harness/train/trainer.h"

#include "harness/train/train.h"

#include <math.h>
#include <stdlib.h>

void trainer_open(struct trainer *t, const struct config *c,
                  const struct mix *mix, const struct backend *be)
{
    *t = (struct trainer){.c = c, .be = be ? be : backend_of(c->precision),
                          .schedule = schedule_find(c->schedule)};
    t->be->thread_begin();
    params_count(&t->plan);
    model_new(&c->model, mix, &t->plan);
    params_open(&t->params, &t->plan, t->be, c->seed);
    model_new(&c->model, mix, &t->params);
    optim_open(&t->optim, &t->params, &c->optimizer);
    if (t->be->lower)
        t->low = arena_take(t->params.data, t->params.learned * sizeof *t->low);
    t->lane = calloc((size_t)c->lanes, sizeof *t->lane);
    t->loss = calloc((size_t)c->shards, sizeof *t->loss);
    t->threads = c->threads < c->lanes ? c->threads : c->lanes;
    t->tape = calloc((size_t)t->threads, sizeof *t->tape);
    for (int i = 0; i < c->lanes; i++) {
        params_view(&t->lane[i].view, &t->params);
        t->lane[i].model = model_new(&c->model, mix, &t->lane[i].view);
    }
    for (int i = 0; i < t->threads; i++)
        t->tape[i] = tape_new(t->be);
}

void trainer_close(struct trainer *t)
{
    for (int i = 0; t->lane && i < t->c->lanes; i++)
        params_close(&t->lane[i].view);
    for (int i = 0; t->tape && i < t->threads; i++)
        tape_free(t->tape[i]);
    params_close(&t->params);
    params_close(&t->plan);
    free(t->lane);
    free(t->tape);
    free(t->loss);
}

void trainer_use(struct trainer *t, const struct backend *be)
{
    t->be = t->params.be = be;
    for (int i = 0; i < t->threads; i++)
        t->tape[i]->be = be;
}

struct batch batch_longest(const struct config *c, const struct task *task,
                           int rows, struct arena *a)
{
    struct task_opts o = train_data(c, NULL, NULL);
    int target = task ? task_target(task, &o) : c->length;
    int n = batch_padded(c->length, c->model.N);
    int m = batch_padded(target, c->model.N);
    size_t ids = (size_t)rows * (size_t)(n > m ? n : m);
    const int *zero = arena_zero(a, ids * sizeof *zero);
    int *length = arena_take(a, 2 * (size_t)rows * sizeof *length);

    for (int i = 0; i < rows; i++) {
        length[i] = c->length;
        length[rows + i] = target;
    }
    if (c->model.family == FAMILY_LM)
        n = 0;
    if (c->model.family == FAMILY_ENCODER)
        m = 0;
    return (struct batch){.b = rows, .n = n, .m = m, .source = zero,
                          .target_in = zero, .target_out = zero, .label = zero,
                          .source_length = length,
                          .target_length = length + rows,
                          .targets = (long)rows * (m ? target : 1)};
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
    if (b->prompt)
        in.prompt = b->prompt + first;
    if (b->label)
        in.label = b->label + first;
    if (b->value)
        in.value = b->value + first;
    return in;
}

static void shard(struct trainer *t, struct lane *lane, struct tape *tape,
                  const struct batch *b, int s, uint64_t step)
{
    int first = b->b * s / t->c->shards, last = b->b * (s + 1) / t->c->shards;
    struct rng_key key = {t->c->seed, RNG_DROPOUT, (uint32_t)step, 0};
    struct loss loss = {.scale = 1 / (double)b->targets};
    struct input in = batch_rows(b, first, last);

    t->loss[s] = 0;
    if (first == last)
        return;
    tape_begin(tape, TAPE_TRAIN, key, first, t->c->model.dropout);
    tensor *root = model_loss(lane->model, tape, &in, &loss);
    t->loss[s] = loss.sum;
    tape_backward(tape, root);
}

/* Lane l: shards l, l + lanes, ..., in order. */
static void one_lane(struct trainer *t, struct lane *lane, struct tape *tape,
                     const struct batch *b, int l, uint64_t step)
{
    t->be->zero(lane->view.grad, t->params.learned * sizeof(real));
    for (int s = l; s < t->c->shards; s += t->c->lanes)
        shard(t, lane, tape, b, s, step);
}

/* Lanes' gradients added pairwise, always in the same order, into lane 0. */
static void add_lanes(struct trainer *t, size_t at, size_t n)
{
    for (int stride = 1; stride < t->c->lanes; stride *= 2)
        for (int i = 0; i + stride < t->c->lanes; i += 2 * stride)
            t->be->axpy(n, 1, t->lane[i + stride].view.grad + at,
                             t->lane[i].view.grad + at);
}

double trainer_rate(const struct trainer *t, uint64_t step)
{
    struct course c = {t->c->model.d, t->c->steps, t->c->lr_scale,
                       t->c->warmup};

    return t->schedule->rate((double)step + 1, &c);
}

static void update(struct trainer *t, uint64_t step)
{
    double rate = trainer_rate(t, step);

    #pragma omp parallel for num_threads(t->threads) schedule(dynamic)
    for (int i = 0; i < t->optim.units; i++) {
        const struct optim_unit *u = &t->optim.unit[i];

        t->be->thread_begin();
        add_lanes(t, u->at, u->n);
        optim_step(&t->optim, i, t->lane[0].view.grad, step + 1, rate);
    }
}

void trainer_ready(const struct trainer *t)
{
    enum { CHUNK = 1 << 14 };
    const real *x = t->params.flat;
    size_t n = t->low ? t->params.learned : 0;

    #pragma omp parallel for num_threads(t->threads)
    for (size_t at = 0; at < n; at += CHUNK)
        t->be->lower(n - at < CHUNK ? n - at : CHUNK, x + at, t->low + at);
    for (int i = 0; i < t->threads; i++)
        t->tape[i]->weights = (struct lowered){x, n, t->low};
}

void trainer_rest(const struct trainer *t)
{
    for (int i = 0; i < t->threads; i++)
        t->tape[i]->weights = (struct lowered){0};
}

double trainer_step(struct trainer *t, const struct batch *b, uint64_t step)
{
    double loss = 0;

    trainer_ready(t);
    #pragma omp parallel for num_threads(t->threads) schedule(static, 1)
    for (int i = 0; i < t->threads; i++) {
        t->be->thread_begin();
        for (int l = i; l < t->c->lanes; l += t->threads)
            one_lane(t, &t->lane[l], t->tape[i], b, l, step);
    }
    trainer_rest(t);
    for (int s = 0; s < t->c->shards; s++)
        loss += t->loss[s];
    if (isfinite(loss))
        update(t, step);
    return loss;
}

const real *trainer_grad(const struct trainer *t)
{
    return t->lane[0].view.grad;
}

const struct param *trainer_fault(const struct trainer *t, double *value)
{
    const struct param *fault = NULL;
    OWNED(arena_free) struct arena *a = arena_new();

    for (int i = 0; i < t->params.n && !fault; i++) {
        const struct param *p = &t->params.list[i];
        const real *x = tensor_read(t->be, p->value, a);

        for (size_t j = 0; p->kind == PARAM_LEARNED && !fault &&
                           j < tensor_len(p->value); j++) {
            *value = x[j];
            fault = isfinite(*value) ? NULL : p;
        }
    }
    return fault;
}

void trainer_digest(const struct trainer *t, char hex[HASH_HEX])
{
    struct sha256_ctx *sha = hash_new();
    OWNED(arena_free) struct arena *a = arena_new();

    for (int i = 0; i < t->params.n; i++) {
        const tensor *w = t->params.list[i].value;

        if (t->params.list[i].kind == PARAM_LEARNED)
            hash_add(sha, tensor_read(t->be, w, a),
                     tensor_len(w) * sizeof(real));
    }
    hash_end(sha, hex);
}
