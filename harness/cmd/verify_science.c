/* verify science: compares the cells of a store with the data-generating
 * distributions, in a table of generators by variants. */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/print/sheet.h"
#include "harness/verify/science/science.h"

#include <math.h>
#include <string.h>

struct given { const char *store, *format; };

static const struct opt options[] = {
    {"--store", 0, "DIR", opt_text, OPT_AT(store),
     .doc = "Results folder",
     .initial = "results/science"},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

struct examined {
    struct plan        *plan;
    struct science_run *run;
    struct science_row *row;
    int                 runs, rows, missing; /* missing: unfinished cells */
    int                 count[3];            /* rows of each verdict      */
};

/* ---- reading ---- */

static int read_runs(struct examined *x)
{
    struct plan *p = x->plan;

    x->run = arena_take(p->memory, ((size_t)p->n + 1) * sizeof *x->run);
    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];

        if (!c->task->law || !c->selected || c->refused)
            continue;
        if (c->damage)
            return err_set(ERR_STORE, "%s", c->damage);
        struct science_run *r = &x->run[x->runs];
        *r = (struct science_run){&c->config, &c->mix, c->task, .valid = NAN};
        if (c->status.state == CELL_DONE)
            PASS(science_read(r, p->store, c->id, p->memory));
        else if (c->status.state != CELL_FAILED ||
                 strcmp(c->status.class, "diverged")) {
            x->missing++;
            continue;
        }
        x->runs++;
    }
    if (!x->runs)
        return err_set(ERR_EMPTY, "%s: no cell of the science suite is done; "
                       "`synthbench run experiments/science.yaml` trains them",
                       p->store);
    return OK;
}

/* ---- output ---- */

static const char *show_variant(const void *row, struct arena *a)
{
    (void)a;
    return ((const struct science_row *)row)->first->config->variant;
}

static const char *show_task(const void *row, struct arena *a)
{
    (void)a;
    return ((const struct science_row *)row)->first->task->name;
}

static const char *show_subject(const void *row, struct arena *a)
{
    return arena_format(a, "%s/%s", show_variant(row, a), show_task(row, a));
}

#define OF(member) COLUMN(struct science_row, member)
#define WORD(member) COLUMN_AS(COLUMN_ENUM, struct science_row, member)
static const struct column columns[] = {
    {"subject", NULL, COLUMN_SHOWN, .show = show_subject},
    {"task", "generator", COLUMN_SHOWN, .show = show_task, .left = 1},
    {"variant", "variant", COLUMN_SHOWN, .show = show_variant, .left = 1},
    {"property", "property", WORD(property), .words = science_name},
    {"exact", "exact", OF(exact), "%.4f"},
    {"measured", "measured", OF(measured), "%.4f"},
    {"bound", "bound", OF(bound), "%.4f"},
    {"p", NULL, OF(p)},
    {"verdict", "verdict", WORD(verdict), .words = verdict_text},
    {"remark", "remark", COLUMN_AS(COLUMN_CHARS, struct science_row, remark)},
    {.type = COLUMN_END}};

static const struct science_row *find(const struct examined *x,
                                      const char *task, const char *variant,
                                      enum science_property property)
{
    for (int i = 0; i < x->rows; i++)
        if (x->row[i].property == property &&
            !strcmp(x->row[i].first->task->name, task) &&
            !strcmp(x->row[i].first->config->variant, variant))
            return &x->row[i];
    return NULL;
}

/* Adds a figure such as "0.012*": the mean cross-entropy with the better
 * learning rate, minus that of the data-generating distribution (the floor).
 * put_people explains the marks. */
static void add_figure(struct grid *g, const struct examined *x,
                       const char *task, const char *variant)
{
    const struct science_row *reach = find(x, task, variant, SCIENCE_REACH);
    const struct science_row *floor = find(x, task, variant, SCIENCE_FLOOR);

    if (!reach || !floor)
        grid_add(g, "-");
    else
        grid_add(g, "%s%.3f%s", floor->verdict == VERDICT_FAIL ? "<" : "",
                    reach->measured - reach->exact,
                    reach->verdict == VERDICT_PASS   ? "*"
                    : reach->verdict == VERDICT_FAIL ? "!"
                                                     : " ");
}

/* Sets `out` to the variants of the runs if `variants` is 1, else to their
 * tasks, each once.  The list ends with NULL. */
static int distinct(const struct examined *x, const char **out, int variants)
{
    int n = 0;

    for (int i = 0; i < x->runs; i++) {
        const char *name = variants ? x->run[i].config->variant
                                    : x->run[i].task->name;

        if (names_index(out, name) < 0)
            out[n++] = name;
    }
    return n;
}

static void put_table(struct sheet *s, const struct examined *x)
{
    size_t most = (size_t)x->runs + 3;
    struct arena *a = s->memory;
    const char **task = arena_zero(a, most * sizeof *task);
    const char **variant = arena_zero(a, most * sizeof *variant);
    const char **head = arena_take(a, most * sizeof *head);
    int tasks = distinct(x, task, 0), variants = distinct(x, variant, 1);
    char *align = arena_zero(a, most);

    memset(align, '>', (size_t)variants + 2);
    align[0] = '<';
    head[0] = "generator";
    head[1] = "floor";
    for (int v = 0; v < variants; v++)
        head[2 + v] = arena_format(a, "%s ", variant[v]);
    struct grid *g = sheet_listing(s, align, head);
    for (int i = 0; i < tasks; i++) {
        double floor = 0;

        for (int v = 0; v < variants; v++) {
            const struct science_row *r = find(x, task[i], variant[v],
                                               SCIENCE_REACH);
            floor = r ? r->exact : floor;
        }
        grid_add(g, "%s\t%.3f", task[i], floor);
        for (int v = 0; v < variants; v++)
            add_figure(g, x, task[i], variant[v]);
    }
}

/* Adds the rows of probes whose attention weights do not depend on the input,
 * and all failures; and all rows to the JSON object. */
static void put_rows(struct sheet *s, const struct examined *x)
{
    const struct science_row **listed = arena_zero(
        s->memory, ((size_t)x->rows + 1) * sizeof *listed);
    int n = 0;

    for (int i = 0; i < x->rows; i++)
        if (x->row[i].property >= SCIENCE_BLIND ||
            x->row[i].verdict == VERDICT_FAIL)
            listed[n++] = &x->row[i];
    if (n)
        sheet_put(s, PART_HEADING, "Probes with input-independent weights, and "
                                   "all failures");
    sheet_grid_of(s, &(struct relation){NULL, columns, listed, 0, n});
    sheet_fact(s, "rows", relation_json(&(struct relation){
                              "rows", columns, x->row, sizeof *x->row,
                              x->rows}, s->memory));
    sheet_fact(s, "cells", json_integer(x->runs));
    sheet_fact(s, "missing", json_integer(x->missing));
    sheet_fact(s, "failed", json_integer(x->count[VERDICT_FAIL]));
}

static void print_text(struct sheet *s, const struct examined *x)
{
    sheet_put(s, PART_LINE, "%d cells: %d passed, %d failed, %d not applicable",
              x->runs, x->count[VERDICT_PASS], x->count[VERDICT_FAIL],
              x->count[VERDICT_NONE]);
    if (x->missing)
        sheet_put(s, PART_LINE, "%d cells are not finished", x->missing);
    sheet_put(s, PART_GAP, "%s", "");
    sheet_put(s, PART_PARAGRAPH, "Cross-entropy above the floor, nats per "
                                 "target: mean over the seeds of the better "
                                 "learning rate");
    put_table(s, x);
    sheet_put(s, PART_LINE, "*: floor reached within 0.05, as theory "
                            "predicts    !: should be reached, was not");
    sheet_put(s, PART_LINE, "<: significantly below the floor: the model saw "
                            "answers");
    put_rows(s, x);
}

static int run_verify_science(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(plan_close) struct plan *p = NULL;
    OWNED(free) struct science_row *row = NULL;
    struct examined x = {.runs = 0};

    (void)args;
    PASS(plan_open(&p, &(struct plan_of){.store = g->store}));
    PASS(plan_look(p));
    x.plan = p;
    PASS(read_runs(&x));
    x.row = row = science_judge(x.run, x.runs, &x.rows);
    for (int i = 0; i < x.rows; i++)
        x.count[x.row[i].verdict]++;
    print_text(s, &x);
    PASS(sheet_print(s, g->format, NULL));
    return x.count[VERDICT_FAIL] ? 1 : OK;
}

const struct command verify_science = {
    .name = "science",
    .summary = "Compare cells with the distributions that generated their "
               "data",
    .args = "",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_science, 0, 0)};
