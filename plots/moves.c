/*
 * How far a step of training moves the logits of attention (train/watch.h), one
 * picture a task, against the step, every variant and seed, on axes of
 * logarithms.
 *
 *   moves_TASK.tsv: variant, seed, step, rms: the root mean square change over
 *   all self-attentions
 *
 * What does not move at all is in the legend and not drawn.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/legend.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define GROUP "attention/moves"

/* A variant in the legend, and the axes of all. */
struct series { int cells; double peak; };
struct axes { double low, high, last; };

/* One attention's, into the mean square of `all`, where it is not the first. */
static int add_place(double **step, double **square, size_t *n,
                     struct cell_reader *cell, const char *place)
{
    OWNED(free) char *at = str_format(GROUP "/%s/step", place);
    OWNED(free) char *of = str_format(GROUP "/%s/rms", place);
    OWNED(free) double *t = NULL, *rms = NULL;
    size_t steps, m;

    PASS(cell_get_array(cell, at, &t, &steps));
    PASS(cell_get_array(cell, of, &rms, &m));
    if (m != steps || (*step && steps != *n))
        return err_set(ERR_STORE, "%s has %zu values for %zu steps", of, m,
                       *step ? *n : steps);
    if (!*square)
        *square = calloc(steps + 1, sizeof **square);
    for (size_t i = 0; i < steps; i++) {
        if (!(t[i] >= 1 && t[i] <= INT_MAX))
            return err_set(ERR_STORE, "%s has %g", at, t[i]);
        (*square)[i] += rms[i] * rms[i];
    }
    *n = steps;
    return *step ? OK : HAND_ON(step, t);
}

/* rms[i] of step[i]; ERR_EMPTY: the cell says nothing of it. */
static int read_moves(double **step, double **rms, size_t *n,
                      struct cell_reader *cell)
{
    const char **place;
    size_t places;
    int own = 0;

    PASS(cell_get_names(cell, GROUP, &place, &places));
    for (size_t i = 0; i < places; i++) {
        if (!strncmp(place[i], "cross.", strlen("cross.")))
            continue;
        PASS(add_place(step, rms, n, cell, place[i]));
        own++;
    }
    for (size_t i = 0; own && i < *n; i++)
        (*rms)[i] = sqrt((*rms)[i] / own);
    return own ? OK : err_set(ERR_EMPTY, "no self-attention");
}

static int put_cell(FILE *out, const struct report *r,
                    const struct report_cell *c, struct series *s,
                    struct axes *a)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(free) double *step = NULL, *rms = NULL;
    size_t n = 0;

    PASS(cell_open(&cell, r->store, c->id));
    int rc = read_moves(&step, &rms, &n, cell);
    if (rc < 0)
        return rc == ERR_EMPTY ? rc : err_wrap(rc, "cell %s", c->id);
    for (size_t i = 0; i < n; i++) {
        picture_put_text(out, "", c->variant);
        fprintf(out, "\t%lld\t%.0f", c->seed, step[i]);
        picture_put_number(out, "\t", rms[i]);
        fputc('\n', out);
        a->last = fmax(a->last, step[i]);
        if (!(isfinite(rms[i]) && rms[i] > 0))
            continue;
        s->peak = fmax(s->peak, rms[i]);
        a->low = fmin(a->low, rms[i]);
        a->high = fmax(a->high, rms[i]);
    }
    fputc('\n', out); /* breaks the line between two seeds */
    s->cells++;
    return OK;
}

static int has_cells(const struct series *s, int n)
{
    int cells = 0;

    for (int i = 0; i < n; i++)
        cells += s[i].cells;
    return cells > 0;
}

/* The variants with a cell that says it. */
static void put_legend(struct picture *p, const struct report *r,
                       const char *const *variant, const struct series *s,
                       int n)
{
    struct legend_line *line = arena_zero(r->memory,
                                          (size_t)n * sizeof *line);
    int lines = 0;

    for (int i = 0; i < n; i++)
        if (s[i].cells)
            line[lines++] = (struct legend_line){
                i + 1, variant[i],
                arena_format(r->memory, "%.2g", s[i].peak), -s[i].peak};
    legend_put(p, line, lines);
}

static void put_axes(struct picture *p, const struct axes *a)
{
    int any = a->low <= a->high; /* not so where nothing moves */

    picture_number(p, "low", (any ? a->low : 0.1) / 1.3);
    picture_number(p, "high", (any ? a->high : 1) * 1.3);
    picture_number(p, "last", fmax(a->last, 2));
}

/* Every cell of the task; *silent: those that say nothing. */
static int collect(FILE *out, const struct report *r, const char *task,
                   const char *const *variant, struct series *s,
                   struct axes *a, int *silent)
{
    for (int v = 0; variant[v]; v++) {
        for (int i = 0; i < r->n; i++) {
            const struct report_cell *c = &r->cell[i];

            if (c->state != CELL_DONE || !select_is(c, task, variant[v]))
                continue;
            int rc = put_cell(out, r, c, &s[v], a);
            PASS(cell_maybe(rc));
            *silent += rc == ERR_EMPTY;
        }
    }
    return OK;
}

static int draw(const struct report *r, const char *folder, const char *task,
                int *drawn)
{
    const char *const *variant = select_variants(r);
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("moves_%s", task);
    struct axes a = {INFINITY, -INFINITY, 1};
    int n = 0, silent = 0;

    while (variant[n])
        n++;
    struct series *s = arena_zero(r->memory, (size_t)n * sizeof *s);
    PASS(picture_begin(&p, folder, name));
    fputs("variant\tseed\tstep\trms\n", p.data);
    PASS(collect(p.data, r, task, variant, s, &a, &silent));
    if (!has_cells(s, n))
        return OK;
    (*drawn)++;
    picture_text(&p, "title", "%s",
                 select_title(r, "How far a step moves the logits", task));
    if (silent)
        picture_text(&p, "note", "left out, as they were made before it was "
                     "measured: %d cell%s", silent, silent == 1 ? "" : "s");
    else
        picture_text(&p, "note", "%s", "");
    put_axes(&p, &a);
    put_legend(&p, r, variant, s, n);
    legend_say(&p, "farthest first", select_seeds(r, task), 0);
    return picture_end(&p, "moves");
}

static int render(const struct report *r, const char *folder)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++)
        PASS(draw(r, folder, *task, &drawn));
    return drawn ? OK : err_set(ERR_EMPTY, "%s: no cell says how far its "
                                "logits moved", r->store);
}

const struct figure figure_moves = {
    .name = "moves",
    .title = "How far a step of training moves the logits of attention",
    .render = render,
};
