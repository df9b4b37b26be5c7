#include "harness/train/trainer.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/train/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_own(void *trainer, const struct slice *x);

static void share_out(struct trainer *t, struct ranks *r)
{
    struct arena *a = t->params.memory;

    zero1_make(&t->share, r, t->c, &t->optim, a);
    t->relay = relay_new(&t->share, t->grad, add_own, t, a);
}

int trainer_open(struct trainer *t, const struct config *c,
                 const struct mix *mix, const struct backend *be)
{
    *t = (struct trainer){.c = c, .be = be,
                          .schedule = schedule_find(c->schedule)};
    if (!be)
        PASS(backend_of(&t->be, c->device, c->precision));
    t->be->thread_begin();
    params_count(&t->plan);
    model_new(&c->model, mix, &t->plan);
    params_open(&t->params, &t->plan, t->be, c->seed);
    model_new(&c->model, mix, &t->params);
    optim_open(&t->optim, &t->params, &c->optimizer);
    if (t->be->lower)
        t->low = arena_take(t->params.data, t->params.learned * sizeof *t->low);
    t->lane = calloc((size_t)c->lanes, sizeof *t->lane);
    t->grad = calloc((size_t)c->lanes, sizeof *t->grad);
    t->loss = calloc((size_t)c->shards, sizeof *t->loss);
    t->threads = c->threads < c->lanes ? c->threads : c->lanes;
    if (c->device != DEVICE_CPU)
        t->threads = 1; /* the GPU has its own threads */
    t->tape = calloc((size_t)t->threads, sizeof *t->tape);
    for (int i = 0; i < c->lanes; i++) {
        params_view(&t->lane[i].view, &t->params);
        t->lane[i].model = model_new(&c->model, mix, &t->lane[i].view);
        t->grad[i] = t->lane[i].view.grad;
    }
    for (int i = 0; i < t->threads; i++)
        t->tape[i] = tape_new(t->be);
    share_out(t, NULL);
    return OK;
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
    free(t->grad);
    free(t->tape);
    free(t->loss);
}

void trainer_join(struct trainer *t, struct ranks *r)
{
    REQUIRE(!r || !t->be->get, "ranks cannot access the buffers of %s",
            t->be->name);
    share_out(t, r);
    if (t->threads > t->share.stints)
        t->threads = t->share.stints;
}

void trainer_gather(const struct trainer *t)
{
    zero1_state(&t->share, &t->optim);
}

void trainer_thin(const struct trainer *t)
{
    zero1_thin(&t->share, &t->optim);
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

    return batch_alike(c, c->length, task ? task_target(task, &o) : c->length,
                       rows, a);
}

struct batch batch_alike(const struct config *c, int source, int target,
                         int rows, struct arena *a)
{
    int n = batch_padded(source, c->model.N);
    int m = batch_padded(target, c->model.N);
    size_t ids = (size_t)rows * (size_t)(n > m ? n : m);
    const int *zero = arena_zero(a, ids * sizeof *zero);
    int *length = arena_take(a, 2 * (size_t)rows * sizeof *length);

    for (int i = 0; i < rows; i++) {
        length[i] = source;
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

/* Returns the loss of shard `s` on the tape, or NULL if the shard has no
 * example. */
static tensor *forward(struct trainer *t, struct lane *lane, struct tape *tape,
                       const struct batch *b, int s, uint64_t step)
{
    int first = b->b * s / t->c->shards, last = b->b * (s + 1) / t->c->shards;
    struct rng_key key = {t->c->seed, RNG_DROPOUT, (uint32_t)step, 0};
    struct loss loss = {.scale = 1 / (double)b->targets};
    struct input in = batch_rows(b, first, last);

    if (first == last)
        return NULL;
    tape_begin(tape, TAPE_TRAIN, key, first, t->c->model.dropout);
    tensor *root = model_loss(lane->model, tape, &in, &loss);
    t->loss[s] = loss.sum;
    return root;
}

struct work { struct trainer *t; int stint; };

static const struct lane *lane_of(const struct work *w)
{
    return &w->t->lane[w->t->share.stint[w->stint].lane];
}

/* Begins the gradient of a lane: receives it from the rank that has the
 * preceding shards of the lane, or marks it blank if there is no such rank.
 * Called as late as possible, when the first shard is about to add to the
 * gradient. */
static void begin_lane(void *work)
{
    const struct work *w = work;
    const struct trainer *t = w->t;

    if (t->share.stint[w->stint].before < 0)
        params_blank(&lane_of(w)->view);
    else
        relay_take(t->relay, w->stint);
}

/* Called when the gradient of the stint's last shard is complete from address
 * `from` on or, if `from` is NULL, entirely.  Sets the blank parts of the
 * gradient to zero there, and notifies the relay. */
static void is_whole(void *work, const real *from)
{
    const struct work *w = work;
    const real *grad = lane_of(w)->view.grad;

    params_settle(&lane_of(w)->view, from);
    relay_whole(w->t->relay, w->stint, from ? (size_t)(from - grad) : 0);
}

/* Runs the shards of a stint (zero1.h) in order. */
static void one_stint(struct trainer *t, struct tape *tape,
                      const struct batch *b, int stint, uint64_t step)
{
    const struct stint *st = &t->share.stint[stint];
    struct work w = {t, stint};
    int l = st->lane, lanes = t->c->lanes;

    tape->leaves = begin_lane;
    tape->leaves_arg = tape->whole_arg = &w;
    for (int k = st->first; k < st->last; k++) {
        tensor *root = forward(t, &t->lane[l], tape, b, l + k * lanes, step);

        tape->whole = k == st->last - 1 ? is_whole : NULL;
        if (root)
            tape_backward(tape, root);
    }
    tape->whole = NULL;
    tape_leaves(tape); /* begins the lane if there was no example */
    params_settle(&t->lane[l].view, NULL);
    relay_whole(t->relay, stint, 0);
}

/* Adds the gradients of the lanes of a head (zero1.h) pairwise, always in the
 * same order, at positions `at` to `at` + n - 1.  The sum replaces the gradient
 * of the first lane. */
static void add_lanes(struct trainer *t, const struct head *h, size_t at,
                      size_t n)
{
    int lanes = t->c->lanes, end = h->lane + h->size;

    for (int stride = 1; stride < h->size; stride *= 2)
        for (int i = h->lane; i + stride < end && i + stride < lanes;
             i += 2 * stride)
            t->be->axpy(n, 1, t->lane[i + stride].view.grad + at,
                             t->lane[i].view.grad + at);
}

/* Does the additions of the tree that need only lanes of this rank, at
 * positions `at` to `at` + n - 1. */
static void add_own_at(struct trainer *t, size_t at, size_t n)
{
    for (int i = 0; i < t->share.heads; i++)
        if (t->share.head[i].rank == t->share.me)
            add_lanes(t, &t->share.head[i], at, n);
}

/* Calls add_own_at for slice `x`, in the relay's thread. */
static void add_own(void *trainer, const struct slice *x)
{
    struct trainer *t = trainer;

    t->be->thread_begin();
    add_own_at(t, x->at, x->end - x->at);
}

static int is_head(const struct zero1 *s, int lane)
{
    for (int i = 0; i < s->heads; i++)
        if (s->head[i].lane == lane)
            return 1;
    return 0;
}

/* Does the remaining additions of the tree at positions `at` to `at` + n - 1:
 * adds the heads of all ranks into lane 0. */
static void add_heads(struct trainer *t, size_t at, size_t n)
{
    const struct zero1 *s = &t->share;

    for (int stride = 1; stride < t->c->lanes; stride *= 2)
        for (int i = 0; i + stride < t->c->lanes; i += 2 * stride)
            if (is_head(s, i) && is_head(s, i + stride))
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

        if (t->share.owner[i] != t->share.me)
            continue;
        t->be->thread_begin();
        add_own_at(t, u->at, u->n);
        add_heads(t, u->at, u->n);
        optim_step(&t->optim, i, t->lane[0].view.grad, step + 1, rate);
    }
    zero1_weights(&t->share, t->params.flat);
}

void trainer_ready(const struct trainer *t)
{
    const real *x = t->params.flat;
    size_t n = t->low ? t->params.learned : 0, threads = (size_t)t->threads;

    #pragma omp parallel for num_threads(t->threads)
    for (size_t i = 0; i < threads; i++) {
        size_t at = n * i / threads, end = n * (i + 1) / threads;

        if (end > at)
            t->be->lower(end - at, x + at, t->low + at);
    }
    for (int i = 0; i < t->threads; i++)
        t->tape[i]->weights = (struct lowered){x, n, t->low};
}

void trainer_rest(const struct trainer *t)
{
    for (int i = 0; i < t->threads; i++)
        t->tape[i]->weights = (struct lowered){0};
}

static double learn(struct trainer *t, const struct batch *b, uint64_t step)
{
    double loss = 0;
    struct zero1 *s = &t->share;

    memset(t->loss, 0, (size_t)t->c->shards * sizeof *t->loss);
    trainer_ready(t);
    relay_begin(t->relay);
    #pragma omp parallel for num_threads(t->threads) schedule(static, 1)
    for (int i = 0; i < t->threads; i++) {
        t->be->thread_begin();
        for (int j = i; j < s->stints; j += t->threads)
            one_stint(t, t->tape[i], b, j, step);
    }
    trainer_rest(t);
    relay_end(t->relay);
    zero1_sum(s, t->loss, (size_t)t->c->shards);
    for (int i = 0; i < t->c->shards; i++)
        loss += t->loss[i];
    if (isfinite(loss))
        update(t, step);
    return loss;
}

double trainer_step(struct trainer *t, const struct batch *b, uint64_t step)
{
    struct zero1 *s = &t->share;

    if (!s->ranks)
        return learn(t, b, step);
    struct traffic before = ranks_traffic(s->ranks);
    double began = clock_seconds(), loss = learn(t, b, step);
    zero1_count(s, &before, clock_seconds() - began, t->params.learned);
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
