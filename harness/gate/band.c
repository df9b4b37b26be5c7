#include "harness/gate/band.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/gate/pair_cells.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "curves/";

/* ---- learning curves ---- */

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

static const struct curve *find_curve(const struct curves *c,
                                      const char *name)
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

/* Returns 1 if the curve has points at the steps `first` and `last`. */
static int curve_has(const struct curve *c, double first, double last)
{
    return find_step(c, first) < c->n && find_step(c, last) < c->n;
}

/* Returns the mean of the curve from step `first` to step `last`, both of which
 * it must have. */
static double curve_mean(const struct curve *c, double first, double last)
{
    size_t from = find_step(c, first), to = find_step(c, last);
    double sum = 0;

    for (size_t i = from; i <= to; i++)
        sum += c->value[i];
    return sum / (double)(to - from + 1);
}

/* ---- groups of runs that differ only in their seeds ---- */

static long long seed_of(const struct baseline_cell *c)
{
    return strtoll(c->name + pair_group(c->name), NULL, 10);
}

/* A cell of the baseline.  config: its configuration without the seed, or "" if
 * the configuration is not recorded. */
struct run { const struct baseline_cell *cell; const char *config; };

/* Compares two runs by name without the seed, then by configuration, then by
 * seed. */
static int by_group(const void *x, const void *y)
{
    const struct run *a = x, *b = y;
    size_t na = pair_group(a->cell->name), nb = pair_group(b->cell->name);
    int order = strncmp(a->cell->name, b->cell->name, na > nb ? na : nb);

    order = order ? order : strcmp(a->config, b->config);
    return order ? order
                 : (seed_of(a->cell) > seed_of(b->cell)) -
                       (seed_of(a->cell) < seed_of(b->cell));
}

static struct run *runs_of(const struct baseline *b, struct arena *a)
{
    struct run *run = arena_zero(a, ((size_t)b->cells + 1) * sizeof *run);

    for (int i = 0; i < b->cells; i++) {
        OWNED(free) char *config = baseline_seedless(&b->cell[i]);

        run[i] = (struct run){&b->cell[i], arena_text(a, config ? config : "")};
    }
    qsort(run, (size_t)b->cells, sizeof *run, by_group);
    return run;
}

/* Returns the index of the first run after run i that belongs to another group,
 * or n if there is none. */
static int group_end(const struct run *run, int n, int i)
{
    int end = i + 1;

    while (end < n &&
           pair_same_group(run[i].cell->name, run[end].cell->name) &&
           !strcmp(run[i].config, run[end].config))
        end++;
    return end;
}

const struct baseline_cell *band_of(const struct baseline *b,
                                    const struct baseline_cell *c)
{
    OWNED(free) char *config = baseline_seedless(c);

    for (int i = 0; config && i < b->bands; i++)
        if (!strcmp(baseline_text(&b->band[i], "config"), config))
            return &b->band[i];
    return NULL;
}

/* ---- the points of a group's curves ---- */

/* Part t of a curve, from step `first` to step `last`, with c_t and s_t of
 * band.h as `centre` and `scale`. */
struct point { const struct curve *curve; double first, last, centre, scale; };

struct group {
    const struct run *run;
    int               n;
    struct curves    *of;    /* [n], the curves of each run */
    struct point     *point;
    int               points;
    double           *y;     /* [points][n], y_t of each run */
    struct arena     *memory;
};

/* Sets y[i] to the mean of run i over the steps of point `p`.  Returns 1, or 0
 * if a run does not have these steps or its mean is not finite. */
static int take_point(struct group *g, const struct point *p, double *y)
{
    for (int i = 0; i < g->n; i++) {
        const struct curve *c = find_curve(&g->of[i], p->curve->name);

        if (!c || !curve_has(c, p->first, p->last))
            return 0;
        y[i] = curve_mean(c, p->first, p->last);
        if (!isfinite(y[i]))
            return 0;
    }
    return 1;
}

/* Reads the curves of all runs.  Divides those of the first run into parts; the
 * parts that all runs have become points. */
static int read_group(struct group *g, const char *store)
{
    g->of = arena_zero(g->memory, (size_t)g->n * sizeof *g->of);
    for (int i = 0; i < g->n; i++)
        PASS(curves_read(&g->of[i], store, baseline_text(g->run[i].cell, "id"),
                         g->memory));
    size_t most = (g->of->n + 1) * BAND_POINTS;
    g->point = arena_zero(g->memory, most * sizeof *g->point);
    g->y = arena_zero(g->memory, most * (size_t)g->n * sizeof *g->y);
    for (const struct curve *c = g->of->curve; c < g->of->curve + g->of->n;
         c++) {
        size_t parts = c->n < BAND_POINTS ? c->n : BAND_POINTS;

        for (size_t t = 0; t < parts; t++) {
            struct point *p = &g->point[g->points];

            *p = (struct point){.curve = c, .first = c->step[t * c->n / parts],
                                .last = c->step[(t + 1) * c->n / parts - 1]};
            g->points += take_point(g, p, &g->y[g->points * g->n]);
        }
    }
    return g->points ? OK
                     : err_set(ERR_EMPTY, "%s: no band: the curves of its "
                               "runs have no step in common",
                               g->run[0].cell->name);
}

/* ---- centre and scale ---- */

/* Returns the square root of the mean variance over the points from t - AROUND
 * to t + AROUND that belong to the same curve as point t. */
static double smoothed(const struct group *g, const double *variance, int t)
{
    enum { AROUND = 3 };
    double sum = 0;
    int n = 0;

    for (int u = t - AROUND; u <= t + AROUND; u++)
        if (u >= 0 && u < g->points && g->point[u].curve == g->point[t].curve) {
            sum += variance[u];
            n++;
        }
    return sqrt(sum / n);
}

static double median_scale(const struct group *g, const struct curve *c)
{
    OWNED(free) double *x = malloc(((size_t)g->points + 1) * sizeof *x);
    size_t n = 0;

    for (int t = 0; t < g->points; t++)
        if (g->point[t].curve == c)
            x[n++] = g->point[t].scale;
    return stats_quantile(x, n, 0.5);
}

static void find_centre(struct group *g, int runs)
{
    size_t bytes = ((size_t)g->points + 1) * sizeof(double);
    double *variance = arena_take(g->memory, bytes);
    double *least = arena_take(g->memory, bytes);

    for (int t = 0; t < g->points; t++) {
        const double *y = &g->y[t * g->n];
        double sd = stats_sd(y, (size_t)runs);

        g->point[t].centre = stats_mean(y, (size_t)runs);
        variance[t] = sd * sd;
    }
    for (int t = 0; t < g->points; t++)
        g->point[t].scale = smoothed(g, variance, t);
    for (int t = 0; t < g->points; t++)
        least[t] = fmax(median_scale(g, g->point[t].curve) / 10,
                        1e-6 * fabs(g->point[t].centre) + 1e-30);
    for (int t = 0; t < g->points; t++)
        g->point[t].scale = fmax(g->point[t].scale, least[t]);
}

/* Returns the largest score S (band.h) of the runs from index `from` on. */
static double calibrate(const struct group *g, int from)
{
    double k = 0;

    for (int t = 0; t < g->points; t++)
        for (int i = from; i < g->n; i++)
            k = fmax(k, fabs(g->y[t * g->n + i] - g->point[t].centre) /
                            g->point[t].scale);
    return k;
}

/* ---- bands as lines of the baseline ---- */

static void add_band(struct baseline *b, struct group *g)
{
    OWNED(text_free) struct text seeds = {0};
    struct baseline_cell *to = &b->band[b->bands++];
    int centre = g->n / 2, n = g->n - centre;

    find_centre(g, centre);
    double k = calibrate(g, centre);
    for (int i = 0; i < g->n; i++)
        text_format(&seeds, "%s%lld", i ? " " : "", seed_of(g->run[i].cell));
    to->name = pair_all_seeds(g->run[0].cell->name, b->memory);
    to->value = arena_zero(b->memory, ((size_t)g->points + 5) *
                                          sizeof *to->value);
    baseline_add(to, "calibrated")->value = n;
    baseline_add(to, "config")->text = arena_text(b->memory, g->run[0].config);
    baseline_add(to, "level")->value = n / (n + 1.0);
    baseline_add(to, "runs")->value = g->n;
    baseline_add(to, "seeds")->text = arena_text(b->memory, seeds.s);
    for (const struct point *p = g->point; p < g->point + g->points; p++) {
        struct baseline_value *v = baseline_add(
            to, arena_format(b->memory, "%s%s/%07.0f-%07.0f", prefix,
                             p->curve->name, p->first, p->last));
        /* The bounds are widened a little, so that rounding to nine digits in
         * the file cannot make the band narrower. */
        double far = k * p->scale + 1e-8 * fabs(p->centre);

        v->value = p->centre;
        v->between = (struct interval){p->centre - far, p->centre + far};
        v->units = arena_text(b->memory, p->curve->units);
    }
    baseline_sort(to);
}

/* ---- the bands of a baseline ---- */

/* Returns ERR_EMPTY if any group has fewer than BAND_RUNS runs; the message
 * names these groups. */
static int check_runs(const struct run *run, int n)
{
    OWNED(text_free) struct text few = {0};

    for (int i = 0, next; i < n; i = next) {
        const char *name = run[i].cell->name;

        next = group_end(run, n, i);
        if (next - i < BAND_RUNS)
            text_format(&few, "%s%.*s (%d)", few.n ? ", " : "",
                        (int)pair_group(name) - 1, name, next - i);
    }
    return few.n ? err_set(ERR_EMPTY, "a band needs %d runs that differ only "
                           "in their seeds; too few runs: %s; `synthbench run "
                           "EXPERIMENT --seeds 1..%d` trains more", BAND_RUNS,
                           few.s, BAND_RUNS)
                 : OK;
}

int band_make(struct baseline *b, const char *store)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const struct run *run = runs_of(b, a);

    PASS(check_runs(run, b->cells));
    b->bands = 0;
    b->band = arena_zero(b->memory, ((size_t)b->cells + 1) * sizeof *b->band);
    for (int i = 0, next; i < b->cells; i = next) {
        OWNED(arena_free) struct arena *memory = arena_new();

        next = group_end(run, b->cells, i);
        struct group g = {.run = &run[i], .n = next - i, .memory = memory};
        PASS(read_group(&g, store));
        add_band(b, &g);
    }
    return OK;
}

/* ---- comparing a run with a band ---- */

/* Parses "curves/train/loss/0000001-0000008".  Returns 1, or 0 if `what` is not
 * of this form. */
static int parse(const char *what, char name[128], double *first, double *last)
{
    const char *slash = strrchr(what, '/');
    long long from, to;
    int end = 0;

    if (strncmp(what, prefix, strlen(prefix)) ||
        sscanf(slash, "/%lld-%lld%n", &from, &to, &end) != 2 || slash[end] ||
        slash - what >= 128)
        return 0;
    what += strlen(prefix);
    snprintf(name, 128, "%.*s", slash < what ? 0 : (int)(slash - what), what);
    *first = (double)from;
    *last = (double)to;
    return 1;
}

/* Returns the distance of y from the centre, divided by the distance from the
 * centre to the bound on the same side; a ratio above 1 is outside.  The ratio
 * is at most FAR, and FAR if y is not finite. */
static double ratio_of(const struct baseline_value *v, double y)
{
    enum { FAR = 1000000 };
    double far = y < v->value ? v->value - v->between.low
                              : v->between.high - v->value;
    double ratio = y == v->value ? 0 : fabs(y - v->value) / far;

    return ratio < FAR ? ratio : FAR;
}

static void hold_point(struct band_held *out, const struct baseline_value *v,
                       double y, double first, double last)
{
    double ratio = ratio_of(v, y);

    out->points++;
    if (ratio > out->ratio) {
        out->ratio = ratio;
        out->worst = last;
    }
    if (ratio > 1 && (!out->left || first < out->step)) {
        out->left = v;
        out->step = first;
        out->last = last;
        out->value = y;
    }
}

void band_hold(struct band_held *out, const struct baseline_cell *band,
               const struct curves *run)
{
    *out = (struct band_held){.points = 0};
    for (int i = 0; i < band->n; i++) {
        const struct baseline_value *v = &band->value[i];
        char name[128];
        double first, last;

        if (!parse(v->what, name, &first, &last))
            continue;
        const struct curve *c = find_curve(run, name);
        if (c && curve_has(c, first, last))
            hold_point(out, v, curve_mean(c, first, last), first, last);
    }
}

static int wrong(const struct baseline_cell *band, const char *path)
{
    return err_set(ERR_STORE, "%s: band %s: not written by `synthbench "
                   "baseline save --bands`", path, band->name);
}

int band_check(const struct baseline_cell *band, const char *path)
{
    const struct baseline_value *n = baseline_value(band, "calibrated");
    const struct baseline_value *runs = baseline_value(band, "runs");

    if (!baseline_text(band, "config") || !n || !runs ||
        !(n->value >= 1 && n->value <= 1e6) ||
        !(runs->value >= 1 && runs->value <= 1e6))
        return wrong(band, path);
    for (int i = 0; i < band->n; i++) {
        const struct baseline_value *v = &band->value[i];
        char name[128];
        double first, last;

        if (strncmp(v->what, prefix, strlen(prefix)))
            continue;
        if (!parse(v->what, name, &first, &last) ||
            !(v->between.low <= v->value && v->value <= v->between.high))
            return wrong(band, path);
    }
    return OK;
}
