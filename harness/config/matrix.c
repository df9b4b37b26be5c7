#include "harness/config/matrix.h"

#include "harness/base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(struct assigns *to, const struct assign *a, int n)
{
    if (n)
        memcpy(to->a + to->n, a, (size_t)n * sizeof *a);
    to->n += n;
}

/* The configuration of one combination of values; hit: its overrides. */
static int resolve(const struct experiment *e, const struct choice *o,
                   const char *const value[AXES], const struct match *m,
                   int hit, struct assigns *all, struct config *c)
{
    static const struct assign synthetic = {"synthetic", "true",
                                            "--synthetic"};

    all->n = 0;
    for (int x = 0; x < AXES; x++) {
        const char *key = experiment_axis[x];

        all->a[all->n++] = (struct assign){key, value[x], e->path};
    }
    append(all, e->settings.a, e->settings.n);
    for (; hit >= 0; hit = m->hit[hit].next) {
        const struct assigns *set = &e->override[m->hit[hit].override].set;

        append(all, set->a, set->n);
    }
    append(all, o->set.a, o->set.n);
    append(all, &synthetic, o->synthetic);
    return settings_resolve(c, all->a, all->n);
}

/* The axes with the command line's say. */
static int choose(const struct experiment *e, const struct choice *o,
                  struct values axis[AXES], struct arena *a)
{
    struct config scratch = {.seed = 0};
    int rc = OK;

    memcpy(axis, e->axis, sizeof e->axis);
    if (o->scale) {
        rc = settings_set(&scratch, "scale", o->scale);
        if (rc < 0)
            return err_wrap(rc, "--scale");
        axis[AXIS_SCALE] = (struct values){1, arena_take(a, sizeof(char *))};
        axis[AXIS_SCALE].value[0] = o->scale;
    }
    if (o->seeds) {
        struct values *v = &axis[AXIS_SEED];

        v->n = o->seeds;
        v->value = arena_take(a, (size_t)v->n * sizeof *v->value);
        for (int i = 0; i < v->n; i++) {
            char text[16];

            snprintf(text, sizeof text, "%lld", o->seed ? o->seed[i] : i + 1);
            v->value[i] = arena_text(a, text);
        }
    }
    return rc;
}

int matrix_cells(const struct experiment *e, const struct choice *o,
                     struct config **out, int *n)
{
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(free) struct config *cell = NULL;
    struct values axis[AXES];
    struct assigns all = {0};
    struct match m;
    size_t most = AXES + 1 + (size_t)e->settings.n + (size_t)o->set.n;
    double product = 1;

    *out = NULL;
    *n = 0;
    PASS(choose(e, o, axis, a));
    for (int x = 0; x < AXES; x++)
        product *= axis[x].n;
    if (product > MATRIX_MAX)
        return err_set(ERR_USAGE, "%s: %.0f cells; at most %d are allowed",
                       e->path, product, MATRIX_MAX);
    PASS(match_cells(&m, e, axis, (int)product, a));
    for (int i = 0; i < e->noverride; i++)
        most += (size_t)e->override[i].set.n;
    all.a = arena_take(a, most * sizeof *all.a);
    cell = calloc((size_t)product, sizeof *cell);
    for (int i = 0; i < (int)product; i++) {
        const char *value[AXES];

        if (m.excluded[i])
            continue;
        for (int x = AXES - 1, at = i; x >= 0; at /= axis[x--].n)
            value[x] = axis[x].value[at % axis[x].n];
        PASS(resolve(e, o, value, &m, m.first[i], &all, &cell[*n]));
        ++*n;
    }
    PASS(settings_check_mix(cell, *n, all.a, all.n));
    return HAND_ON(out, cell);
}
