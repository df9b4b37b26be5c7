#include "plots/sweep.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Splits "random,steps=700,init=glorot" into "random,init=glorot" and 700.
 * Returns the number, or 0 if the row does not have the key. */
static long long split(const char **line, const char *row, const char *key,
                       struct arena *a)
{
    const char *at = strstr(row, key);
    char *rest;

    if (!at)
        return 0;
    long long number = strtoll(at + strlen(key), &rest, 10);
    *line = arena_format(a, "%.*s%s", (int)(at - row), row, rest);
    return number;
}

static int by_number(const void *a, const void *b)
{
    const struct sweep_cell *x = a, *y = b;

    if (x->line != y->line)
        return x->line - y->line;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->cell < y->cell ? -1 : 1;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void find_numbers(struct sweep *s)
{
    int n = 0;

    for (int i = 0; i < s->n; i++)
        s->number[i] = (double)s->cell[i].number;
    qsort(s->number, (size_t)s->n, sizeof *s->number, by_value);
    for (int i = 0; i < s->n; i++)
        if (!n || s->number[i] > s->number[n - 1])
            s->number[n++] = s->number[i];
    s->numbers = n;
}

int sweep_read(struct sweep *out, const struct report *r, const char *task,
               const char *key)
{
    size_t room = (size_t)r->n + 1;
    const char **line = arena_zero(r->memory, room * sizeof *line);

    *out = (struct sweep){.r = r, .task = task, .key = key, .line = line,
                          .name = (int)strlen(key) - 2};
    out->cell = arena_zero(r->memory, room * sizeof *out->cell);
    out->number = arena_zero(r->memory, room * sizeof *out->number);
    out->lost = arena_zero(r->memory, room * sizeof *out->lost);
    for (int i = 0; i < r->n; i++) {
        OWNED(cell_close) struct cell_reader *cell = NULL;
        struct sweep_cell *c = &out->cell[out->n];
        const char *name;

        *c = (struct sweep_cell){.cell = &r->cell[i]};
        if (!select_finished(c->cell, task, NULL) ||
            (c->number = split(&name, c->cell->variant, key, r->memory)) < 1)
            continue;
        c->line = names_index(line, name);
        if (c->line < 0)
            line[c->line = out->lines++] = name;
        PASS(report_read(&cell, r, c->cell->id));
        PASS(cell_get_metric(cell, "ce", &c->ce));
        out->lost[i] = select_loss(c->ce);
        out->n += !out->lost[i];
    }
    qsort(out->cell, (size_t)out->n, sizeof *out->cell, by_number);
    out->cell[out->n].line = -1;
    find_numbers(out);
    return out->lines ? OK : FIGURE_NONE;
}

/* ---- lines ---- */

int sweep_seeds(const struct sweep *s, int i)
{
    int n = 0;

    while (s->cell[i + n].line == s->cell[i].line &&
           s->cell[i + n].number == s->cell[i].number)
        n++;
    return n;
}

static void widen(struct chart *c, const struct sweep_row *row)
{
    for (int k = 0; k < c->panels; k++) {
        struct chart_panel *a = &c->panel[k];
        double x = a->ticks ? (double)row->number : row->x;

        a->low = fmin(a->low, row->y[k]);
        a->high = fmax(a->high, row->y[k]);
        a->least = fmin(a->least, x);
        a->most = fmax(a->most, x);
    }
}

/* Writes the seeds of the point that begins at cell i, and sets *mean to their
 * mean. */
static int put_seeds(struct sweep_row *mean, struct chart *c, struct picture *p,
                     const struct sweep *s, const struct column *columns,
                     sweep_values *values, int i)
{
    const struct sweep_cell *first = &s->cell[i];
    int n = 0;

    *mean = (struct sweep_row){s->line[first->line], first->number, "-", 0,
                               {0}};
    for (const struct sweep_cell *x = first; x < first + sweep_seeds(s, i);
         x++) {
        struct sweep_row row = *mean;

        row.seed = arena_format(s->r->memory, "%lld", x->cell->seed);
        int rc = values(&row, s, x);
        PASS(rc);
        if (rc)
            continue;
        picture_row(p, columns, &row);
        widen(c, &row);
        mean->x += row.x;
        for (int k = 0; k < c->panels; k++)
            mean->y[k] += row.y[k];
        n++;
    }
    mean->x /= n;
    for (int k = 0; k < c->panels; k++)
        mean->y[k] /= n;
    return OK;
}

int sweep_lines(struct chart *c, struct picture *p, const struct sweep *s,
                const struct column *columns, sweep_values *values)
{
    const struct style *look = looks_of(s->line, s->r->memory);
    struct sweep_row *mean = arena_zero(s->r->memory, ((size_t)s->n + 1) *
                                                          sizeof *mean);

    picture_head(p, columns);
    for (int i = 0; i < s->n; i += sweep_seeds(s, i))
        PASS(put_seeds(&mean[i], c, p, s, columns, values, i));
    c->line = arena_zero(s->r->memory, (size_t)s->lines * sizeof *c->line);
    for (c->n = 0; c->n < s->lines; c->n++) {
        struct chart_line *l = &c->line[c->n];

        *l = (struct chart_line){s->line[c->n], "-", look[c->n], NAN,
                                 {CHART_NO_BLOCK, CHART_NO_BLOCK}};
        for (int i = 0; i < s->n; i += sweep_seeds(s, i)) {
            if (s->cell[i].line != c->n || isnan(mean[i].y[0]))
                continue;
            if (isnan(l->end))
                l->block[0] = l->block[1] = picture_block(p);
            picture_row(p, columns, &mean[i]);
            l->end = mean[i].y[0];
            l->value = arena_format(s->r->memory, "%.3f", l->end);
        }
    }
    c->tick = s->number;
    c->ticks = s->numbers;
    return OK;
}
