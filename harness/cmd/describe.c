#include "harness/cmd/describe.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/describe_json.h"
#include "harness/cmd/plan_lengths.h"
#include "harness/cmd/plan_numa.h"
#include "harness/cmd/plan_params.h"
#include "harness/config/key_table.h"
#include "harness/run/worker.h"
#include "harness/print/sheet.h"
#include "harness/site/results.h"
#include "harness/store/cell.h"
#include "harness/store/guess.h"

#include <math.h>
#include <string.h>

/* A description in progress, to which cells are added one by one. */
struct telling {
    const struct plan *plan;
    enum detail        detail;
    int                synthetic; /* 1: all selected cells are; noted once */
    struct sheet      *sheet;
    struct grid       *grid;
    struct published  *published; /* NULL: no full-scale cell */
    json_t            *cells;
    int                brief;     /* 1: one line per task           */
    int                all;       /* 1: all stored values of a cell */
    struct builds      builds;    /* of the cells that were read    */
    int                worst;     /* exit code of damage            */
};

static void close_telling(struct telling *t)
{
    published_close(t->published);
    json_decref(t->cells);
    sheet_close(t->sheet);
}
OWNER_OF_VALUE(close_telling, struct telling)

/* Reads the results of a finished cell.  If the file is damaged, reports it,
 * sets t->worst, and leaves the results empty. */
static void read_results(struct results *out, struct telling *t,
                         const struct cell *c)
{
    struct arena *a = t->plan->memory;
    int rc = OK;

    *out = (struct results){0};
    if (c->damage) {
        say("%s", c->damage);
        t->worst = err_exit_code(ERR_STORE);
    } else if (t->detail != DESCRIBE_PLAN && c->status.state == CELL_DONE) {
        rc = results_read(out, t->plan->store, c->id, c->task->metrics,
                          t->detail == DESCRIBE_ALL, a);
    }
    if (rc < 0) {
        say("%s", err_last());
        *out = (struct results){0};
        t->worst = err_exit_code(rc);
    }
    if (out->build.cells)
        builds_add(&t->builds, &out->build, a);
}

/* Adds a quantity, or "-" for a refused cell, whose quantities are unknown. */
static void quantity(struct grid *g, const struct cell *c, double x,
                     const char *unit)
{
    char text[32];

    grid_add(g, "%s", c->refused ? "-" : grid_count(x, unit, text));
}

static int all_synthetic(const struct plan *p)
{
    int all = 1;

    for (int i = 0; i < p->n; i++)
        all &= !p->cell[i].selected || p->cell[i].config.synthetic;
    return all;
}

static void add_name(struct grid *g, const struct telling *t,
                     const struct cell *c)
{
    const struct config *k = &c->config;

    grid_add(g, "%s\t%s\t%s%s\t%s\t%llu", c->id, k->task, c->row,
             k->synthetic && !t->synthetic ? " (synthetic)" : "", k->scale,
             (unsigned long long)k->seed);
}

static void plan_row(const struct telling *t, const struct cell *c)
{
    struct grid *g = t->grid;
    const struct cost *k = &c->cost;
    char time[32];

    add_name(g, t, c);
    quantity(g, c, k->params, NULL);
    quantity(g, c, c->step.flops, "FLOP");
    quantity(g, c, k->part.weights, "B");
    quantity(g, c, k->part.optimizer, "B");
    quantity(g, c, k->part.activations, "B");
    quantity(g, c, k->bytes, "B");
    grid_add(g, "%s\t%s\t%s",
             c->refused ? "-" : str_duration(c->seconds, time), plan_status(c),
             plan_note(c));
}

/* Returns the number of seeds of the row of `of`: the number of selected cells
 * with its task, row and scale, including `of`. */
static int count_seeds(const struct plan *p, const struct cell *of)
{
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        n += c->selected && c->task == of->task && !strcmp(c->row, of->row) &&
             !strcmp(c->config.scale, of->config.scale);
    }
    return n;
}

static int is_alike(const struct cell *a, const struct cell *b)
{
    return a->task == b->task && !strcmp(a->config.scale, b->config.scale);
}

/* Writes the number of seeds of the rows, "4" or "1 to 4", to out and returns
 * it.  of: a cell, for the rows of its task and scale; or NULL for all. */
static const char *seeds_text(char out[32], const struct plan *p,
                              const struct cell *of)
{
    int least = 0, most = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];
        int n = c->selected && (!of || is_alike(c, of)) ? count_seeds(p, c)
                                                        : 0;

        if (n && (!least || n < least))
            least = n;
        most = n > most ? n : most;
    }
    if (least < most)
        snprintf(out, 32, "%d to %d", least, most);
    else
        snprintf(out, 32, "%d", most);
    return out;
}

/* Adds a line of totals: "33 cells: 30 done, 3 missing; remaining: 1.2 TFLOP,
 * about 2 min 10 s, one cell at a time; 3 seeds". */
static void put_total(struct sheet *s, const struct plan *p)
{
    static const enum cell_state order[CELL_STATES] = {
        CELL_DONE, CELL_RUNNING, CELL_FAILED, CELL_MISSING, CELL_REFUSED,
        CELL_BLOCKED};
    double flops = 0, seconds = 0;
    int n[CELL_STATES] = {0}, all = 0, trials = 0, queued = 0;
    OWNED(text_free) struct text line = {0};
    char time[32], count[32];

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        all += c->selected;
        trials += c->selected && plan_is_trial(c);
        queued += c->selected && c->queued.job;
        n[plan_state(c)] += c->selected;
        if (!c->selected || c->refused || c->damage || c->blocked ||
            c->status.state == CELL_DONE)
            continue;
        seconds += c->seconds;
        flops += c->step.flops * c->config.steps;
    }
    text_format(&line, "%d cell%s", all, all == 1 ? "" : "s");
    if (trials)
        text_format(&line, ", %d of them trials", trials);
    text_put(&line, ":");
    for (int k = 0, any = 0; k < CELL_STATES; k++)
        if (n[order[k]])
            text_format(&line, "%s %d %s", any++ ? "," : "", n[order[k]],
                        cell_state_text[order[k]]);
    if (flops > 0)
        text_format(&line, "; remaining: %s, about %s, one cell at a "
                           "time",
                    grid_count(flops, "FLOP", count),
                    str_duration(seconds, time));
    if (queued)
        text_format(&line, "; %d queued by Slurm", queued);
    seeds_text(count, p, NULL);
    if (all)
        text_format(&line, "; %s seed%s", count, strcmp(count, "1") ? "s" : "");
    sheet_put(s, PART_LINE, "%s", line.s);
    if (p->others)
        sheet_put(s, PART_LINE, "%d more finished cell%s in %s, not "
                                "listed here",
                                p->others, p->others == 1 ? "" : "s", p->store);
}

static void put_uncompared(struct sheet *s, const json_t *tasks)
{
    OWNED(text_free) struct text line = {0};
    const json_t *task;
    size_t i;

    json_array_foreach(tasks, i, task)
        text_format(&line, "%s%s", i ? ", " : "", json_string_value(task));
    if (line.n)
        sheet_put(s, PART_LINE, "reported, not compared: %s", line.s);
}

static void put_contrasts(struct sheet *s, const json_t *contrasts)
{
    const json_t *contrast;
    size_t i;

    if (json_array_size(contrasts))
        sheet_put(s, PART_LINE, "tested, as one family (all else is reported "
                                "without a verdict):");
    json_array_foreach(contrasts, i, contrast)
        sheet_put(s, PART_ITEM, "%s", json_string_value(contrast));
}

static void put_guessed(struct sheet *s, const json_t *guesses)
{
    const json_t *guess;
    size_t i;

    if (json_array_size(guesses))
        sheet_put(s, PART_LINE, "settings that no source states, with the "
                                "assumption where there is one:");
    json_array_foreach(guesses, i, guess)
        sheet_put(s, PART_ITEM, "%s", json_string_value(guess));
}

static void put_lacking(struct sheet *s, const struct plan *p)
{
    int any = 0;

    for (int i = 0; i < p->n; i++) {
        const char *why = plan_lacks(p, &p->cell[i]);

        if (why && !any++)
            sheet_put(s, PART_LINE, "`run` leaves out these tasks, because "
                                    "their data are missing:");
        if (why)
            sheet_put(s, PART_ITEM, "%s: %s", p->cell[i].config.task, why);
    }
}

/* Writes a remark such as "worse than the unigram model: ce 12.4 against 6.27"
 * to `out`, or "" if the cell is not worse, and returns `out`. */
static const char *remark(const struct blind_baseline *b, char out[160])
{
    *out = 0;
    if (b->name && b->worse)
        snprintf(out, 160, "worse than %s: %s %.4g against %.4g", b->name,
                 b->metric, b->own, b->value);
    return out;
}

static void results_row(const struct telling *t, const struct cell *c,
                        const struct results *r)
{
    struct grid *g = t->grid;
    OWNED(text_free) struct text all = {0};
    char time[32], why[160];

    text_clear(&all);
    for (int i = 0; i < r->metrics; i++)
        text_format(&all, "%s%s %.4g", i ? ", " : "", r->metric[i],
                    r->value[i]);
    if (c->queued.job)
        text_format(&all, "job %s: %s%s%s%s%s", c->queued.job, c->queued.state,
                    *c->queued.reason ? ", " : "", c->queued.reason,
                    *plan_note(c) ? "; " : "", plan_note(c));
    add_name(g, t, c);
    grid_add(g, "%s\t%s\t%s%s%s", plan_status(c), c->status.seconds > 0
                 ? str_duration(c->status.seconds, time) : "-",
             *plan_note(c) && !c->queued.job ? plan_note(c) : all.s,
             *remark(&r->blind, why) ? "; " : "", why);
}

static int is_speed(const struct fact *f)
{
    return !strcmp(f->name, "steps_per_s") || !strcmp(f->name, "tokens_per_s");
}

static int too_noisy(const struct results *r)
{
    for (int i = 0; i < r->facts; i++)
        if (!strcmp(r->fact[i].name, "too_noisy"))
            return !strcmp(r->fact[i].text, "1");
    return 0;
}

/* Returns 1 if the fact is shown without --all. */
static int is_main(const struct fact *f)
{
    static const char *const main_facts[] = {
        "provenance.commit", "provenance.dirty", "provenance.date",
        "provenance.data_source", "provenance.synthetic",
        "provenance.train_examples", "provenance.test_examples",
        "timing.params", "timing.flops_per_step", "timing.tokens",
        "timing.train_seconds", "timing.steps_per_s",
        "timing.peak_rss_bytes", "timing.gpu_peak_bytes", "provenance.gpu",
        NULL};
    char name[128];

    snprintf(name, sizeof name, "%s.%s", f->group, f->name);
    return names_index(main_facts, name) >= 0 ||
           !strncmp(f->group, "trainer", strlen("trainer"));
}

/* Adds the settings; if `all` is 0, only those that differ from their
 * defaults. */
static void put_settings(struct grid *g, const struct config *c, int all)
{
    const struct variant *by;
    const struct key *k;

    for (int i = 0; (k = key_at(i, &by)); i++) {
        OWNED(free) char *value = NULL;

        if (!all && k->role != KEY_AXIS &&
            settings_same(c, k->name, k->initial) == 1)
            continue;
        REQUIRE(settings_get(c, k->name, &value) == OK, "%s", err_last());
        grid_add(g, "config.%s\t%s", k->name, value);
    }
}

/* Adds one cell, one fact per line, metrics first.  If `all` is 0, adds only
 * the main facts. */
static void cell_rows(struct grid *g, const struct plan *p,
                      const struct cell *c, const struct results *r, int all)
{
    char why[160];

    grid_add(g, "id\t%s", c->id);
    grid_add(g, "status\t%s", plan_status(c));
    if (*plan_note(c))
        grid_add(g, "message\t%s", plan_note(c));
    if (plan_uncompared(p, c->config.task))
        grid_add(g, "compared\tno: the experiment reports task %s but does "
                    "not compare it", c->config.task);
    for (int i = 0; i < r->metrics; i++) {
        grid_add(g, "metrics.%s", r->metric[i]);
        grid_add(g, "%.6g", r->value[i]);
    }
    if (*remark(&r->blind, why))
        grid_add(g, "remark\t%s", why);
    for (const char **guess = p->guessed; *guess; guess++)
        if (guess_about(*guess, c->config.task, c->row))
            grid_add(g, "guessed\t%s", *guess);
    put_settings(g, &c->config, all);
    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];

        if (!all && !is_main(f))
            continue;
        grid_add(g, "%s.%s", f->group, f->name);
        grid_add(g, "%s%s", f->text,
                 is_speed(f) && too_noisy(r) ? " (too noisy)" : "");
    }
    if (r->facts)
        grid_add(g, "file\t%s/cells/%s.h5", p->store, c->id);
}

static struct grid *new_grid(struct sheet *s, enum detail d)
{
    static const char *const plan_head[] = {
        "id", "task", "variant", "scale", "seed", "params", "per step",
        "weights", "optimizer", "activations", "memory", "time", "status", "",
        NULL};
    static const char *const results_head[] = {
        "id", "task", "variant", "scale", "seed", "status", "spent", "result",
        NULL};

    return d == DESCRIBE_PLAN ? sheet_listing(s, "<<<<>>>>>>>><<", plan_head)
           : d == DESCRIBE_RESULTS ? sheet_listing(s, "<<<<><><", results_head)
                                   : sheet_listing(s, "<<", NULL);
}

/* ---- one line per task ---- */

enum { SCREEN = 25 }; /* maximum number of cells listed one by one */

static int count_selected(const struct plan *p)
{
    int n = 0;

    for (int i = 0; i < p->n; i++)
        n += p->cell[i].selected;
    return n;
}

/* Returns 1 if the cell needs a line of its own among many. */
static int is_notable(const struct cell *c)
{
    enum cell_state state = plan_state(c);

    return c->damage || (state != CELL_DONE && state != CELL_MISSING);
}

/* Adds the line of the cells with the task and scale of cell i, the first of
 * them. */
static void task_row(struct grid *g, const struct plan *p, int i,
                     enum detail detail)
{
    const struct cell *first = &p->cell[i];
    int cells = 0, done = 0;
    double params = 0, bytes = 0, seconds = 0, spent = 0;
    char text[4][32];

    for (; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!c->selected || !is_alike(c, first))
            continue;
        cells++;
        done += plan_state(c) == CELL_DONE;
        params = fmax(params, c->refused ? 0 : c->cost.params);
        bytes = fmax(bytes, c->refused ? 0 : c->cost.bytes);
        seconds += c->refused ? 0 : c->seconds;
        spent += c->status.seconds;
    }
    grid_add(g, "%s\t%s\t%s\t%d\t%d", first->config.task,
             first->config.scale, seeds_text(text[3], p, first), cells, done);
    if (detail == DESCRIBE_PLAN)
        grid_add(g, "%s\t%s\t%s", grid_count(params, NULL, text[0]),
                 grid_count(bytes, "B", text[1]),
                 str_duration(seconds, text[2]));
    else
        grid_add(g, "%s", str_duration(spent, text[2]));
}

static void put_tasks(struct telling *t)
{
    static const char *const head[] = {"task", "scale", "seeds", "cells",
                                       "done", "params", "memory", "time",
                                       NULL};
    static const char *const spent[] = {"task", "scale", "seeds", "cells",
                                        "done", "spent", NULL};
    const struct plan *p = t->plan;
    struct grid *g = t->detail == DESCRIBE_PLAN
                         ? sheet_listing(t->sheet, "<<>>>>>>", head)
                         : sheet_listing(t->sheet, "<<>>>>", spent);

    for (int i = 0; i < p->n; i++) {
        int before = 0;

        while (before < i && !(p->cell[before].selected &&
                               is_alike(&p->cell[before], &p->cell[i])))
            before++;
        if (p->cell[i].selected && before == i)
            task_row(g, p, i, t->detail);
    }
    sheet_put(t->sheet, PART_PARAGRAPH, "%s",
              t->detail == DESCRIBE_PLAN
                  ? "Parameters and memory are of the largest cell. `--all` "
                    "lists every cell."
                  : "`--all` lists every cell.");
}

static void tell_cell(struct telling *t, const struct cell *c)
{
    struct results r;

    read_results(&r, t, c);
    if (t->detail == DESCRIBE_ALL)
        cell_rows(t->grid, t->plan, c, &r, t->all);
    else if (!t->brief || is_notable(c)) {
        t->grid = t->grid ? t->grid : new_grid(t->sheet, t->detail);
        t->detail == DESCRIBE_PLAN ? plan_row(t, c) : results_row(t, c, &r);
    }
    json_array_append_new(t->cells, describe_cell(t->plan, t->detail,
                                                  t->published, c, &r));
}

static int has_task(const void *plan, const struct task *t)
{
    const struct plan *p = plan;

    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected && p->cell[i].task == t)
            return 1;
    return 0;
}

static void put_twins(struct sheet *to, const struct plan *p)
{
    for (int i = 0; task_all[i]; i++) {
        const char *twins = task_twins(to->memory, task_all[i], has_task, p);

        if (twins)
            sheet_put(to, PART_PARAGRAPH, "%s", twins);
    }
}

/* Adds the text that follows the cells, and makes the JSON object.  If the
 * cells come from different builds, warns on stderr that they may not be
 * comparable. */
static void put_end(struct telling *t)
{
    const char *builds = builds_text(&t->builds, t->sheet->memory);
    json_t *uncompared = describe_uncompared(t->plan);
    json_t *guessed = describe_guessed(t->plan);
    json_t *contrasts = describe_contrasts(t->plan);
    struct relation all = builds_relation(&t->builds);

    if (t->detail != DESCRIBE_ALL) {
        if (t->synthetic) {
            sheet_put(t->sheet, PART_LINE, "all on synthetic data");
            put_twins(t->sheet, t->plan);
        }
        put_uncompared(t->sheet, uncompared);
        put_contrasts(t->sheet, contrasts);
    }
    if (t->detail == DESCRIBE_PLAN)
        put_lacking(t->sheet, t->plan);
    if (t->detail == DESCRIBE_PLAN && !t->brief) {
        plan_lengths_put(t->sheet, t->plan);
        put_guessed(t->sheet, guessed);
    }
    if (t->detail == DESCRIBE_RESULTS && builds)
        sheet_put(t->sheet, PART_PARAGRAPH, "%s", builds);
    if (builds_differ(&t->builds))
        say("%s", builds);
    if (t->published && !t->brief)
        plan_params_put(t->sheet, t->plan, t->published);
    t->sheet->object = json_pack("{s:O, s:i, s:o, s:o, s:o}", "cells",
                                 t->cells, "others", t->plan->others,
                                 "uncompared", uncompared, "contrasts",
                                 contrasts, "guessed", guessed);
    if (t->detail == DESCRIBE_PLAN)
        plan_numa_put(t->sheet, t->plan);
    else
        sheet_fact(t->sheet, all.name, relation_json(&all, t->sheet->memory));
    if (t->detail == DESCRIBE_ALL && !t->all)
        sheet_put(t->sheet, PART_PARAGRAPH, "Settings that are not listed have "
                  "their defaults. `--all` lists them, and all that is stored "
                  "about the build, the machine, the data and the time.");
}

int describe(const struct plan *p, enum detail d, const char *format, int all)
{
    OWNED(close_telling) struct telling t = {
        .plan = p, .detail = d, .all = all, .synthetic = all_synthetic(p),
        .sheet = sheet_new(), .cells = json_array(),
        .brief = !all && d != DESCRIBE_ALL && count_selected(p) > SCREEN};

    if (d == DESCRIBE_PLAN)
        PASS(plan_params_open(&t.published, p));
    if (d != DESCRIBE_ALL)
        put_total(t.sheet, p);
    if (t.brief)
        put_tasks(&t);
    if (!t.brief)
        t.grid = new_grid(t.sheet, d);
    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected)
            tell_cell(&t, &p->cell[i]);
    put_end(&t);
    PASS(sheet_print(t.sheet, format, NULL));
    return t.worst;
}

void describe_blind(const struct plan *p)
{
    enum { NAMED = 10 };
    OWNED(free) char *store = text_quoted(p->store);
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];
        OWNED(cell_close) struct cell_reader *r = NULL;
        struct blind_baseline b;
        char why[160];

        if (!c->selected || c->refused || c->status.state == CELL_DONE ||
            plan_uncompared(p, c->config.task) ||
            cell_open(&r, p->store, c->id) < 0)
            continue;
        if (blind_read(&b, r) == OK && b.worse && n++ < NAMED)
            say(CELL_NAME " is %s", CELL_NAMED(c), remark(&b, why));
    }
    if (n > NAMED)
        say("... and %d more are worse than the input-blind baseline; "
            "`synthbench status --store %s` lists them", n - NAMED, store);
}
