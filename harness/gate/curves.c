#include "harness/gate/curves.h"

#include "harness/base/err.h"
#include "harness/stats/stats.h"

#include <stdlib.h>
#include <string.h>

static int copy_list(double **out, size_t *n, struct cell_reader *r,
                     const char *path, struct arena *a)
{
    OWNED(free) double *x = NULL;

    PASS(cell_get_array(r, path, &x, n));
    *out = arena_take(a, (*n + 1) * sizeof **out);
    if (*n)
        memcpy(*out, x, *n * sizeof *x);
    return OK;
}

/* Adds a curve.  The cell's lists of steps and values have the same length,
 * because cell_open checks this (store/cell_check.c). */
static int add_curve(struct curves *out, struct cell_reader *r,
                     const char *group, const char *name, struct arena *a)
{
    const char *path = arena_format(a, "curves/%s/%s", group, name);
    struct curve *c = &out->curve[out->n++];
    OWNED(free) char *units = NULL;

    c->name = path + strlen("curves/");
    PASS(copy_list(&c->value, &c->n, r, path, a));
    PASS(copy_list(&c->step, &c->n, r, arena_format(a, "curves/%s/step",
                                                    group), a));
    PASS(cell_maybe(cell_get_unit(r, path, &units)));
    c->units = arena_text(a, units ? units : "");
    for (size_t i = 1; i < c->n; i++)
        if (!(c->step[i] > c->step[i - 1]))
            return err_set(ERR_STORE, "/curves/%s/step does not increase",
                           group);
    return OK;
}

static int read_all(struct curves *out, struct cell_reader *r,
                    struct arena *a)
{
    const char **name;
    size_t n;

    PASS(cell_maybe(cell_get_names(r, "curves/valid", &name, &n)));
    out->curve = arena_zero(a, (n + 1) * sizeof *out->curve);
    PASS(add_curve(out, r, "train", "loss", a));
    for (size_t i = 0; i < n; i++)
        if (strcmp(name[i], "step"))
            PASS(add_curve(out, r, "valid", name[i], a));
    return OK;
}

int curves_read(struct curves *out, const char *store, const char *id,
                struct arena *a)
{
    OWNED(cell_close) struct cell_reader *r = NULL;

    *out = (struct curves){.n = 0};
    PASS(cell_open(&r, store, id));
    int rc = read_all(out, r, a);
    return rc == ERR_EMPTY ? err_wrap(ERR_STORE, "curves") : rc;
}

const struct curve *curves_find(const struct curves *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (!strcmp(c->curve[i].name, name))
            return &c->curve[i];
    return NULL;
}

/* Returns the index of a step in the curve, or c->n if the step was not
 * recorded. */
static size_t find_step(const struct curve *c, double step)
{
    const double *at = bsearch(&step, c->step, c->n, sizeof step, stats_order);

    return at ? (size_t)(at - c->step) : c->n;
}

int curve_has(const struct curve *c, double first, double last)
{
    return find_step(c, first) < c->n && find_step(c, last) < c->n;
}

double curve_mean(const struct curve *c, double first, double last)
{
    size_t from = find_step(c, first), to = find_step(c, last);
    double sum = 0;

    for (size_t i = from; i <= to; i++)
        sum += c->value[i];
    return sum / (double)(to - from + 1);
}
