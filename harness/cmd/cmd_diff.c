/*
 * diff: two whole stores, row by row: what both have with the same bits, what
 * became better or worse, what one has alone.  A row is a variant, or random,
 * steps=700, on a task at a scale; its cells are paired by seed.  As JSON:
 *
 *     {"schema_version": 1, "a", "b", "same": rows with the same
 *      bits, "differ": the others, "rows": [{"task", "scale", "row",
 *      "metric", "seeds" (that both have), "a", "b", "difference" (b less a),
 *      "low", "high", "p", "verdict" (of b), "changed": what else differs}],
 *      "only_a": ["ROW/TASK/SCALE/SEED"], "only_b": [...], "unlike": rows that
 *      cannot be compared, [{"row", "task", "scale", "why"}]}
 */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/report/difference.h"
#include "harness/report/report.h"
#include "harness/tasks/task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given { const char *format, *output; };

static const struct opt options[] = {
    {.group = opts_format, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

enum { A = DIFFERENCE_A, B = DIFFERENCE_B, SIDES = DIFFERENCE_SIDES,
       SHOWN = 20 /* cells of one side alone */ };

/* ---- output ---- */

static json_t *number_json(const struct difference_row *r,
                           const struct compare_row *x)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:s, "
        "s:b}", "task", r->is->task, "scale", r->is->scale, "row",
        r->is->variant, "metric", x->metric, "seeds", r->pairs, "a", x->b, "b",
        x->a, "difference", x->difference, "low", x->verdict.between.low,
        "high", x->verdict.between.high, "p", x->verdict.p, "verdict",
        difference_verdict(r->by, x), "changed", r->changed, "synthetic",
        r->is->synthetic);
}

/* ["ROW/TASK/SCALE/SEED"] of what the other store does not have done. */
static json_t *alone(const struct report *mine, const struct report *other)
{
    json_t *list = json_array();

    for (int i = 0; i < mine->n; i++) {
        const struct report_cell *c = &mine->cell[i];
        int there = c->state != CELL_DONE;

        for (int k = 0; k < other->n && !there; k++)
            there = difference_is_of(&other->cell[k], c) &&
                    other->cell[k].seed == c->seed;
        if (there)
            continue;
        OWNED(free) char *name = str_format("%s/%s/%s/%lld", c->variant,
                                            c->task, c->scale, c->seed);
        json_array_append_new(list, json_string(name));
    }
    return list;
}

static void put_alone(struct sheet *s, const char *side, const json_t *list)
{
    const json_t *name;
    size_t i, n = json_array_size(list);

    json_array_foreach(list, i, name)
        if (i < SHOWN)
            sheet_put(s, PART_LINE, "only in %s: %s", side,
                      json_string_value(name));
    if (n > SHOWN)
        sheet_put(s, PART_LINE, "only in %s: %zu more", side, n - SHOWN);
}

static void put_number(struct grid *g, const struct difference_row *r,
                       const struct compare_row *x)
{
    struct interval between = x->verdict.between;

    grid_add(g, "%s\t%s\t%s\t%d\t%.5g\t%.5g\t%+.4g", r->is->task,
             r->is->variant, x->metric, r->pairs, x->b, x->a, x->difference);
    if (isnan(between.low))
        grid_add(g, isnan(x->verdict.p) ? "unknown" : "too few seeds");
    else
        grid_add(g, "%+.4g to %+.4g", between.low, between.high);
    grid_add(g, "%s%s", difference_verdict(r->by, x),
             r->pairs < 2 && x->verdict.sign ? " (this seed only)" : "");
}

/* Each once, with how many rows have it. */
static void put_changes(struct sheet *s, const struct difference *d)
{
    for (int i = 0; i < d->rows; i++) {
        const struct difference_row *r = &d->row[i];
        int before = 0, n = 0;

        if (r->unlike)
            sheet_put(s, PART_ITEM, "%s/%s: not compared: %s", r->is->variant,
                      r->is->task, r->unlike);
        while (strcmp(d->row[before].changed, r->changed))
            before++;
        for (int k = i; k < d->rows; k++)
            n += !strcmp(d->row[k].changed, r->changed);
        if (*r->changed && before == i)
            sheet_put(s, PART_ITEM, "settings that differ in %d row%s, from A "
                                    "to B: %s", n,
                      n == 1 ? "" : "s", r->changed);
    }
}

static int any_synthetic(const struct difference *d)
{
    int any = 0;

    for (int i = 0; i < d->rows; i++)
        any |= d->row[i].by && d->row[i].is->synthetic;
    return any;
}

static void put_rows(struct sheet *s, const struct difference *d,
                     json_t *unlike)
{
    static const char *const head[] = {"task", "row", "metric", "seeds", "A",
                                       "B", "B - A", "interval", "B is", NULL};
    struct grid *g = d->differ ? sheet_listing(s, "<<<>>>>><", head) : NULL;

    for (int i = 0; i < d->rows; i++) {
        const struct difference_row *r = &d->row[i];

        for (int k = 0; r->by && k < r->by->rows; k++) {
            json_array_append_new(s->records, number_json(r, &r->by->row[k]));
            put_number(g, r, &r->by->row[k]);
        }
        if (r->unlike)
            json_array_append_new(
                unlike, json_pack("{s:s, s:s, s:s, s:s}", "row", r->is->variant,
                                  "task", r->is->task, "scale", r->is->scale,
                                  "why", r->unlike));
    }
    put_changes(s, d);
}

/* 1: something differs. */
static int tell(struct sheet *s, const struct difference *d)
{
    OWNED(json_decref) json_t *only_a = alone(d->side[A], d->side[B]);
    OWNED(json_decref) json_t *only_b = alone(d->side[B], d->side[A]);
    OWNED(json_decref) json_t *unlike = json_array();
    size_t lone = json_array_size(only_a) + json_array_size(only_b);

    sheet_put(s, PART_LINE, "A  %s", d->side[A]->store);
    sheet_put(s, PART_LINE, "B  %s", d->side[B]->store);
    if (any_synthetic(d))
        sheet_put(s, PART_WARNING, "%s", report_synthetic);
    sheet_put(s, PART_GAP, "%s", "");
    put_rows(s, d, unlike);
    if (d->differ > 1)
        sheet_put(s, PART_PARAGRAPH, "Bonferroni correction for the %d rows "
                                     "that differ (level 5 %% / %d): all "
                                     "intervals and verdicts hold jointly "
                                     "with 95 %%.", d->differ, d->differ);
    put_alone(s, "A", only_a);
    put_alone(s, "B", only_b);
    sheet_put(s, PART_LINE, "%d rows are in both: %d bit-identical, %d "
                            "differ; %zu cells only in A, %zu only in "
                            "B", d->rows,
              d->rows - d->differ, d->differ, json_array_size(only_a),
              json_array_size(only_b));
    s->object = json_pack(
        "{s:s, s:s, s:i, s:i, s:O, s:O, s:O, s:O}", "a", d->side[A]->store, "b",
        d->side[B]->store, "same", d->rows - d->differ, "differ", d->differ,
        "rows", s->records, "only_a", only_a, "only_b", only_b, "unlike",
        unlike);
    return d->differ || lone;
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(report_close) struct report *a = NULL;
    OWNED(report_close) struct report *b = NULL;
    OWNED(difference_close) struct difference *d = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();

    PASS(report_open(&a, args->of[A]));
    int damage = report_damage(a); /* exit code */
    PASS(report_open(&b, args->of[B]));
    int rc = report_damage(b);
    damage = rc ? rc : damage;
    PASS(difference_open(&d, a, b, task_metrics, metric_all));
    s->records = json_array();
    int differs = tell(s, d);
    PASS(sheet_print(s, g->format, g->output));
    return damage ? damage : differs;
}

const struct command command_diff = {
    .name = "diff",
    .summary = "List what is better or worse in one store than in another",
    .args = "STORE STORE",
    .doc = "Compares the second store with the first by the rules of "
           "`compare`. A difference is the second less the first; a word "
           "after it says which is better. Exit code 1 if they differ.",
    .formats = format_names,
    COMMAND_RUNS(2, 2)};
