#include "harness/gate/baseline.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/text.h"
#include "harness/report/builds.h"
#include "harness/report/outcomes.h"
#include "harness/report/report.h"
#include "harness/stats/bootstrap.h"
#include "harness/store/cell.h"
#include "harness/store/cell_diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct baseline *baseline_new(const char *name)
{
    struct arena *memory = arena_new();
    struct baseline *b = arena_zero(memory, sizeof *b);

    b->memory = memory;
    b->name = arena_text(memory, name);
    return b;
}

void baseline_close(struct baseline *b)
{
    if (b)
        arena_free(b->memory);
}

/* ---- reading values of a baseline ---- */

const struct baseline_value *baseline_value(const struct baseline_cell *c,
                                            const char *what)
{
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->value[i].what, what))
            return &c->value[i];
    return NULL;
}

const char *baseline_text(const struct baseline_cell *c, const char *what)
{
    const struct baseline_value *v = baseline_value(c, what);

    return v ? v->text : NULL;
}

const char *baseline_fact(const struct baseline *b, const char *name)
{
    for (int i = 0; i < b->facts; i++)
        if (!strcmp(b->fact[i].name, name))
            return b->fact[i].text;
    return NULL;
}

char *baseline_seedless(const struct baseline_cell *c)
{
    const char *text = baseline_text(c, "config");
    OWNED(json_decref) json_t *all = json_loads(text ? text : "", 0, NULL);

    if (!json_is_object(all))
        return NULL;
    json_object_del(all, "seed");
    return json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT);
}

const char *baseline_better(int better)
{
    return better > 0 ? "higher" : better < 0 ? "lower" : "";
}

int baseline_better_of(const char *word)
{
    return !strcmp(word, "higher") - !strcmp(word, "lower");
}

/* ---- filling a baseline ---- */

struct baseline_value *baseline_add(struct baseline_cell *to, const char *what)
{
    struct baseline_value *v = &to->value[to->n++];

    *v = (struct baseline_value){.what = what, .value = NAN,
                                 .between = {NAN, NAN}, .units = "",
                                 .signature = ""};
    return v;
}

static int by_what(const void *x, const void *y)
{
    const struct baseline_value *a = x, *b = y;

    return strcmp(a->what, b->what);
}

void baseline_add_fact(struct baseline *b, const char *name, const char *text)
{
    struct baseline_fact *all = arena_zero(b->memory, ((size_t)b->facts + 1) *
                                                          sizeof *all);

    if (b->facts)
        memcpy(all, b->fact, (size_t)b->facts * sizeof *all);
    all[b->facts++] = (struct baseline_fact){arena_text(b->memory, name),
                                             arena_text(b->memory, text)};
    b->fact = all;
}

/* ---- making a baseline from a store ---- */

enum { FIXED = 13 }; /* maximum number of values of a cell besides metrics */

struct work {
    struct baseline            *out;
    const struct report        *report;
    const struct metric *const *metrics;
    struct cell_reader         *cell;    /* the cell that is being copied */
    struct baseline_cell       *to;      /* its copy                      */
    struct builds               builds;
    const char                 *machine; /* the machines of all cells, joined
                                            by "; "                       */
};

static void add_text(struct work *w, const char *what, const char *text)
{
    baseline_add(w->to, what)->text = arena_text(w->out->memory, text);
}

/* Sets *out to the text attribute `name` of a group, or to "" if the cell does
 * not have it. */
static int text_of(const char **out, struct work *w, const char *group,
                   const char *name)
{
    OWNED(free) char *s = NULL;

    PASS(cell_maybe(cell_get_text(w->cell, group, name, &s)));
    *out = s ? arena_text(w->out->memory, s) : "";
    return OK;
}

/* Adds the first 16 digits of a digest, because an id also has 16 digits. */
static int copy_digest(struct work *w, const char *what, const char *group,
                       const char *name)
{
    const char *s;

    PASS(text_of(&s, w, group, name));
    if (*s)
        add_text(w, what, arena_format(w->out->memory, "%.16s", s));
    return OK;
}

/* Adds the number `name` of the cell's group "timing", if it has it. */
static int copy_number(struct work *w, const char *name, const char *units)
{
    double x = NAN;

    PASS(cell_maybe(cell_get_real(w->cell, "timing", name, &x)));
    if (!isnan(x)) {
        struct baseline_value *v = baseline_add(w->to, name);

        v->value = x;
        v->units = units;
    }
    return OK;
}

/* Adds `step_seconds` and `step_seconds_least`, which have other names in the
 * cell. */
static int copy_times(struct work *w)
{
    static const char *const name[] = {
        "step_seconds_median", "step_seconds_p10", "step_seconds_p90",
        "step_seconds_min"};
    double x[4] = {NAN, NAN, NAN, NAN};

    for (int i = 0; i < 4; i++)
        PASS(cell_maybe(cell_get_real(w->cell, "timing", name[i], &x[i])));
    if (isnan(x[0]))
        return OK;
    struct baseline_value *v = baseline_add(w->to, "step_seconds");
    v->value = x[0];
    v->between = (struct interval){x[1], x[2]};
    v->units = "s";
    v = baseline_add(w->to, "step_seconds_least");
    v->value = x[3];
    v->units = "s";
    return OK;
}

/* Copies the first BASELINE_START training losses, if the curve has one point
 * per step. */
static int copy_start(struct work *w)
{
    OWNED(free) double *step = NULL, *loss = NULL;
    size_t n = 0, points = 0;
    const char *all = "";

    PASS(cell_maybe(cell_get_array(w->cell, "curves/train/step", &step,
                                   &points)));
    PASS(cell_maybe(cell_get_array(w->cell, "curves/train/loss", &loss, &n)));
    if (n < BASELINE_START || points != n ||
        step[BASELINE_START - 1] != BASELINE_START)
        return OK;
    for (int i = 0; i < BASELINE_START; i++)
        all = arena_format(w->out->memory, "%s%s%.9g", all, i ? " " : "",
                           loss[i]);
    add_text(w, "start", all);
    return OK;
}

/* Sets v->between to the bootstrap interval of a metric over the test examples,
 * if the metric is computed per example. */
static int interval_of(struct baseline_value *v, const struct work *w,
                       const struct tested *x, const char *metric)
{
    struct outcomes o;
    const struct outcomes *const one[] = {&o};
    OWNED(free) double *drawn = malloc(BOOTSTRAP_RESAMPLES * sizeof *drawn);
    int finite = 1, rc;

    PASS(outcomes_open(&o, x, metric, w->metrics));
    rc = o.strata ? outcomes_resample(&drawn, one, 1, BOOTSTRAP_RESAMPLES) : OK;
    for (int i = 0; o.strata && rc == OK && i < BOOTSTRAP_RESAMPLES; i++)
        finite &= isfinite(drawn[i]);
    if (o.strata && rc == OK && finite)
        v->between = stats_percentiles(drawn, BOOTSTRAP_RESAMPLES);
    outcomes_close(&o);
    return rc;
}

static int copy_metric(struct work *w, const struct tested *x,
                       const char *metric)
{
    const char *path = arena_format(w->out->memory, "metrics/%s", metric);
    struct baseline_value *v = baseline_add(w->to, path);
    OWNED(free) char *units = NULL;
    long long better = 0;

    PASS(cell_get_metric(w->cell, metric, &v->value));
    PASS(cell_maybe(cell_get_int(w->cell, path, "better", &better)));
    v->better = better < 0 ? -1 : better > 0;
    PASS(cell_maybe(cell_get_unit(w->cell, path, &units)));
    v->units = units ? arena_text(w->out->memory, units) : "";
    PASS(text_of(&v->signature, w, path, "signature"));
    return interval_of(v, w, x, metric);
}

/* Adds the machine that trained the cell, such as "AMD EPYC 7B13, 2
 * processors", to w->machine, unless it is already there. */
static int look_at_machine(struct work *w)
{
    struct arena *a = w->out->memory;
    const char *processor, *one;
    double n = NAN;

    PASS(text_of(&processor, w, "provenance", "processor"));
    PASS(cell_maybe(cell_get_real(w->cell, "timing", "processors", &n)));
    one = arena_format(a, "%s, %.0f processor%s",
                       *processor ? processor : "unknown", n,
                       n == 1 ? "" : "s");
    if (!w->machine)
        w->machine = one;
    else if (!strstr(w->machine, one))
        w->machine = arena_format(a, "%s; %s", w->machine, one);
    return OK;
}

static int copy_cell(struct work *w, const struct report_cell *c)
{
    struct arena *a = w->out->memory;
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(examples_close) struct tested x = {.n = 0};
    const char **metric, *config;
    char results[HASH_HEX];
    struct build build;
    size_t n = 0;

    PASS(cell_open(&cell, w->report->store, c->id));
    w->cell = cell;
    PASS(cell_maybe(cell_get_names(cell, "metrics", &metric, &n)));
    w->to = &w->out->cell[w->out->cells++];
    w->to->name = cell_name(a, c->variant, c->task, c->scale, c->seed);
    w->to->value = arena_zero(a, (n + FIXED) * sizeof *w->to->value);
    add_text(w, "id", c->id);
    PASS(cell_results(cell, results));
    add_text(w, "results", arena_format(a, "%.16s", results));
    PASS(text_of(&config, w, "config", "json"));
    add_text(w, "config", config);
    PASS(copy_digest(w, "data", "provenance", "data_digest"));
    PASS(copy_digest(w, "weights", "weights", "sha256"));
    PASS(copy_number(w, "params", "1"));
    PASS(copy_number(w, "flops_per_step", "1"));
    PASS(copy_number(w, "tokens", "1"));
    PASS(copy_number(w, "peak_rss_bytes", "byte"));
    PASS(copy_start(w));
    PASS(copy_times(w));
    PASS(build_read(&build, cell, a));
    int at = builds_add(&w->builds, &build, a);
    if (at > 0) /* a cell of the first build has no value `build` */
        baseline_add(w->to, "build")->value = at + 1;
    PASS(look_at_machine(w));
    PASS(examples_read(&x, cell, c->id));
    for (size_t i = 0; i < n; i++)
        PASS(copy_metric(w, &x, metric[i]));
    qsort(w->to->value, (size_t)w->to->n, sizeof *w->to->value, by_what);
    return OK;
}

/* Returns the name of a fact of build n: "commit", "2.commit", ... */
static const char *fact_name(char out[64], int build, const char *name)
{
    snprintf(out, 64, "%d.%s", build + 1, name);
    return build ? out : name;
}

const char *baseline_build_fact(const struct baseline *b, int build,
                                const char *name)
{
    char text[64];

    return baseline_fact(b, fact_name(text, build, name));
}

int baseline_build(const struct baseline_cell *c)
{
    const struct baseline_value *further = baseline_value(c, "build");

    return further ? (int)further->value - 1 : 0;
}

int baseline_remove_others(struct baseline *b, const char *build)
{
    int n = 0, all = b->cells;

    for (int k = 0; k < all; k++) {
        const struct baseline_cell *c = &b->cell[k];
        const char *by = build ? baseline_build_fact(b, baseline_build(c),
                                                     "build") : NULL;

        if (!strstr(c->name, CELL_EXTERNAL) &&
            (!build || (by && !strcmp(by, build))))
            b->cell[n++] = *c;
    }
    b->cells = n;
    return all - n;
}

static void add_facts(struct work *w)
{
    struct baseline *b = w->out;
    struct arena *a = b->memory;

    baseline_add_fact(b, "experiment", w->report->name);
    baseline_add_fact(b, "store", w->report->store);
    baseline_add_fact(b, "machine", w->machine);
    for (int i = 0; i < w->builds.n; i++) {
        const struct build *one = &w->builds.build[i];
        char name[64];

        baseline_add_fact(b, arena_text(a, fact_name(name, i, "commit")),
                          arena_format(a, "%s%s", one->commit,
                                       one->dirty > 0 ? "-dirty" : ""));
        for (int k = 0; k < BUILD_FACTS; k++)
            if (one->fact[k])
                baseline_add_fact(
                    b, arena_text(a, fact_name(name, i, build_fact[k])),
                    one->fact[k]);
    }
}

static int by_name(const void *x, const void *y)
{
    const struct baseline_cell *a = x, *b = y;
    int order = strcmp(a->name, b->name);

    return order ? order
                 : strcmp(baseline_text(a, "id"), baseline_text(b, "id"));
}

int baseline_measure(struct baseline **out, const char *name,
                     const char *store, int whole,
                     const struct metric *const *metrics)
{
    OWNED(baseline_close) struct baseline *b = baseline_new(name);
    OWNED(report_close) struct report *r = NULL;
    struct work w = {.out = b, .metrics = metrics};
    const struct report_cell *first = NULL; /* first unfinished cell */
    int left = 0;                           /* unfinished cells     */

    *out = NULL;
    PASS(report_open(&r, store));
    w.report = r;
    for (int i = 0; i < r->n; i++)
        if (r->cell[i].state != CELL_DONE &&
            r->cell[i].state != CELL_REFUSED && !left++)
            first = &r->cell[i];
    if (left && whole) {
        OWNED(free) char *word = text_quoted(r->store);

        return err_set(ERR_EMPTY, "%s: %d of its %d cells are not finished "
                       "(%s/%s/%lld is %s): `synthbench run --store %s` trains "
                       "them", r->store, left, r->n, first->variant,
                       first->task, first->seed, cell_state_text[first->state],
                       word);
    }
    b->cell = arena_zero(b->memory, ((size_t)r->n + 1) * sizeof *b->cell);
    for (int i = 0; i < r->n; i++)
        if (r->cell[i].state == CELL_DONE)
            PASS(copy_cell(&w, &r->cell[i]));
    if (!b->cells)
        return err_set(ERR_EMPTY, "%s: no cell is finished", r->store);
    add_facts(&w);
    qsort(b->cell, (size_t)b->cells, sizeof *b->cell, by_name);
    return MOVE_OUT(out, b);
}

const char baseline_metric[] = "metrics/";

int baseline_is_metric(const struct baseline_value *v)
{
    return !strncmp(v->what, baseline_metric, strlen(baseline_metric));
}

int baseline_is_cost(const char *what)
{
    return !strncmp(what, "step_seconds", 12) ||
           !strcmp(what, "peak_rss_bytes") || !strcmp(what, "build");
}

void baseline_strip(struct baseline *b)
{
    static const char *const kept[] = {"experiment", "numerics_version",
                                       "real_bits", NULL};
    int n = 0;

    for (int i = 0; i < b->facts; i++)
        if (names_index(kept, b->fact[i].name) >= 0)
            b->fact[n++] = b->fact[i];
    b->facts = n;
    for (struct baseline_cell *c = b->cell; c < b->cell + b->cells; c++) {
        n = 0;
        for (int i = 0; i < c->n; i++)
            if (!baseline_is_cost(c->value[i].what))
                c->value[n++] = c->value[i];
        c->n = n;
    }
}
