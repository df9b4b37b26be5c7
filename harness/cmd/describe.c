#include "harness/cmd/describe.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/plan_lengths.h"
#include "harness/cmd/plan_numa.h"
#include "harness/config/key_table.h"
#include "harness/run/worker.h"
#include "harness/print/sheet.h"
#include "harness/site/results.h"
#include "harness/store/cell.h"
#include "harness/store/guess.h"

#include <math.h>
#include <string.h>

/* ---- the columns ---- */

/* A selected cell, and what is printed about it. */
struct shown {
    const struct cell *cell;
    struct results     found;
    /* The next three are NAN if the model is impossible. */
    struct cost        cost;
    double             flops, seconds;
    double             gpu_bytes;      /* NAN: no GPU */
    long long          seed;
    size_t             saved;
    int                worse; /* than the input-blind baseline; -1: unknown */
    const char        *name, *status, *reason, *note, *spent, *result;
};

#define CELL          COLUMN_VIA(struct shown, cell)
#define CHARS(member) CELL, COLUMN_AS(COLUMN_CHARS, struct cell, member)
#define PLANNED(unit_text) .unit = unit_text, .none = "-"

static const struct column cell_columns[] = {
    {"id", "id", CHARS(id)},
    {"task", "task", CHARS(config.task)},
    {"row", NULL, CELL, COLUMN(struct cell, row)},
    {NULL, "variant", COLUMN(struct shown, name)},
    {"variant", NULL, CHARS(config.variant)},
    {"scale", "scale", CHARS(config.scale)},
    {"seed", "seed", COLUMN(struct shown, seed)},
    {"params", "params", COLUMN_AS(COLUMN_WHOLE, struct shown, cost.params),
     PLANNED("")},
    {NULL, "per step", COLUMN(struct shown, flops), PLANNED("FLOP")},
    {"flops_per_step", NULL, COLUMN(struct shown, cost.flops_per_step)},
    {NULL, "weights", COLUMN(struct shown, cost.part.weights), PLANNED("B")},
    {NULL, "optimizer", COLUMN(struct shown, cost.part.optimizer),
     PLANNED("B")},
    {NULL, "activations", COLUMN(struct shown, cost.part.activations),
     PLANNED("B")},
    {"bytes", "memory", COLUMN(struct shown, cost.bytes), PLANNED("B")},
    {"seconds", "time", COLUMN(struct shown, seconds), PLANNED("s")},
    {"status", "status", COLUMN(struct shown, status)},
    {"reason", NULL, COLUMN_AS(COLUMN_WORD, struct shown, reason)},
    {NULL, "", COLUMN(struct shown, note)},
    {"saved", NULL, COLUMN_AS(COLUMN_COUNT, struct shown, saved)},
    {"gpu_bytes", NULL, COLUMN(struct shown, gpu_bytes),
     .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static const struct column part_columns[] = {
    {"parameters", NULL, COLUMN(struct memory, weights)},
    {"gradients", NULL, COLUMN(struct memory, gradients)},
    {"optimizer_state", NULL, COLUMN(struct memory, optimizer)},
    {"activations", NULL, COLUMN(struct memory, activations)},
    {"data", NULL, COLUMN(struct memory, data)},
    {"products", NULL, COLUMN(struct memory, products)},
    {"program", NULL, COLUMN(struct memory, program)},
    {.type = COLUMN_END}};

static const struct column result_columns[] = {
    {NULL, "id", CHARS(id)},
    {NULL, "task", CHARS(config.task)},
    {NULL, "variant", COLUMN(struct shown, name)},
    {NULL, "scale", CHARS(config.scale)},
    {NULL, "seed", COLUMN(struct shown, seed)},
    {NULL, "status", COLUMN(struct shown, status)},
    {"seconds_spent", NULL, CELL, COLUMN(struct cell, status.seconds)},
    {NULL, "spent", COLUMN(struct shown, spent), .left = -1},
    {"message", NULL, COLUMN_AS(COLUMN_WORD, struct shown, reason)},
    {"commit", NULL, COLUMN(struct shown, found.build.commit),
     .flags = COLUMN_SPARSE},
    {"worse_than_blind", NULL, COLUMN_AS(COLUMN_BOOL, struct shown, worse),
     .flags = COLUMN_NULLABLE},
    {NULL, "result", COLUMN(struct shown, result)},
    {.type = COLUMN_END}};

static const struct column queued_columns[] = {
    {"job", NULL, COLUMN(struct cell_queued, job)},
    {"state", NULL, COLUMN(struct cell_queued, state)},
    {"reason", NULL, COLUMN(struct cell_queued, reason)},
    {.type = COLUMN_END}};

/* ---- the cells ---- */

/* A description in progress, to which cells are added one by one. */
struct telling {
    const struct plan *plan;
    enum detail        detail;
    int                synthetic; /* 1: all selected cells are; noted once */
    struct sheet      *sheet;
    json_t            *cells;     /* in the sheet */
    int                brief;     /* 1: one line per task           */
    int                all;       /* 1: all stored values of a cell */
    struct builds      builds;    /* of the cells that were read    */
    int                worst;     /* exit code of the worst damage  */
};

static void close_telling(struct telling *t)
{
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

/* Returns the metrics of a cell, the state of its job, or why it has none. */
static const char *result_of(const struct cell *c, const struct results *r,
                             struct arena *a)
{
    OWNED(text_free) struct text all = {0};
    const char *note = plan_note(c);
    char why[160];

    text_clear(&all);
    if (c->queued.job)
        text_format(&all, "job %s: %s%s%s%s%s", c->queued.job, c->queued.state,
                    *c->queued.reason ? ", " : "", c->queued.reason,
                    *note ? "; " : "", note);
    else if (*note)
        text_put(&all, note);
    else
        for (int i = 0; i < r->metrics; i++)
            text_format(&all, "%s%s %.4g", i ? ", " : "", r->metric[i],
                        r->value[i]);
    if (*remark(&r->blind, why))
        text_format(&all, "; %s", why);
    return text_keep(&all, a);
}

static void look(struct shown *x, struct telling *t, const struct cell *c)
{
    static const struct cost unknown = {
        NAN, NAN, NAN, NAN, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
    struct arena *a = t->sheet->memory;
    char time[32];

    *x = (struct shown){
        .cell = c, .cost = c->refused ? unknown : c->cost,
        .flops = c->refused ? NAN : c->step.flops,
        .seconds = c->refused ? NAN : c->seconds,
        .gpu_bytes = c->cost.gpu_bytes > 0 ? c->cost.gpu_bytes : NAN,
        .seed = (long long)c->config.seed, .saved = (size_t)c->saved,
        .name = c->config.synthetic && !t->synthetic
                    ? arena_format(a, "%s (synthetic)", c->row) : c->row,
        .status = plan_status(c), .reason = plan_reason(c),
        .note = plan_note(c),
        .spent = c->status.seconds > 0
                     ? arena_text(a, str_duration(c->status.seconds, time))
                     : "-"};
    read_results(&x->found, t, c);
    x->worse = x->found.blind.name ? x->found.blind.worse : -1;
    x->result = result_of(c, &x->found, a);
}

/* ---- JSON ---- */

/* Adds the settings and everything that the file of the cell says. */
static void put_all(json_t *j, const struct shown *x, const char *store,
                    struct arena *a)
{
    const struct results *r = &x->found;
    json_t *config = json_object();

    json_object_set_new(j, "config", config);
    for (int hashed = 1; hashed >= 0; hashed--) {
        OWNED(free) char *text = settings_all(&x->cell->config, hashed);

        json_object_update_new(config, json_loads(text, 0, NULL));
    }
    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];
        json_t *group = json_object_get(j, f->group);
        double number;

        if (!group) {
            group = json_object();
            json_object_set_new(j, f->group, group);
        }
        json_object_set_new(group, f->name,
                            str_to_real(f->text, &number)
                                ? json_string(f->text)
                                : json_real(number));
    }
    if (r->facts)
        json_object_set_new(j, "file", json_string(arena_format(
            a, "%s/cells/%s.h5", store, x->cell->id)));
}

/* Returns the object of a cell (describe.h). */
static json_t *cell_json(const struct telling *t, const struct shown *x)
{
    const struct cell *c = x->cell;
    struct arena *a = t->sheet->memory;
    json_t *j = relation_object(cell_columns, x, a);

    json_object_set_new(j, "bytes_parts",
                        c->refused ? json_null()
                                   : relation_object(part_columns,
                                                     &c->cost.part, a));
    json_object_set_new(j, "expected",
                        c->refused ? json_null()
                                   : relation_object(plan_lengths_columns, c,
                                                     a));
    if (t->detail != DESCRIBE_PLAN) {
        json_t *metrics = json_object();

        relation_put(j, result_columns, x, a);
        json_object_set_new(j, "metrics", metrics);
        for (int i = 0; i < x->found.metrics; i++)
            json_object_set_new(metrics, x->found.metric[i],
                                json_real(x->found.value[i]));
        json_object_set_new(j, "queued",
                            c->queued.job ? relation_object(queued_columns,
                                                            &c->queued, a)
                                          : json_null());
    }
    if (t->detail == DESCRIBE_ALL)
        put_all(j, x, t->plan->store, a);
    return j;
}

/* ---- totals ---- */

static int is_alike(const struct cell *a, const struct cell *b)
{
    return a->task == b->task && !strcmp(a->config.scale, b->config.scale);
}

/* Writes the number of seeds of the rows, "4" or "1 to 4", to out and returns
 * it.  The seeds of a row are the selected cells with its task, name and scale.
 * of: a cell, for the rows of its task and scale; or NULL for all. */
static const char *seeds_text(char out[32], const struct plan *p,
                              const struct cell *of)
{
    OWNED(map_free) struct map *rows = map_of_copies();
    OWNED(free) int *seeds = calloc((size_t)p->n + 1, sizeof *seeds);
    int least = 0, most = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];
        OWNED(free) char *row = str_format("%s\t%s\t%s", c->row,
                                           c->config.task, c->config.scale);

        if (c->selected && (!of || is_alike(c, of)))
            seeds[map_number(rows, row, strlen(row))]++;
    }
    for (int i = 0; i < map_count(rows); i++) {
        least = !i || seeds[i] < least ? seeds[i] : least;
        most = seeds[i] > most ? seeds[i] : most;
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

/* ---- one cell ---- */

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
        "provenance.gpu_attention", NULL};
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
                      const struct shown *x, int all)
{
    const struct cell *c = x->cell;
    const struct results *r = &x->found;
    int noisy = 0;
    char why[160];

    grid_add(g, "id\t%s", c->id);
    grid_add(g, "status\t%s", x->status);
    if (*x->note)
        grid_add(g, "message\t%s", x->note);
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
    for (int i = 0; i < r->facts; i++)
        noisy |= !strcmp(r->fact[i].name, "too_noisy") &&
                 !strcmp(r->fact[i].text, "1");
    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];
        int speed = !strcmp(f->name, "steps_per_s") ||
                    !strcmp(f->name, "tokens_per_s");

        if (!all && !is_main(f))
            continue;
        grid_add(g, "%s.%s", f->group, f->name);
        grid_add(g, "%s%s", f->text, speed && noisy ? " (too noisy)" : "");
    }
    if (r->facts)
        grid_add(g, "file\t%s/cells/%s.h5", p->store, c->id);
}

/* ---- one line per task ---- */

enum { SCREEN = 25 }; /* maximum number of cells listed one by one */

/* The cells of a task and a scale. */
struct task_line {
    const char *task, *scale, *seeds;
    int         cells, done;
    double      params, bytes, seconds, spent;
};

#define TASK_COLUMNS                                                          \
    {NULL, "task", COLUMN(struct task_line, task)},                           \
    {NULL, "scale", COLUMN(struct task_line, scale)},                         \
    {NULL, "seeds", COLUMN(struct task_line, seeds), .left = -1},             \
    {NULL, "cells", COLUMN(struct task_line, cells)},                         \
    {NULL, "done", COLUMN(struct task_line, done)}

static const struct column planned_columns[] = {
    TASK_COLUMNS,
    {NULL, "params", COLUMN(struct task_line, params), .unit = ""},
    {NULL, "memory", COLUMN(struct task_line, bytes), .unit = "B"},
    {NULL, "time", COLUMN(struct task_line, seconds), .unit = "s"},
    {.type = COLUMN_END}};

static const struct column spent_columns[] = {
    TASK_COLUMNS,
    {NULL, "spent", COLUMN(struct task_line, spent), .unit = "s"},
    {.type = COLUMN_END}};

/* Returns the line of the cells that are like `first`, or a line without cells
 * if `first` is not the first of them. */
static struct task_line task_line(const struct plan *p,
                                  const struct cell *first, struct arena *a)
{
    struct task_line l = {.task = first->config.task,
                          .scale = first->config.scale};
    char text[32];

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!c->selected || !is_alike(c, first))
            continue;
        if (c < first)
            return (struct task_line){.cells = 0};
        l.cells++;
        l.done += plan_state(c) == CELL_DONE;
        l.spent += c->status.seconds;
        if (!c->refused) {
            l.params = fmax(l.params, c->cost.params);
            l.bytes = fmax(l.bytes, c->cost.bytes);
            l.seconds += c->seconds;
        }
    }
    l.seeds = arena_text(a, seeds_text(text, p, first));
    return l;
}

static void put_tasks(struct sheet *s, const struct plan *p, int planned)
{
    struct task_line *line = arena_take(s->memory,
                                        (size_t)p->n * sizeof *line);
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        if (p->cell[i].selected)
            line[n] = task_line(p, &p->cell[i], s->memory);
        n += p->cell[i].selected && line[n].cells;
    }
    sheet_grid_of(s, &(struct relation){
        NULL, planned ? planned_columns : spent_columns, line, sizeof *line,
        n});
    sheet_put(s, PART_PARAGRAPH, planned
              ? "Parameters and memory are of the largest cell. `--all` lists "
                "every cell."
              : "`--all` lists every cell and the builds that trained them.");
}

/* ---- the whole ---- */

static int about_task(const char *task, const struct cell *c)
{
    return !strcmp(c->config.task, task);
}

static int about_guess(const char *guess, const struct cell *c)
{
    return guess_about(guess, c->config.task, c->row);
}

/* Returns those texts of the list that are about a selected cell. */
static const char **texts_about(const struct plan *p, const char **text,
                                int (*about)(const char *, const struct cell *))
{
    int n = 0;

    while (text[n])
        n++;
    const char **out = arena_zero(p->memory, ((size_t)n + 1) * sizeof *out);
    for (n = 0; *text; text++)
        for (int i = 0; i < p->n; i++)
            if (p->cell[i].selected && about(*text, &p->cell[i])) {
                out[n++] = *text;
                break;
            }
    return out;
}

static void put_items(struct sheet *s, const char *head,
                      const char *const *text)
{
    if (*text)
        sheet_put(s, PART_LINE, "%s", head);
    for (; *text; text++)
        sheet_put(s, PART_ITEM, "%s", *text);
}

static void put_lacking(struct sheet *s, const struct plan *p)
{
    const char **all = arena_zero(s->memory, ((size_t)p->n + 1) * sizeof *all);
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const char *why = plan_lacks(p, &p->cell[i]);

        if (why)
            all[n++] = arena_format(s->memory, "%s: %s",
                                    p->cell[i].config.task, why);
    }
    put_items(s, "`run` leaves out these tasks, because their data are "
                 "missing:", all);
}

static int has_task(const void *plan, const struct task *t)
{
    const struct plan *p = plan;

    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected && p->cell[i].task == t)
            return 1;
    return 0;
}

/* Adds lines about the tasks: which are synthetic, which are not compared, and
 * which pairs are tested. */
static void put_tested(struct telling *t, const char *const *uncompared)
{
    struct sheet *s = t->sheet;
    OWNED(free) char *tasks = names_list(uncompared);

    if (t->synthetic) {
        sheet_put(s, PART_LINE, "all on synthetic data");
        for (int i = 0; task_all[i]; i++) {
            const char *twins = task_twins(s->memory, task_all[i], has_task,
                                           t->plan);

            if (twins)
                sheet_put(s, PART_PARAGRAPH, "%s", twins);
        }
    }
    if (*uncompared)
        sheet_put(s, PART_LINE, "reported, not compared: %s", tasks);
    put_items(s, "tested, as one family (all else is reported without a "
                 "verdict):", t->plan->contrasts);
}

/* Adds the text that follows the cells, and the lists of the JSON object.  If
 * the cells that were read come from different builds, warns on stderr that
 * they may not be comparable. */
static void put_end(struct telling *t)
{
    struct sheet *s = t->sheet;
    const struct plan *p = t->plan;
    const char *builds = builds_text(&t->builds, s->memory);
    const char **uncompared = texts_about(p, p->uncompared, about_task);
    const char **guessed = texts_about(p, p->guessed, about_guess);
    struct relation all = builds_relation(&t->builds);

    if (t->detail != DESCRIBE_ALL)
        put_tested(t, uncompared);
    if (t->detail == DESCRIBE_PLAN)
        put_lacking(s, p);
    if (t->detail == DESCRIBE_PLAN && !t->brief) {
        plan_lengths_put(s, p);
        put_items(s, "settings that no source states, with the assumption "
                     "where there is one:", guessed);
    }
    if (t->detail == DESCRIBE_RESULTS && builds)
        sheet_put(s, PART_PARAGRAPH, "%s", builds);
    if (builds_differ(&t->builds))
        say("%s", builds);
    sheet_fact(s, "others", json_integer(p->others));
    sheet_texts(s, "uncompared", uncompared);
    sheet_texts(s, "contrasts", p->contrasts);
    sheet_texts(s, "guessed", guessed);
    if (t->detail == DESCRIBE_PLAN)
        plan_numa_put(s, p);
    else
        sheet_fact(s, all.name, relation_json(&all, s->memory));
    if (t->detail == DESCRIBE_ALL && !t->all)
        sheet_put(s, PART_PARAGRAPH, "Settings that are not listed have "
                  "their defaults. `--all` lists them, and all that is stored "
                  "about the build, the machine, the data and the time.");
}

/* Returns 1 if the lines of tasks say enough about the cell. */
static int is_ordinary(const struct cell *c)
{
    enum cell_state state = plan_state(c);

    return !c->damage && (state == CELL_DONE || state == CELL_MISSING);
}

int describe(const struct plan *p, enum detail d, const char *format, int all)
{
    OWNED(close_telling) struct telling t = {
        .plan = p, .detail = d, .all = all, .synthetic = 1,
        .sheet = sheet_new(), .cells = json_array()};
    struct sheet *s = t.sheet;
    struct shown *row = arena_take(s->memory, (size_t)p->n * sizeof *row);
    int n = 0, hidden = 0, selected = 0, people = strcmp(format, "json");

    for (int i = 0; i < p->n; i++) {
        selected += p->cell[i].selected;
        t.synthetic &= !p->cell[i].selected || p->cell[i].config.synthetic;
    }
    t.brief = !all && d != DESCRIBE_ALL && selected > SCREEN;
    sheet_fact(s, "cells", t.cells);
    if (d != DESCRIBE_ALL)
        put_total(s, p);
    if (t.brief)
        put_tasks(s, p, d == DESCRIBE_PLAN);
    for (int i = 0; i < p->n; i++) {
        if (!p->cell[i].selected ||
            (t.brief && people && is_ordinary(&p->cell[i])))
            continue;
        look(&row[n], &t, &p->cell[i]);
        json_array_append_new(t.cells, cell_json(&t, &row[n]));
        if (d == DESCRIBE_ALL)
            cell_rows(sheet_listing(s, "<<", NULL), p, &row[n], all);
        int shown = !t.brief || (!is_ordinary(&p->cell[i]) && n < SCREEN);
        n += shown;
        hidden += t.brief && !shown && !is_ordinary(&p->cell[i]);
    }
    if (d != DESCRIBE_ALL)
        sheet_grid_of(s, &(struct relation){
            NULL, d == DESCRIBE_PLAN ? cell_columns : result_columns, row,
            sizeof *row, n});
    if (hidden)
        sheet_put(s, PART_LINE, "%d more cell%s like these", hidden,
                  hidden == 1 ? "" : "s");
    put_end(&t);
    PASS(sheet_print(s, format, NULL));
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
