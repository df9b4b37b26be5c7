#include "harness/gate/pair_cells.h"

#include "harness/base/map.h"

#include <math.h>
#include <string.h>

/* Returns 1 if a metric of the first cell is missing in the second one, or if
 * its value or its signature differs. */
static int metrics_differ(const struct cell_pair *m)
{
    for (int i = 0; i < m->a->n; i++) {
        const struct baseline_value *a = &m->a->value[i];
        const struct baseline_value *b = baseline_value(m->b, a->what);

        if (baseline_is_metric(a) &&
            (!b || strcmp(a->signature, b->signature) ||
             (a->value != b->value && !(isnan(a->value) && isnan(b->value)))))
            return 1;
    }
    return 0;
}

int pair_moved(const struct cell_pair *m)
{
    return strcmp(baseline_text(m->a, "id"), baseline_text(m->b, "id")) ||
           strcmp(baseline_text(m->a, "results"),
                  baseline_text(m->b, "results")) ||
           metrics_differ(m);
}

size_t pair_group(const char *name)
{
    return (size_t)(strrchr(name, '/') + 1 - name);
}

int pair_same_group(const char *x, const char *y)
{
    return pair_group(x) == pair_group(y) &&
           !strncmp(x, y, pair_group(x));
}

const char *pair_all_seeds(const char *name, struct arena *a)
{
    return arena_format(a, "%.*s*", (int)pair_group(name), name);
}

/* Returns the index of the cell named `name` that is not taken.  Returns -1 if
 * there is none, or if there are several. */
static int only(const struct baseline *b, const char *taken, const char *name)
{
    int found = -1;

    for (int i = 0; i < b->cells; i++) {
        if (taken[i] || strcmp(b->cell[i].name, name))
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

int pair_baselines(struct cell_pair **out, const struct baseline *a,
                   const struct baseline *b, struct arena *m)
{
    OWNED(map_free) struct map *ids = map_new();
    char *of_a = arena_zero(m, (size_t)a->cells + 1);
    char *of_b = arena_zero(m, (size_t)b->cells + 1);
    int *with = arena_zero(m, ((size_t)a->cells + 1) * sizeof *with);
    struct cell_pair *pair = *out = arena_zero(
        m, ((size_t)a->cells + (size_t)b->cells + 1) * sizeof *pair);

    for (int i = 0; i < b->cells; i++)
        map_add(ids, baseline_text(&b->cell[i], "id"), i);
    for (int i = 0; i < a->cells; i++) {
        with[i] = map_get(ids, baseline_text(&a->cell[i], "id"), -1);
        if (with[i] >= 0)
            of_a[i] = of_b[with[i]] = 1;
    }
    for (int i = 0; i < a->cells; i++) {
        const char *name = a->cell[i].name;

        if (with[i] < 0 && only(a, of_a, name) == i)
            with[i] = only(b, of_b, name);
        *pair++ = (struct cell_pair){
            &a->cell[i], with[i] < 0 ? NULL : &b->cell[with[i]]};
    }
    for (int i = 0; i < a->cells; i++)
        if (with[i] >= 0)
            of_b[with[i]] = 1;
    for (int i = 0; i < b->cells; i++)
        if (!of_b[i])
            *pair++ = (struct cell_pair){NULL, &b->cell[i]};
    return (int)(pair - *out);
}
