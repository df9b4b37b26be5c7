/* history plot: draws a figure for each experiment, task and metric. */
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
#include <stdlib.h>
#include <string.h>

enum { PICTURES = 60 }; /* maximum number of figures that one call draws */

struct given { struct history_which of; const char *output; };

static const struct opt options[] = {
    {.group = opts_machine, .at = OPT_AT(of)},
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

/* Returns 1 if the value is always drawn, because it is the cross-entropy or
 * the time of a step. */
static int is_first(const char *what)
{
    return !strcmp(what, "metrics/ce") || !strcmp(what, "step_seconds");
}

static int is_drawn(const struct history_series *s, int changed, int named)
{
    int number = s->n > 0 && isfinite(s->point[s->n - 1].value);

    if (!number || named)
        return number;
    return is_first(s->what) ||
           (changed && strcmp(s->what, "step_seconds_least") &&
            strncmp(s->what, "metrics/ppl", 11));
}

struct drawing {
    struct history *h;
    const struct output *to;
    const char    **commit;
    int            *of;      /* series of a figure           */
    char           *done;    /* 1: the series is in a figure */
    int             pictures, left;
    struct arena   *memory;
};

static const char *short_name(struct drawing *d, const struct history_series *s,
                              int seeds)
{
    struct parts p = parts_of(s->cell);

    return seeds ? arena_format(d->memory, "%s/%s", p.variant, p.seed)
                 : arena_text(d->memory, p.variant);
}

static int many_seeds(struct drawing *d, int n)
{
    for (int i = 1; i < n; i++) {
        struct parts a = parts_of(d->h->of[d->of[i - 1]].cell);
        struct parts b = parts_of(d->h->of[d->of[i]].cell);

        if (!strcmp(a.variant, b.variant))
            return 1;
    }
    return 0;
}

static void fill(struct trend_series *out, struct drawing *d,
                 const struct history_series *s)
{
    size_t n = (size_t)d->h->commits;
    double *y = arena_zero(d->memory, n * sizeof *y);
    char *change = arena_zero(d->memory, n);

    for (size_t i = 0; i < n; i++)
        y[i] = NAN;
    for (int i = 0; i < s->n; i++)
        y[s->point[i].commit] = s->point[i].value;
    for (int i = 0; i < s->changes; i++)
        change[s->point[s->change[i].at].commit] = 1;
    out->y = y;
    out->change = change;
}

/* Returns 1 if the most recent cell of the series has synthetic examples. */
static int synthetic(const struct history *h, const struct history_series *s)
{
    const char *commit = h->commit[s->point[s->n - 1].commit].commit;
    const char *config = history_config(h, s->cell, commit);
    OWNED(json_decref) json_t *j = json_loads(config ? config : "{}", 0, NULL);
    const struct task *task;

    return json_is_true(json_object_get(j, "synthetic")) ||
           (task_find(&task, parts_of(s->cell).task) == OK && task->law);
}

/* Returns the name of a figure's files: "trend_smoke_lm1b_ce", followed by a
 * number if it is not for the first machine.  The caller frees the name. */
static char *name_of(struct drawing *d, const struct history_series *s)
{
    struct parts p = parts_of(s->cell);
    char *name = str_format("trend_%s_%s_%s", p.experiment, p.task,
                            history_metric(s->what));
    int machine = 1;

    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) || strchr("_-.", *c)
                 ? (char)tolower((unsigned char)*c) : '_';
    for (int i = 0; i < d->h->series && &d->h->of[i] != s; i++)
        machine += !strcmp(d->h->of[i].what, s->what) &&
                   !strcmp(d->h->of[i].cell, s->cell);
    if (machine > 1) {
        char *more = str_format("%s_%d", name, machine);

        free(name);
        name = more;
    }
    return name;
}

static int draw_trend(struct drawing *d, int n)
{
    const struct history_series *s = &d->h->of[d->of[0]];
    struct parts p = parts_of(s->cell);
    OWNED(free) char *name = name_of(d, s);
    int seeds = many_seeds(d, n);
    struct trend t = {.commits = d->h->commits, .n = n, .commit = d->commit};

    t.series = arena_zero(d->memory, (size_t)n * sizeof *t.series);
    for (int i = 0; i < n; i++) {
        const struct history_series *of = &d->h->of[d->of[i]];

        fill(&t.series[i], d, of);
        t.series[i].name = short_name(d, of, seeds);
    }
    t.title = arena_format(d->memory, "%s by commit: %s%s of %s, %s",
                           history_metric(s->what), p.task,
                           synthetic(d->h, s) ? " (SYNTHETIC DATA)" : "",
                           p.experiment, s->machine);
    t.axis = arena_format(d->memory, "%s%s%s", history_metric(s->what),
                          strcmp(s->units, "1") && *s->units ? ", " : "",
                          strcmp(s->units, "1") ? s->units : "");
    d->pictures++;
    return trend_plot(&t, d->to, name);
}

/* Draws the figure of series i with all series that share it. */
static int draw_with(struct drawing *d, int i, int named)
{
    int n = 0, changed = 0;

    for (int k = i; k < d->h->series; k++) {
        const struct history_series *s = &d->h->of[k];

        if (d->done[k] || !s->n || !together(s, &d->h->of[i]))
            continue;
        d->done[k] = 1;
        changed |= s->changes > 0;
        d->of[n++] = k;
    }
    if (!is_drawn(&d->h->of[i], changed, named))
        return OK;
    if (d->pictures < PICTURES)
        return draw_trend(d, n);
    d->left++;
    return OK;
}

static int draw_all(struct drawing *d, int named)
{
    for (int i = 0; i < d->h->series; i++)
        if (!d->done[i] && d->h->of[i].n)
            PASS(draw_with(d, i, named));
    if (d->left)
        say("%d more figures are not drawn: specify a CELL or METRIC",
            d->left);
    return d->pictures
               ? OK : err_set(ERR_EMPTY, "%s: no numbers to draw", d->h->path);
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
    PASS(history_select(&h, &g->of, args->n > 0 ? args->of[0] : NULL,
                        args->n > 1 ? args->of[1] : NULL));
    d.h = h;
    d.memory = h->memory;
    d.commit = arena_zero(d.memory, (size_t)h->commits * sizeof *d.commit);
    for (int i = 0; i < h->commits; i++)
        d.commit[i] = arena_format(d.memory, "%.*s", HISTORY_SHORT - 2,
                                   h->commit[i].commit);
    d.of = arena_zero(d.memory, (size_t)h->series * sizeof *d.of);
    d.done = arena_zero(d.memory, (size_t)h->series);
    easel_open(&output, NULL);
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
    .options = options, .bytes = sizeof(struct given),
    .most = 2, .run = plot};
