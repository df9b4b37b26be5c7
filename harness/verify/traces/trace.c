#include "harness/verify/traces/trace.h"

#include "harness/base/err.h"
#include "harness/train/weights.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    HAS_SOURCE = 1 << FAMILY_SEQ2SEQ | 1 << FAMILY_ENCODER,
    HAS_TARGET = 1 << FAMILY_SEQ2SEQ | 1 << FAMILY_LM,
    HAS_LABEL = 1 << FAMILY_ENCODER
};

const struct trace_field trace_fields[] = {
    {"source", HAS_SOURCE, 1, offsetof(struct batch, source)},
    {"source_length", HAS_SOURCE, 0, offsetof(struct batch, source_length)},
    {"target_in", HAS_TARGET, 2, offsetof(struct batch, target_in)},
    {"target_out", HAS_TARGET, 2, offsetof(struct batch, target_out)},
    {"target_length", HAS_TARGET, 0, offsetof(struct batch, target_length)},
    {"label", HAS_LABEL, 0, offsetof(struct batch, label)},
    {.name = NULL},
};

static struct batch batch_of(const struct trace_file *f,
                             const struct config *c, int step)
{
    struct batch b = {.b = c->batch, .targets = c->batch};

    for (const struct trace_field *d = trace_fields; d->name; d++) {
        const struct trace_array *a =
            trace_file_find(f, "steps/%d/batch/%s", step, d->name);

        if (!(d->families & 1u << c->model.family))
            continue;
        REQUIRE(a, "step %d: %s", step, d->name);
        if (a->type == TRACE_FLOAT)
            b.value = a->x;
        else
            *(const int **)((char *)&b + d->at) = a->x;
        if (d->side)
            *(d->side == 1 ? &b.n : &b.m) = a->dim[1];
    }
    if (b.m)
        b.targets = 0;
    for (int i = 0; b.m && i < b.b; i++)
        b.targets += b.target_length[i];
    return b;
}

double trace_norm(const real *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}

static double norm_of(const real *grad, const struct param *p)
{
    return trace_norm(grad + p->at, tensor_len(p->value));
}

static double largest(const struct params *ps, const real *grad)
{
    double top = 0;

    for (int i = 0; i < ps->n; i++)
        if (ps->list[i].kind == PARAM_LEARNED)
            top = fmax(top, norm_of(grad, &ps->list[i]));
    return top;
}

int trace_silent(const struct trace_run *r, const struct param *p)
{
    for (int i = 0; i < r->steps; i++)
        if (norm_of(r->grad[i], p) > 1e-6 * r->top[i])
            return 0;
    return 1;
}

void trace_play(struct trace_run *r, const struct trace_file *f,
                const struct config *c, const struct mix *mix)
{
    size_t steps = (size_t)c->steps;

    *r = (struct trace_run){.steps = c->steps, .memory = arena_new()};
    REQUIRE(trainer_open(&r->trainer, c, mix, NULL) == OK, "%s", err_last());
    REQUIRE(weights_take(&r->trainer.params, f, "trace") == OK, "%s",
            err_last());
    r->loss = arena_take(r->memory, steps * sizeof *r->loss);
    r->rate = arena_take(r->memory, steps * sizeof *r->rate);
    r->top = arena_take(r->memory, steps * sizeof *r->top);
    r->grad = arena_take(r->memory, steps * sizeof *r->grad);
    for (int i = 0; i < c->steps; i++) {
        size_t bytes = r->trainer.params.learned * sizeof(real);
        struct batch b = batch_of(f, c, i + 1);

        r->grad[i] = arena_take(r->memory, bytes);
        r->loss[i] = trainer_step(&r->trainer, &b, (uint64_t)i);
        r->rate[i] = trainer_rate(&r->trainer, (uint64_t)i);
        memcpy(r->grad[i], trainer_grad(&r->trainer), bytes);
        r->top[i] = largest(&r->trainer.params, r->grad[i]);
    }
}

void trace_run_close(struct trace_run *r)
{
    arena_free(r->memory);
    trainer_close(&r->trainer);
}
