#include "harness/verify/traces/trace.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/json.h"
#include "harness/train/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int constant(const real *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return 0;
    return 1;
}

/* Adds noise to constant tensors: N(0, 0.1^2) to gains, which start at 1, and
 * N(0, 0.3^2) to biases and scalars. */
static void perturb(struct param *p, uint64_t seed)
{
    struct rng_key key = {seed, RNG_TRACE, 0, hash_name(p->name)};
    real *x = p->value->x;
    size_t n = tensor_len(p->value);

    if (p->kind == PARAM_FROZEN || !constant(x, n))
        return;
    for (size_t i = 0; i < n; i++)
        x[i] += (real)((x[i] == 0 ? 0.3 : 0.1) * rng_normal(key, i));
}

static void draw_weights(struct trace_file *f, const struct config *c,
                         const struct mix *mix)
{
    struct trainer t;

    REQUIRE(trainer_open(&t, c, mix, NULL) == OK, "%s", err_last());
    for (int i = 0; i < t.params.n; i++) {
        struct param *p = &t.params.list[i];

        perturb(p, c->seed);
        weights_put(f, p->kind == PARAM_LEARNED ? "params" : "frozen", p,
                    p->value->x);
    }
    trainer_close(&t);
}

static struct rng_key key_of(const struct config *c, int step,
                             const char *what)
{
    return (struct rng_key){c->seed, RNG_TRACE, (uint32_t)step,
                            hash_name(what)};
}

/* Draws sentences (b,n).  The first fills its row; the others are shorter, with
 * at least half its length.  Ids are 2 or more, the last one is 1, and padding
 * is 0. */
static const int *sentences(struct trace_file *f, const struct config *c,
                            int step, const char *ids, const char *length,
                            int n)
{
    struct rng_key key = key_of(c, step, ids), cut = key_of(c, step, length);
    int *x = trace_file_add(f, TRACE_INT, 2, (int[]){c->batch, n},
                            "steps/%d/batch/%s", step, ids);
    int *len = trace_file_add(f, TRACE_INT, 1, &c->batch, "steps/%d/batch/%s",
                              step, length);
    int least = n / 2 > 1 ? n / 2 : 1;

    for (int i = 0; i < c->batch; i++) {
        len[i] = i == 0 || n == 1
                     ? n
                     : least + (int)rng_below(cut, (uint64_t)i,
                                              (uint32_t)(n - least));
        for (int j = 0; j < len[i]; j++)
            x[i * n + j] = j == len[i] - 1
                               ? 1
                               : 2 + (int)rng_below(key, (uint64_t)(i * n + j),
                                                    (uint32_t)c->vocab - 2);
    }
    return x;
}

/* Adds target_in, which is target_out shifted right.  The decoder starts from
 * pad (t5) or from the end mark (t2t). */
static void shifted(struct trace_file *f, const struct config *c, int step,
                    const int *out, int n)
{
    int *in = trace_file_add(f, TRACE_INT, 2, (int[]){c->batch, n},
                             "steps/%d/batch/target_in", step);

    for (int i = 0; i < c->batch * n; i++)
        in[i] = out[i] == 0     ? 0
                : i % n         ? out[i - 1]
                                : !strcmp(c->preset, "t2t");
}

static void labels(struct trace_file *f, const struct config *c, int step)
{
    struct rng_key key = key_of(c, step, "label");
    int real_label = c->model.classes == 1;
    void *x = trace_file_add(f, real_label ? TRACE_FLOAT : TRACE_INT, 1,
                             &c->batch, "steps/%d/batch/label", step);

    for (int i = 0; i < c->batch; i++)
        if (real_label)
            ((float *)x)[i] = (float)rng_normal(key, (uint64_t)i);
        else
            ((int *)x)[i] = (int)rng_below(key, (uint64_t)i,
                                           (uint32_t)c->model.classes);
}

/* Draws a batch whose lengths differ between the steps, and between source and
 * target. */
static void draw_batch(struct trace_file *f, const struct config *c, int step)
{
    enum family family = c->model.family;
    int n = c->length - step % 3, m = n - 3;

    n = n > 1 ? n : 1;
    m = m > 1 ? m : 1;
    if (family != FAMILY_LM)
        sentences(f, c, step, "source", "source_length", n);
    if (family == FAMILY_ENCODER)
        labels(f, c, step);
    else
        shifted(f, c, step,
                sentences(f, c, step, "target_out", "target_length", m), m);
}

struct trace_update trace_update(const struct trace_file *f,
                                 const struct param *p, int steps)
{
    const float *start = trace_file_find(f, "params/%s", p->name)->x;
    size_t n = tensor_len(p->value);
    double size = 0, norm = 0;

    for (size_t i = 0; i < n; i++) {
        double move = (double)p->value->x[i] - start[i];

        size += move * move;
        norm += (double)start[i] * start[i];
    }
    return (struct trace_update){sqrt(size), 6e-8 * sqrt(steps) * sqrt(norm)};
}

int trace_drowned(struct trace_update u)
{
    return u.size > 0 && u.size < 10 * u.grain;
}

/* Checks that rounding errors are at most 1e-3 of the update of the whole
 * model, and at most 1e-1 of the update of each tensor, in which steps may
 * cancel. */
static int resolved(const struct trace_file *f, const struct trace_run *r)
{
    double size = 0, grain = 0;

    for (int i = 0; i < r->trainer.params.n; i++) {
        const struct param *p = &r->trainer.params.list[i];

        if (p->kind == PARAM_FROZEN || trace_silent(r, p))
            continue;
        struct trace_update u = trace_update(f, p, r->steps);
        if (!isfinite(u.size))
            return err_set(ERR_DIVERGED, "%s is not finite after step %d; "
                           "lower schedule.scale", p->name, r->steps);
        size += u.size * u.size;
        grain += u.grain * u.grain;
        if (trace_drowned(u))
            return err_set(ERR_USAGE, "%s changes by %.1e in %d steps, which "
                           "is too small to compare: its float32 rounding "
                           "error is %.1e; use another seed or larger steps",
                           p->name, u.size, r->steps, u.grain);
    }
    if (1e-3 * sqrt(size) < sqrt(grain))
        return err_set(ERR_USAGE, "the weights change by %.1e in %d steps, "
                       "which is too small to compare: their float32 rounding "
                       "error is %.1e; use larger steps, such as with "
                       "schedule.warmup 100", sqrt(size), r->steps,
                       sqrt(grain));
    return OK;
}

static void scalar(struct trace_file *f, int step, const char *name,
                   double value)
{
    *(double *)trace_file_add(f, TRACE_DOUBLE, 0, NULL, "steps/%d/%s", step,
                              name) = value;
}

static void results(struct trace_file *f, const struct trace_run *r)
{
    const struct params *ps = &r->trainer.params;

    for (int i = 0; i < r->steps; i++) {
        scalar(f, i + 1, "loss", r->loss[i]);
        scalar(f, i + 1, "lr", r->rate[i]);
    }
    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];

        if (p->kind == PARAM_LEARNED)
            weights_put(f, "grads", p, r->grad[0] + p->at);
        weights_put(f, p->kind == PARAM_LEARNED ? "end" : "frozen_end", p,
                    p->value->x);
    }
}

/* Stores the names of the learned tensors, as JSON. */
static void state(struct trace_file *f, const struct params *ps)
{
    OWNED(json_decref) json_t *names = json_array();

    for (int i = 0; i < ps->n; i++)
        if (ps->list[i].kind == PARAM_LEARNED)
            json_array_append_new(names, json_string(ps->list[i].name));
    OWNED(free) char *text = json_dumps(names, 0);
    f->state = arena_text(f->memory, text);
}

static const struct trace_about about[] = {
    {"params/*", "learned tensor before step 1", "1", "as in the model"},
    {"frozen/*", "frozen tensor before step 1", "1", "as in the model"},
    {"frozen_end/*", "frozen tensor after the last step", "1",
     "as in the model"},
    {"grads/*", "gradient of the loss of step 1", "nats", "as in the model"},
    {"end/*", "learned tensor after the last step", "1", "as in the model"},
    {"steps/*/loss", "mean loss of the batch", "nats", ""},
    {"steps/*/lr", "learning rate of the step", "1", ""},
    {"steps/*/batch/*_length", "number of ids of the row that are not padding",
     "1", "row"},
    {"steps/*/batch/label", "label of the row", "1", "row"},
    {"steps/*/batch/*", "token ids, 0 behind the end of the row", "1",
     "row position"},
    {.pattern = NULL}};

int trace_make(struct trace_file *f, const struct config *c,
               const struct mix *mix)
{
    static const char *const groups[] = {"params", "frozen", "frozen_end",
                                         "grads", "end", NULL};
    OWNED(trace_run_close) struct trace_run r = {.steps = 0};

    f->groups = groups;
    f->about = about;
    draw_weights(f, c, mix);
    for (int i = 1; i <= c->steps; i++)
        draw_batch(f, c, i);
    trace_play(&r, f, c, mix);
    for (int i = 0; i < r.steps; i++)
        if (!isfinite(r.loss[i]))
            return err_set(ERR_DIVERGED, "the loss of step %d is not finite; "
                           "lower schedule.scale", i + 1);
    PASS(resolved(f, &r));
    results(f, &r);
    state(f, &r.trainer.params);
    return OK;
}
