#include "plots/sweep.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "plots/select.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Splits "random,steps=700,init=glorot" into "random,init=glorot" and 700. */
int sweep_read(struct sweep_point *out, const char *row, const char *key,
               struct arena *a)
{
    const char *at = strstr(row, key);
    char *rest;

    if (!at)
        return 0;
    out->value = strtol(at + strlen(key), &rest, 10);
    out->line = arena_format(a, "%.*s%s", (int)(at - row), row, rest);
    return out->value > 0;
}

static int read_cell(struct sweep_point *out, const struct report *r, int cell,
                     const char *task, const char *key)
{
    const struct report_cell *c = &r->cell[cell];

    return c->state == CELL_DONE && !strcmp(c->task, task) &&
           sweep_read(out, c->variant, key, r->memory);
}

const char *const *sweep_lines(const struct report *r, const char *task,
                               const char *key)
{
    const char **line = arena_zero(r->memory,
                                   ((size_t)r->n + 1) * sizeof *line);
    struct sweep_point v;
    int n = 0;

    for (int i = 0; i < r->n; i++)
        if (read_cell(&v, r, i, task, key) && names_index(line, v.line) < 0)
            line[n++] = v.line;
    return line;
}

long sweep_next(const struct report *r, const char *task, const char *key,
                const char *line, long after)
{
    long next = LONG_MAX;
    struct sweep_point v;

    for (int i = 0; i < r->n; i++)
        if (read_cell(&v, r, i, task, key) && !strcmp(v.line, line) &&
            v.value > after && v.value < next)
            next = v.value;
    return next;
}

int sweep_is(const struct report *r, int cell, const char *task,
             const char *key, const struct sweep_point *point)
{
    struct sweep_point v;

    return read_cell(&v, r, cell, task, key) && v.value == point->value &&
           !strcmp(v.line, point->line);
}

int sweep_render(const struct report *r, const struct output *to,
                 const char *key,
                 int (*draw)(const struct report *r, const struct output *to,
                             const char *task, const char *const *line))
{
    int drawn = 0, n = (int)strlen(key) - 2; /* n: length of N in ",N=" */

    for (const char *const *task = select_tasks(r); *task; task++) {
        const char *const *line = sweep_lines(r, *task, key);

        if (!line[0])
            continue;
        PASS(draw(r, to, *task, line));
        drawn++;
    }
    return drawn ? OK : err_set(ERR_EMPTY, "%s: its experiment does not vary "
                                "%.*s", r->store, n, key + 1);
}
