#include "plots/select.h"

#include "harness/base/arena.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

typedef const char *getter(const struct report_cell *c);

static const char *task_of(const struct report_cell *c) { return c->task; }
static const char *variant_of(const struct report_cell *c)
{
    return c->variant;
}

static const char *const *distinct(const struct report *r, getter *of)
{
    size_t room = (size_t)r->n + 1;
    const char **out = arena_zero(r->memory, room * sizeof *out);
    int n = 0;

    for (int i = 0; i < r->n; i++) {
        int known = 0;

        for (int j = 0; j < n; j++)
            known |= !strcmp(out[j], of(&r->cell[i]));
        if (!known)
            out[n++] = of(&r->cell[i]);
    }
    return out;
}

const char *const *select_tasks(const struct report *r)
{
    return distinct(r, task_of);
}

const char *const *select_variants(const struct report *r)
{
    return distinct(r, variant_of);
}

int select_done(const struct report *r, const char *task)
{
    int n = 0;

    for (int i = 0; i < r->n; i++)
        n += r->cell[i].state == CELL_DONE && !strcmp(r->cell[i].task, task);
    return n;
}

/* The most seeds that are done of any variant on the task. */
static int seeds_of(const struct report *r, const char *task)
{
    int most = 0;

    for (const char *const *v = select_variants(r); *v; v++) {
        int n = 0;

        for (int i = 0; i < r->n; i++)
            n += r->cell[i].state == CELL_DONE &&
                 !strcmp(r->cell[i].task, task) &&
                 !strcmp(r->cell[i].variant, *v);
        most = n > most ? n : most;
    }
    return most;
}

const char *select_title(const struct report *r, const char *what,
                         const char *task)
{
    const struct report_cell *c = r->cell;
    int seeds = seeds_of(r, task);

    while (strcmp(c->task, task))
        c++;
    char *text = str_format("%s: %s%s, scale %s, %d seed%s", what, task,
                            c->synthetic ? " (SYNTHETIC DATA)" : "", c->scale,
                            seeds, seeds == 1 ? "" : "s");
    const char *kept = arena_text(r->memory, text);
    free(text);
    return kept;
}
