/* bench --scaling: times a training step at several lengths, widths or numbers
 * of threads, and fits how its cost grows. */
#include "harness/base/json.h"
#include "harness/cmd/bench_setup.h"

#include "harness/base/cores.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/nn/transformer.h"
#include "harness/print/sheet.h"
#include "harness/stats/fit.h"
#include "plots/scaling.h"

#include <math.h>

/* The axes of --scaling.  The settings in `set` keep the model small, so that
 * the growth along the axis is visible. */
static const struct bench_axis {
    const char *name, *title, *key;
    /* `key` is doubled from `first` to `last`; 0: number of cores */
    int         first, last;
    struct assign set[8];
} axes[] = {
    {"length", "length N", "N", 32, 1024,
     {{"layers", "1", ""}, {"d", "64", ""}, {"heads", "4", ""},
      {"ff", "64", ""}, {"vocab", "100", ""}, {"batch", "4", ""}}},
    {"width", "width d", "d", 64, 1024,
     {{"layers", "1", ""}, {"N", "64", ""}, {"heads", "4", ""},
      {"ff", "64", ""}, {"vocab", "100", ""}, {"batch", "4", ""}}},
    {"threads", "threads", "threads", 1, 0,
     {{"layers", "2", ""}, {"N", "64", ""}, {"d", "256", ""},
      {"ff", "1024", ""}, {"vocab", "4000", ""}, {"batch", "32", ""},
      {"shards", "32", ""}, {"lanes", "32", ""}}},
    {.name = NULL},
};

static const char *const variants[] = {"vanilla", "random", "dense"};
enum { VARIANTS = sizeof variants / sizeof *variants, SETS = 80 };

struct timed {
    struct scaling plot;
    double flops[VARIANTS][SCALING_POINTS];
    double doubt[VARIANTS][SCALING_POINTS]; /* ln(median / least) */
    double spread[VARIANTS]; /* largest of its points; NAN: unknown */
    struct power work[VARIANTS]; /* flops ~ x^work.p */
    struct load load;
};

/* Configures the model of a variant at the value `x` of the axis.  Settings of
 * -S override those of the axis. */
static int configure(struct config *c, struct mix *mix,
                     const struct bench_axis *a, const struct bench_choice *b,
                     int variant, double x)
{
    struct bench_choice own = *b;
    struct assign set[SETS];
    char value[16];

    own.variant = variants[variant];
    own.set = (struct assigns){.a = set};
    for (int i = 0; i < 8 && a->set[i].key; i++)
        set[own.set.n++] = a->set[i];
    for (int i = 0; i < b->set.n && own.set.n < SETS; i++)
        set[own.set.n++] = b->set.a[i];
    snprintf(value, sizeof value, "%.0f", x);
    return bench_configure(c, mix, &own, a->key, value);
}

static double params_of(struct config c, const struct mix *mix, int N)
{
    OWNED(params_close) struct params plan;

    c.model.N = N;
    params_count(&plan);
    model_new(&c.model, mix, &plan);
    return (double)params_total(&plan, PARAM_LEARNED);
}

/* Returns the largest N at which a variant has at most as many parameters as
 * dot-product attention; the other sizes are those of *c.  Returns NAN if this
 * holds for no N up to 65536, or for all of them. */
static double break_even(const struct config *c, const struct mix *mix,
                         const struct mix *dot)
{
    int low = 1, high = 1 << 16;

    if (params_of(*c, mix, low) > params_of(*c, dot, low) ||
        params_of(*c, mix, high) <= params_of(*c, dot, high))
        return NAN;
    while (high - low > 1) {
        int middle = (low + high) / 2;

        *(params_of(*c, mix, middle) <= params_of(*c, dot, middle)
              ? &low : &high) = middle;
    }
    return low;
}

static int measure(struct timed *m, const struct bench_axis *a,
                   const struct bench_choice *how)
{
    int last = a->last ? a->last : cores_count();
    struct config c;
    struct mix mix, dot;
    struct bench b;

    *m = (struct timed){.plot = {.axis = a->title, .n = VARIANTS},
                        .load = load_begin()};
    const double *x = m->plot.x;
    for (int at = a->first; at <= last; at *= 2)
        m->plot.x[m->plot.points++] = at;
    if (m->plot.points < 2)
        return err_set(ERR_EMPTY, "--scaling %s: expected at least two "
                                  "values",
                       a->name);
    for (int v = 0; v < VARIANTS; v++) {
        struct scaling_series *s = &m->plot.series[v];
        size_t n = (size_t)m->plot.points;

        s->name = variants[v];
        for (size_t p = 0; p < n; p++) {
            PASS(configure(&c, &mix, a, how, v, x[p]));
            PASS(bench_step(&b, &c, &mix, NULL, how->repeat));
            s->y[p] = 1e3 * b.step.least; /* noise only adds time */
            s->noisy |= timing_noisy(&b.step, &b.load);
            m->doubt[v][p] = log(b.step.median / b.step.least);
            m->flops[v][p] = b.cost.flops_per_step;
            if (p == 0 || !(b.step.width <= m->spread[v]))
                m->spread[v] = b.step.width;
        }
        s->power = fit_power(x, s->y, n);
        s->local = fit_local(x, s->y, n);
        m->work[v] = fit_power(x, m->flops[v], n);
        if (!s->noisy && fit_vague(&s->power, &m->work[v]))
            *(fit_bends(&s->power, x, s->y, m->doubt[v], n) ? &s->bends
                                                            : &s->noisy) = 1;
        PASS(configure(&c, &dot, a, how, 0, x[0]));
        PASS(configure(&c, &mix, a, how, v, x[0]));
        s->even = v && a == axes ? break_even(&c, &mix, &dot) : NAN;
    }
    load_end(&m->load);
    return OK;
}

/* ---- printing ---- */

static void bend(struct grid *g, const char *before, struct interval local)
{
    grid_add(g, "%s%.2f to %.2f", before, local.low, local.high);
}

/* Adds an exponent with its interval, or "-" if it has no interval. */
static void power(struct grid *g, const struct power *p)
{
    if (isnan(p->between.low))
        grid_add(g, "-");
    else
        grid_add(g, "%.2f [%.2f, %.2f]", p->p, p->between.low,
                 p->between.high);
}

static struct interval work_local(const struct timed *m, int v)
{
    return fit_local(m->plot.x, m->flops[v], (size_t)m->plot.points);
}

static struct grid *grid_of(struct sheet *to, const struct scaling *s)
{
    struct grid_column head[SCALING_POINTS + 5];
    int n = 0;

    head[n++] = (struct grid_column){"", s->axis, "", 1, 0};
    for (int p = 0; p < s->points; p++)
        head[n++] = (struct grid_column){
            "least milliseconds per step",
            arena_format(to->memory, "%g", s->x[p]), "", 0, 0};
    head[n++] = (struct grid_column){"", "spread", "%", 0, 0};
    head[n++] = (struct grid_column){"exponent", "time", "", 0, 0};
    head[n++] = (struct grid_column){"exponent", "FLOPs", "", 0, 0};
    head[n++] = (struct grid_column){
        "", "N with as many parameters as vanilla", "", 0, 0};
    return sheet_grid(to, head, n);
}

static void print_text(struct sheet *to, const struct timed *m)
{
    const struct scaling *s = &m->plot;
    struct grid *g = grid_of(to, s);

    for (int v = 0; v < s->n; v++) {
        grid_add(g, "%s", s->series[v].name);
        for (int p = 0; p < s->points; p++)
            grid_number(g, "%.3f", s->series[v].y[p], "-");
        grid_number(g, "%.0f", 100 * m->spread[v], "-");
        if (s->points < 3)
            grid_add(g, "too few points");
        else if (s->series[v].noisy)
            grid_add(g, "too noisy");
        else if (s->series[v].bends)
            bend(g, "bends, ", s->series[v].local);
        else
            power(g, &s->series[v].power);
        if (s->series[v].bends) /* as for the times */
            bend(g, "", work_local(m, v));
        else
            power(g, &m->work[v]);
        grid_number(g, "%.0f", s->series[v].even, "-");
    }
    sheet_put(to, PART_PARAGRAPH, "Intervals: 95 %%. Spread: the largest (p90 "
                                  "- p10) / median of a point's steps, in "
                                  "percent. Load %.1f to %.1f on %d "
                                  "processor%s. Too noisy: a spread over %.0f "
                                  "%%, a load over %.0f %% of the processors, "
                                  "or an interval of the time's exponent that "
                                  "extends more than %g beyond the interval of "
                                  "the FLOPs' exponent. "
                                  "Bends: the times do not follow a power "
                                  "law, because a point is further from the "
                                  "line than noise explains; both columns then "
                                  "show the exponents between neighbouring "
                                  "points.",
              m->load.begin, m->load.end, m->load.processors,
              m->load.processors == 1 ? "" : "s", 100 * PACE_SLACK,
              100 * (1 + PACE_SLACK), FIT_SLACK);
}

/* Returns an exponent and its interval as JSON.  If the exponent has no
 * interval or `is_none` is 1, all three numbers are null. */
static json_t *power_json(const struct power *p, int is_none)
{
    const struct interval *b = &p->between;
    int told = !is_none && !isnan(b->low);

    return json_pack("{s:f, s:f, s:f}", "exponent", told ? p->p : NAN, "low",
                     told ? b->low : NAN, "high", told ? b->high : NAN);
}

static json_t *pair(struct interval x)
{
    return json_pack("[f, f]", x.low, x.high);
}

static json_t *object_of(const struct timed *m, const char *axis)
{
    const struct scaling *s = &m->plot;
    json_t *rows = json_array(), *x = json_array();

    for (int p = 0; p < s->points; p++)
        json_array_append_new(x, json_real(s->x[p]));
    for (int v = 0; v < s->n; v++) {
        json_t *ms = json_array(), *flops = json_array();

        for (int p = 0; p < s->points; p++) {
            json_array_append_new(ms, json_real(s->series[v].y[p]));
            json_array_append_new(flops, json_real(m->flops[v][p]));
        }
        const struct scaling_series *r = &s->series[v];
        json_t *row = power_json(&r->power, r->noisy || r->bends);
        json_object_update_new(row, json_pack(
            "{s:s, s:o, s:o, s:f, s:b, s:b, s:o, s:o, s:f}", "variant", r->name,
            "ms_per_step", ms, "flops", flops, "spread", m->spread[v],
            "too_noisy", r->noisy, "bends", r->bends, "local_exponents",
            r->noisy ? json_null() : pair(r->local), "of_flops",
            power_json(&m->work[v], 0), "break_even", r->even));
        json_object_set_new(json_object_get(row, "of_flops"),
                            "local_exponents", pair(work_local(m, v)));
        json_array_append_new(rows, row);
    }
    return json_pack("{s:s, s:o, s:o, s:f, s:f, s:i}", "scaling", axis, "x", x,
                     "rows", rows, "load_begin", m->load.begin, "load_end",
                     m->load.end, "processors", m->load.processors);
}

int bench_scaling(const struct bench_choice *b, const char *axis,
                  const char *format, const char *folder)
{
    int at = names_row("axis", axis, axes, sizeof *axes);
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct timed m;

    PASS(at);
    const struct bench_axis *a = &axes[at];
    PASS(measure(&m, a, b));
    print_text(s, &m);
    s->object = object_of(&m, a->name);
    PASS(sheet_print(s, format, NULL));
    if (folder) {
        PASS(file_mkdirs(folder));
        PASS(scaling_plot(&m.plot, folder, a->name));
        say("%s/scaling_%s.png", folder, a->name);
    }
    return OK;
}
