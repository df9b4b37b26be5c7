/* history plot: draws the values of every commit as figures. */
#include "harness/cmd/history_verbs.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/tasks/task.h"
#include "plots/easel.h"
#include "plots/trend.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct opt plot_options[] = {
    {.group = history_machine_options, .at = 0},
    {"--output", 'o', "DIR", opt_text, OPT_AT(output),
     .doc = "Folder for figures, their data and scripts"},
    {.name = NULL}};

/* The parts of the name of a cell, "EXPERIMENT#variant/task/scale/seed". */
struct parts { char experiment[128], variant[128], task[128], seed[32]; };

static struct parts parts_of(const char *cell)
{
    struct parts p = {"", "", "", ""};
    const char *hash = strchr(cell, '#'), *bare = hash ? hash + 1 : cell;

    if (hash)
        snprintf(p.experiment, sizeof p.experiment, "%.*s",
                 (int)(hash - cell), cell);
    sscanf(bare, "%127[^/]/%127[^/]/%*[^/]/%31s", p.variant, p.task, p.seed);
    return p;
}

/* Returns 1 if two series are drawn in one figure, because they have the same
 * metric, task, machine and experiment. */
static int together(const struct history_series *a,
                    const struct history_series *b)
{
    struct parts x = parts_of(a->cell), y = parts_of(b->cell);

    return !strcmp(a->what, b->what) && !strcmp(a->machine, b->machine) &&
           !strcmp(x.experiment, y.experiment) && !strcmp(x.task, y.task);
}

/* Returns 1 if a figure of the series is drawn although no cell is named: if
 * the value is the cross-entropy or the time of a step, or if it changed and
 * does not repeat one of these. */
static int is_drawn(const char *what, int changed)
{
    return !strcmp(what, "metrics/ce") || !strcmp(what, "step_seconds") ||
           (changed && strcmp(what, "step_seconds_least") &&
            strncmp(what, "metrics/ppl", 11));
}

struct drawing {
    struct history      *h;
    const struct output *to;
    const char         **commit;
    int                 *of;   /* series of a figure           */
    char                *done; /* 1: the series is in a figure */
    int                  pictures;
    struct arena        *memory;
};

static void fill(struct trend_series *out, struct drawing *d,
                 const struct history_series *s)
{
    size_t n = (size_t)d->h->commits;
    double *y = arena_zero(d->memory, n * sizeof *y);
    struct parts p = parts_of(s->cell);
    char *change = arena_zero(d->memory, n);

    for (size_t i = 0; i < n; i++)
        y[i] = NAN;
    for (int i = 0; i < s->n; i++)
        y[s->point[i].commit] = s->point[i].value;
    for (int i = 0; i < s->changes; i++)
        change[s->point[s->change[i].at].commit] = 1;
    out->name = arena_format(d->memory, "%s/%s", p.variant, p.seed);
    out->y = y;
    out->change = change;
}

/* Returns 1 if the cell has, or ever had, synthetic examples. */
static int synthetic(const struct history *h, const char *cell)
{
    const struct task *task;
    int is = task_find(&task, parts_of(cell).task) == OK && task->law;

    for (int i = 0; i < h->n && !is; i++)
        if (!strcmp(h->line[i].what, "config") &&
            !strcmp(h->line[i].cell, cell)) {
            OWNED(json_decref) json_t *j = json_loads(h->line[i].text, 0, NULL);

            is = json_is_true(json_object_get(j, "synthetic"));
        }
    return is;
}

/* Returns the name of a figure's files: "trend_smoke_lm1b_ce", followed by a
 * number if it is not for the first machine. */
static const char *name_of(struct drawing *d, const struct history_series *s)
{
    struct parts p = parts_of(s->cell);
    char *name = arena_format(d->memory, "trend_%s_%s_%s", p.experiment,
                              p.task, history_metric(s->what));
    int machine = 1;

    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) || strchr("_-.", *c)
                 ? (char)tolower((unsigned char)*c) : '_';
    for (int i = 0; i < d->h->series && &d->h->of[i] != s; i++)
        machine += !strcmp(d->h->of[i].what, s->what) &&
                   !strcmp(d->h->of[i].cell, s->cell);
    return machine > 1 ? arena_format(d->memory, "%s_%d", name, machine) : name;
}

/* Draws the figure of the n series d->of. */
static int draw_trend(struct drawing *d, int n)
{
    const struct history_series *s = &d->h->of[d->of[0]];
    struct parts p = parts_of(s->cell);
    const char *name = name_of(d, s);
    struct trend t = {.commits = d->h->commits, .n = n, .commit = d->commit};

    t.series = arena_zero(d->memory, (size_t)n * sizeof *t.series);
    for (int i = 0; i < n; i++)
        fill(&t.series[i], d, &d->h->of[d->of[i]]);
    t.title = arena_format(d->memory, "%s by commit: %s%s of %s, %s",
                           history_metric(s->what), p.task,
                           synthetic(d->h, s->cell) ? " (SYNTHETIC DATA)" : "",
                           p.experiment, s->machine);
    t.axis = arena_format(d->memory, "%s%s", history_metric(s->what),
                          history_units(s, ", ", d->memory));
    d->pictures++;
    return trend_plot(&t, d->to, name);
}

static int draw_all(struct drawing *d, int named)
{
    const struct history *h = d->h;

    for (int i = 0; i < h->series; i++) {
        const struct history_series *first = &h->of[i];
        int n = 0, changed = 0;

        if (d->done[i] || !first->n)
            continue;
        for (int k = i; k < h->series; k++)
            if (!d->done[k] && h->of[k].n && together(&h->of[k], first)) {
                d->done[k] = 1;
                changed |= h->of[k].changes > 0;
                d->of[n++] = k;
            }
        if (!isfinite(first->point[first->n - 1].value) ||
            !(named || is_drawn(first->what, changed)))
            continue;
        PASS(draw_trend(d, n));
    }
    return d->pictures
               ? OK : err_set(ERR_EMPTY, "%s: no numbers to draw", h->path);
}

static int plot(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(history_close) struct history *h = NULL;
    OWNED(easel_close) struct output output = *OUTPUT(g->output);
    struct drawing d = {.to = &output};

    if (!g->output)
        return err_set(ERR_USAGE, "history plot: specify a folder with -o "
                                  "DIR");
    PASS(history_select(&h, g, args));
    d.h = h;
    d.memory = h->memory;
    d.commit = arena_zero(d.memory, (size_t)h->commits * sizeof *d.commit);
    for (int i = 0; i < h->commits; i++)
        d.commit[i] = arena_format(d.memory, "%.*s", HISTORY_SHORT - 2,
                                   h->commit[i].commit);
    d.of = arena_zero(d.memory, (size_t)h->series * sizeof *d.of);
    d.done = arena_zero(d.memory, (size_t)h->series);
    easel_open(&output);
    PASS(draw_all(&d, args->n > 0));
    PASS(easel_finish(output.easel));
    put_harmless("%s\n", g->output);
    return OK;
}

const struct command history_plot = {
    .name = "plot",
    .summary = "Draw trends as PNG, SVG and PDF",
    .args = "[CELL [METRIC]] -o DIR",
    .doc = "Draws the cross-entropy, the time per step and other changed "
           "values of each experiment and task; with CELL, all its values. "
           "A ring and a vertical line mark each change.",
    .options = plot_options, .bytes = sizeof(struct given),
    .most = 2, .run = plot};
