#include "plots/select.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdio.h>
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

int select_is(const struct report_cell *c, const char *task,
              const char *variant)
{
    return !strcmp(c->task, task) && !strcmp(c->variant, variant);
}

/* The most seeds that are done of any variant on the task. */
static int seeds_of(const struct report *r, const char *task)
{
    int most = 0;

    for (const char *const *v = select_variants(r); *v; v++) {
        int n = 0;

        for (int i = 0; i < r->n; i++)
            n += r->cell[i].state == CELL_DONE &&
                 select_is(&r->cell[i], task, *v);
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

int select_sane(double nats) { return fabs(nats) <= SELECT_WORST; }

static int is_absent(const struct report_cell *c, int diverged, int wanted)
{
    int lost = diverged || !strcmp(c->class, "diverged");

    return wanted ? lost : c->state == CELL_FAILED && !lost;
}

/* "dense", or "dense seeds 2, 3" of three. */
static void put_variant(FILE *out, const struct report *r, const char *task,
                        const char *variant, const char *diverged, int wanted)
{
    int cells = 0, absent = 0, named = 0;

    for (int i = 0; i < r->n; i++)
        if (select_is(&r->cell[i], task, variant)) {
            cells++;
            absent += is_absent(&r->cell[i], diverged[i], wanted);
        }
    fputs(variant, out);
    for (int i = 0; i < r->n && absent < cells; i++)
        if (select_is(&r->cell[i], task, variant) &&
            is_absent(&r->cell[i], diverged[i], wanted))
            fprintf(out, "%s%lld", named++ ? ", " : absent > 1 ? " seeds "
                                                               : " seed ",
                    r->cell[i].seed);
}

/* "diverged: dense, random", after what may stand there already. */
static void put_absent(FILE *out, const struct report *r, const char *task,
                       const char *diverged, int wanted)
{
    int named = 0;

    for (const char *const *v = select_variants(r); *v; v++)
        for (int i = 0; i < r->n; i++)
            if (select_is(&r->cell[i], task, *v) &&
                is_absent(&r->cell[i], diverged[i], wanted)) {
                fputs(named++ ? "; " : wanted ? "diverged: "
                      : ftell(out) > 0 ? ".  Failed: " : "failed: ", out);
                put_variant(out, r, task, *v, diverged, wanted);
                break;
            }
}

const char *select_absent(const struct report *r, const char *task,
                          const char *diverged)
{
    enum { ROOM = 105 }; /* letters of a line in a picture */
    char *text = NULL, *kept;
    size_t bytes = 0;
    FILE *f = open_memstream(&text, &bytes);

    if (!f)
        err_no_memory(ROOM);
    put_absent(f, r, task, diverged, 1);
    put_absent(f, r, task, diverged, 0);
    if (fclose(f))
        err_no_memory(bytes);
    if (bytes > ROOM)
        strcpy(text + ROOM - 3, "...");
    kept = arena_text(r->memory, text);
    free(text);
    return kept;
}
