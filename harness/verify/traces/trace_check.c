/*
 * trace_check: repeats the steps of a trace and compares the results ("here")
 * with those in the file.  Each error is ||file - here|| / (||here|| + floor);
 * the floor is 0 unless the table states it.  The largest error of each group
 * is compared with the bound of the group:
 *
 *     lr          1e-6   every step
 *     loss        1e-5   every step
 *     gradient    1e-4   each tensor, step 1; floor: 1e-4 of the largest norm
 *     end         1e-3   each tensor's update over all steps; floor: 1000
 *                        times its float32 rounding error.  Only firm elements
 *                        count: in every step, the gradient of such an element
 *                        is 0 or at least 1e-2 of the root mean square of its
 *                        tensor.  If it is smaller, a sign-like update turns a
 *                        rounding error into a whole step
 *     orthogonal  1e-6   largest element of |Q^T Q - I|
 *
 * The other checks pass or fail.  Frozen tensors must be bit-identical; exactly
 * the learned tensors must have optimiser state; a tensor that changes here
 * must change in the file; no element may differ by more than all steps
 * together can cause; and no update may be lost in rounding.  If the gradient
 * of a tensor is only rounding error, its update is not compared.
 * tests/parity/parity.py has the same bounds.
 */
#include "harness/verify/traces/trace.h"

#include "harness/base/err.h"
#include "harness/base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings ---- */

static struct trace_finding *group(struct trace_report *r, const char *name,
                                   double bound)
{
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->finding[i].group, name))
            return &r->finding[i];
    REQUIRE(r->n < TRACE_FINDINGS, "too many groups");
    r->finding[r->n] = (struct trace_finding){.group = name, .bound = bound};
    return &r->finding[r->n++];
}

static void found(struct trace_report *r, const char *name, double bound,
                  const char *at, double error)
{
    struct trace_finding *g = group(r, name, bound);

    if (!isfinite(error))
        error = INFINITY;
    if (error > bound && !g->failed++) {
        snprintf(g->first, sizeof g->first, "%s", at);
        g->error = error;
    }
    r->failed += error > bound;
    if (error < g->worst || (g->at[0] && error == g->worst))
        return;
    g->worst = error;
    snprintf(g->at, sizeof g->at, "%s", at);
}

/* Records a check that passes or fails: its error is 0 if `yes` is 1, else
 * infinite. */
static void holds(struct trace_report *r, const char *name, const char *at,
                  int yes)
{
    found(r, name, 0, at, yes ? 0 : INFINITY);
}

static double ratio(double gap, double size)
{
    return size > 0 ? gap / size : gap > 0 ? INFINITY : gap;
}

static const float *floats(const struct trace_file *f, const char *group,
                           const struct param *p)
{
    return trace_file_find(f, "%s/%s", group, p->name)->x;
}

static void scalars(struct trace_report *r, const struct trace_file *f,
                    const struct trace_run *run, const char *name,
                    double bound, const double *here)
{
    for (int t = 1; t <= run->steps; t++) {
        const struct trace_array *a =
            trace_file_find(f, "steps/%d/%s", t, name);
        double gap = fabs(*(const double *)a->x - here[t - 1]);

        found(r, name, bound, a->name, ratio(gap, fabs(here[t - 1])));
    }
}

/* ---- state and frozen tensors ---- */

static int named(const json_t *names, const char *name)
{
    const json_t *v;
    size_t i;

    json_array_foreach (names, i, v)
        if (json_is_string(v) && !strcmp(json_string_value(v), name))
            return 1;
    return 0;
}

/* Checks that exactly the learned tensors have optimiser state. */
static void state(struct trace_report *r, const struct trace_file *f,
                  const struct params *ps)
{
    OWNED(json_decref) json_t *names = json_loads(f->state, 0, NULL);
    size_t learned = 0;

    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];

        learned += p->kind == PARAM_LEARNED;
        holds(r, "optimizer state", p->name,
              named(names, p->name) == (p->kind == PARAM_LEARNED));
    }
    holds(r, "optimizer state", "all", json_array_size(names) == learned);
}

static void frozen(struct trace_report *r, const struct trace_file *f,
                   const struct param *p)
{
    const float *start = floats(f, "frozen", p);
    const float *end = floats(f, "frozen_end", p);
    size_t n = tensor_len(p->value);
    int kept = !memcmp(start, end, n * sizeof *start);

    for (size_t i = 0; i < n; i++)
        kept &= p->value->x[i] == start[i];
    holds(r, "frozen weights", p->name, kept);
}

/* Returns max |Q^T Q - I| for columns first .. first + k - 1 of Q (d,width). */
static double gram(const float *q, int d, int width, int first, int k)
{
    double worst = 0;

    for (int i = first; i < first + k; i++)
        for (int j = first; j < first + k; j++) {
            double dot = 0;

            for (int a = 0; a < d; a++)
                dot += (double)q[a * width + i] * q[a * width + j];
            worst = fmax(worst, fabs(dot - (i == j)));
        }
    return worst;
}

static void orthogonal(struct trace_report *r, const struct trace_file *f,
                       const struct param *p)
{
    const struct trace_array *a = trace_file_find(f, "frozen_end/%s", p->name);

    for (int h = 0, k = p->blocks ? a->dim[1] / p->blocks : 0; h < p->blocks;
         h++)
        found(r, "orthogonal", 1e-6, p->name,
              gram(a->x, a->dim[0], a->dim[1], h * k, k));
}

/* ---- learned tensors ---- */

static void gradient(struct trace_report *r, const struct trace_file *f,
                     const struct trace_run *run, const struct param *p)
{
    const real *here = run->grad[0] + p->at;
    const float *there = floats(f, "grads", p);
    size_t n = tensor_len(p->value);
    double gap = 0;

    for (size_t i = 0; i < n; i++) {
        double x = there[i] - (double)here[i];

        gap += x * x;
    }
    double floor = (trace_silent(run, p) ? 1e-2 : 1e-4) * run->top[0];
    found(r, "gradient", 1e-4, p->name,
          ratio(sqrt(gap), trace_norm(here, n) + floor));
}

static int firm(const struct trace_run *run, const struct param *p, size_t i,
                const double *rms)
{
    for (int t = 0; t < run->steps; t++) {
        double g = (double)run->grad[t][p->at + i];

        if (g != 0 && fabs(g) < 1e-2 * rms[t])
            return 0;
    }
    return 1;
}

/* Returns the largest difference between an element here and in the file that
 * all steps together can cause: twice the sum of the learning rates, multiplied
 * for Adafactor by the largest possible step of an element. */
static double reach(const struct trace_run *run, const struct config *c,
                    const struct param *p, const float *start)
{
    double rates = 0, sum = 0, peak = 0, step = 1;
    size_t n = tensor_len(p->value);

    for (int t = 0; t < run->steps; t++)
        rates += run->rate[t] * optim_rate(&c->optimizer, p);
    for (size_t i = 0; i < n; i++) {
        sum += (double)start[i] * start[i];
        peak = fmax(peak, fabs((double)start[i]));
    }
    if (c->optimizer.kind == OPTIM_ADAFACTOR)
        step = fmax(sqrt(sum / (double)n), c->optimizer.eps2) *
               c->optimizer.clip * sqrt((double)n);
    return 2 * rates * step + 1e-6 * peak;
}

static void end(struct trace_report *r, const struct trace_file *f,
                const struct trace_run *run, const struct config *c,
                const struct param *p)
{
    const float *start = floats(f, "params", p);
    const float *there = floats(f, "end", p);
    size_t n = tensor_len(p->value);
    OWNED(free) double *rms = malloc((size_t)run->steps * sizeof *rms);
    double gap = 0, size = 0, apart = 0;

    for (int t = 0; t < run->steps; t++)
        rms[t] = trace_norm(run->grad[t] + p->at, n) / sqrt((double)n);
    for (size_t i = 0; i < n; i++) {
        double here = (double)p->value->x[i];
        double away = there[i] - here, move = here - start[i];

        if (firm(run, p, i, rms)) {
            gap += away * away;
            size += move * move;
        }
        apart = !isfinite(away) ? INFINITY : fmax(apart, fabs(away));
    }
    struct trace_update u = trace_update(f, p, run->steps);
    if (!trace_silent(run, p)) {
        found(r, "final weights", 1e-3, p->name,
              ratio(sqrt(gap), sqrt(size) + u.grain / 1e-3));
        holds(r, "weights that change", p->name,
              u.size == 0 || memcmp(start, there, n * sizeof *start));
        holds(r, "change above rounding", p->name, !trace_drowned(u));
    }
    holds(r, "change within the optimizer's reach", p->name,
          apart <= reach(run, c, p, start));
}

int trace_check(struct trace_report *out, const struct trace_file *f,
                const char *path, const struct config *c,
                const struct mix *mix)
{
    OWNED(trace_run_close) struct trace_run run = {.steps = 0};

    *out = (struct trace_report){.n = 0};
    PASS(trace_layout(f, path, c, mix));
    trace_play(&run, f, c, mix);
    state(out, f, &run.trainer.params);
    scalars(out, f, &run, "lr", 1e-6, run.rate);
    scalars(out, f, &run, "loss", 1e-5, run.loss);
    for (int i = 0; i < run.trainer.params.n; i++) {
        const struct param *p = &run.trainer.params.list[i];

        if (p->kind == PARAM_LEARNED) {
            gradient(out, f, &run, p);
            end(out, f, &run, c, p);
        } else {
            frozen(out, f, p);
            orthogonal(out, f, p);
        }
    }
    return OK;
}
