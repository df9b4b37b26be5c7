/*
 * What a cell costs, found by running one step of it on a backend that
 * computes nothing: operations and bytes come from the very calls that
 * training makes, so they cannot drift from it.
 */
#include "harness/engine/flops.h"
#include "harness/train/train.h"
#include "harness/train/trainer.h"

#include <stdlib.h>

/* Ids of one shard: zeros, every sentence as long as it may be; rectangles are
 * rounded up as data/batch.h does. */
static struct input longest(const struct config *c, int rows, struct arena *a)
{
    int n = (c->length + 7) / 8 * 8 < c->model.N ? (c->length + 7) / 8 * 8
                                                 : c->model.N;
    size_t cells = (size_t)rows * (size_t)n;
    int *ids = arena_zero(a, cells * sizeof *ids);
    int *length = arena_zero(a, (size_t)rows * sizeof *length);
    struct input in = {.b = rows, .source = ids, .target_in = ids,
                       .target_out = ids, .label = ids,
                       .source_length = length, .target_length = length};

    for (int i = 0; i < rows; i++)
        length[i] = c->length;
    if (c->model.family != FAMILY_LM)
        in.n = n;
    if (c->model.family != FAMILY_ENCODER)
        in.m = n;
    return in;
}

/* Forward and backward of one shard: its operations; *bytes of its tape. */
static double dry_run(const struct config *c, const struct mix *mix,
                      const struct params *plan, int rows, double *bytes)
{
    struct params ps;
    struct tape *t = tape_dry();
    struct arena *a = arena_new();
    struct loss loss = {.scale = 1};
    struct input in = longest(c, rows, a);
    double before = flops_total();

    params_dry(&ps, plan);
    struct model *m = model_new(&c->model, mix, &ps);
    tape_begin(t, TAPE_TRAIN, (struct rng_key){0}, 0, c->model.dropout);
    tensor *root = model_loss(m, t, &in, &loss);
    tape_backward(t, root);
    *bytes = (double)arena_peak(t->data);
    params_close(&ps);
    tape_free(t);
    arena_free(a);
    return flops_total() - before;
}

void train_cost(const struct config *c, const struct mix *mix,
                struct cost *out)
{
    struct params plan;
    double tape = 0, most = 0;

    *out = (struct cost){0};
    params_count(&plan);
    model_new(&c->model, mix, &plan);
    out->params = (double)params_total(&plan, PARAM_LEARNED);
    for (int s = 0; s < c->shards; s++) {
        int rows = c->batch * (s + 1) / c->shards - c->batch * s / c->shards;

        if (rows > 0)
            out->flops_per_step += dry_run(c, mix, &plan, rows, &tape);
        most = tape > most ? tape : most;
    }
    /* Weights, optimiser state, a gradient for each lane, a tape a thread. */
    int threads = c->threads < c->lanes ? c->threads : c->lanes;
    double state = (double)optim_values(&plan, &c->optimizer);
    out->bytes = sizeof(real) * ((1.0 + c->lanes) * (double)plan.learned +
                                 state + (double)plan.frozen) +
                 threads * most;
    params_close(&plan);
}
