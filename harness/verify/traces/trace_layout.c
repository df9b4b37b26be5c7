/* trace_layout: checks that the arrays of a trace file have the names, types
 * and shapes that its configuration implies, before trace_check uses them. */
#include "harness/verify/traces/trace.h"

#include "harness/base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct layout {
    const struct trace_file *f;
    const char              *path;
    char                    *seen; /* (f->n) */
};

int trace_steps(const struct trace_file *f)
{
    int last = 0, t;

    for (int i = 0; i < f->n; i++)
        if (sscanf(f->array[i].name, "steps/%d/", &t) == 1 && t > last)
            last = t;
    return last;
}

static const char *const type_name[] = {[TRACE_FLOAT] = "float32",
                                        [TRACE_DOUBLE] = "float64",
                                        [TRACE_INT] = "int32"};

/* Checks that f holds an array of this type and shape; dim[i] < 0 accepts any
 * size. */
static int want(struct layout *l, enum trace_type type, int nd,
                const int dim[], const char *group, const char *name)
{
    const struct trace_array *a = trace_file_find(l->f, "%s/%s", group, name);

    if (!a)
        return err_set(ERR_DATA, "%s: dataset %s/%s is missing", l->path,
                       group, name);
    l->seen[a - l->f->array] = 1;
    if (a->type != type)
        return err_set(ERR_DATA, "%s: %s is %s, not %s", l->path, a->name,
                       type_name[a->type], type_name[type]);
    int fits = a->nd == nd;
    for (int i = 0; fits && i < nd; i++)
        fits = dim[i] < 0 || a->dim[i] == dim[i];
    return fits ? OK
                : err_set(ERR_DATA, "%s: %s does not have the shape that the "
                          "config implies", l->path, a->name);
}

static int want_tensors(struct layout *l, const struct params *ps)
{
    static const char *const groups[2][4] = {
        [PARAM_LEARNED] = {"params", "grads", "end", NULL},
        [PARAM_FROZEN] = {"frozen", "frozen_end", NULL}};

    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];

        for (const char *const *g = groups[p->kind]; *g; g++)
            PASS(want(l, TRACE_FLOAT, p->value->nd, p->value->dim, *g,
                      p->name));
    }
    return OK;
}

/* Checks that ids are in range, and 0 exactly after the lengths (target_in may
 * also start with 0). */
static int check_ids(const struct layout *l, const struct config *c, int step,
                     const char *ids, const char *length)
{
    const struct trace_array *a =
        trace_file_find(l->f, "steps/%d/batch/%s", step, ids);
    const int *x = a->x;
    const int *len = trace_file_find(l->f, "steps/%d/batch/%s", step,
                                     length)->x;
    int first = !strcmp(ids, "target_in"), n = a->dim[1], fits = 1;
    long all = 0;

    for (int i = 0; fits && i < c->batch; i++) {
        fits = len[i] >= 0 && len[i] <= n;
        for (int j = 0; fits && j < n; j++) {
            int id = x[i * n + j];

            fits = id >= 0 && id < c->vocab &&
                   (j < first || (id != 0) == (j < len[i]));
        }
        all += len[i];
    }
    if (n < 1 || n > c->model.N)
        return err_set(ERR_DATA, "%s: %s has %d columns, expected 1 to N = %d",
                       l->path, a->name, n, c->model.N);
    return fits && all ? OK
                       : err_set(ERR_DATA, "%s: %s: an id is outside 0..%d, or "
                                 "the zeros do not agree with %s", l->path,
                                 a->name, c->vocab - 1, length);
}

/* Checks that each position has two ids: the input of the decoder and its
 * expected output. */
static int check_widths(const struct layout *l, int step)
{
    const struct trace_array *in =
        trace_file_find(l->f, "steps/%d/batch/target_in", step);
    const struct trace_array *out =
        trace_file_find(l->f, "steps/%d/batch/target_out", step);

    if (in->dim[1] == out->dim[1])
        return OK;
    return err_set(ERR_DATA, "%s: %s has %d columns, but target_out has %d",
                   l->path, in->name, in->dim[1], out->dim[1]);
}

static int check_labels(const struct layout *l, const struct config *c,
                        int step)
{
    const struct trace_array *a =
        trace_file_find(l->f, "steps/%d/batch/label", step);
    const int *x = a->x;

    for (int i = 0; c->model.classes > 1 && i < c->batch; i++)
        if (x[i] < 0 || x[i] >= c->model.classes)
            return err_set(ERR_DATA, "%s: %s: label %d is not one of the %d "
                           "classes", l->path, a->name, x[i], c->model.classes);
    return OK;
}

static int want_batch(struct layout *l, const struct config *c, int step)
{
    char group[TRACE_NAME];
    enum family family = c->model.family;

    snprintf(group, sizeof group, "steps/%d/batch", step);
    for (const struct trace_field *d = trace_fields; d->name; d++) {
        int value = !strcmp(d->name, "label") && c->model.classes == 1;

        if (d->families & 1u << family)
            PASS(want(l, value ? TRACE_FLOAT : TRACE_INT, 1 + !!d->side,
                      (int[]){c->batch, -1}, group, d->name));
    }
    if (family != FAMILY_LM)
        PASS(check_ids(l, c, step, "source", "source_length"));
    if (family == FAMILY_ENCODER) {
        PASS(check_labels(l, c, step));
    } else {
        PASS(check_ids(l, c, step, "target_out", "target_length"));
        PASS(check_ids(l, c, step, "target_in", "target_length"));
        PASS(check_widths(l, step));
    }
    return OK;
}

int trace_layout(const struct trace_file *f, const char *path,
                 const struct config *c, const struct mix *mix)
{
    OWNED(free) char *seen = calloc((size_t)f->n + 1, 1);
    struct layout l = {f, path, seen};
    OWNED(params_close) struct params plan;

    params_count(&plan);
    model_new(&c->model, mix, &plan);
    PASS(want_tensors(&l, &plan));
    for (int t = 1; t <= c->steps; t++) {
        char group[TRACE_NAME];

        snprintf(group, sizeof group, "steps/%d", t);
        PASS(want(&l, TRACE_DOUBLE, 0, NULL, group, "loss"));
        PASS(want(&l, TRACE_DOUBLE, 0, NULL, group, "lr"));
        PASS(want_batch(&l, c, t));
    }
    for (int i = 0; i < f->n; i++)
        if (!seen[i])
            return err_set(ERR_DATA, "%s: dataset %s does not belong in a "
                           "trace with this config", path, f->array[i].name);
    return c->steps < 1 ? err_set(ERR_DATA, "%s: has no steps", path) : OK;
}
