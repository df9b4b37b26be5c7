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
#include "harness/report/compare.h"
#include "harness/report/report.h"
#include "harness/run/likeness.h"
#include "harness/tasks/task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given { const char *format, *output; };

static const struct opt options[] = {
    {.group = opts_format, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

enum { A, B, SIDES, SHOWN = 20 /* cells of one side alone */ };

/* A row that both have. */
struct row {
    const struct report_cell *is;    /* one of its cells of A             */
    struct compare_side       of[SIDES];
    int                       pairs, same; /* seeds in both; of equal bits */
    const char               *changed;     /* settings, commits; or ""    */
    const char               *unlike;      /* why it cannot be compared   */
    struct comparison        *by;          /* NULL: nothing to compare    */
};

struct diff {
    struct report *side[SIDES];
    int            rows, differ; /* rows; those with other bits */
    struct row    *row;
    struct arena  *memory;
};

static void close_diff(struct diff *d)
{
    for (int i = 0; i < d->rows; i++)
        compare_close(d->row[i].by);
    report_close(d->side[A]);
    report_close(d->side[B]);
    arena_free(d->memory);
}
OWNER_OF_VALUE(close_diff, struct diff)

/* ---- which rows there are ---- */

static int is_row(const struct report_cell *c, const struct report_cell *of)
{
    return c->state == CELL_DONE && !strcmp(c->variant, of->variant) &&
           !strcmp(c->task, of->task) && !strcmp(c->scale, of->scale);
}

/* Its finished cells of one store. */
static struct compare_side side_of(const struct report *r,
                                   const struct report_cell *of,
                                   struct arena *a)
{
    const char **id = arena_take(a, (size_t)r->n * sizeof *id + 1);
    long long *seed = arena_take(a, (size_t)r->n * sizeof *seed + 1);
    int n = 0;

    for (int i = 0; i < r->n; i++)
        if (is_row(&r->cell[i], of)) {
            id[n] = r->cell[i].id;
            seed[n++] = r->cell[i].seed;
        }
    return (struct compare_side){
        .store = r->store, .cells = n, .by_seed = 1, .id = id, .seed = seed,
        .name = arena_format(a, "%s#%s/%s", r->store, of->variant, of->task)};
}

static void find_rows(struct diff *d)
{
    const struct report *r = d->side[A];

    d->row = arena_zero(d->memory, ((size_t)r->n + 1) * sizeof *d->row);
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];
        int before = 0;

        while (!is_row(&r->cell[before], c) && before < i)
            before++;
        if (c->state != CELL_DONE || before < i)
            continue;
        struct row *row = &d->row[d->rows];
        *row = (struct row){.is = c, .changed = ""};
        for (int k = 0; k < SIDES; k++)
            row->of[k] = side_of(d->side[k], c, d->memory);
        if (row->of[A].cells == 1 && row->of[B].cells == 1)
            row->of[A].by_seed = row->of[B].by_seed = 0;
        d->rows += row->of[B].cells > 0;
    }
}

/* ---- what differs ---- */

/* "steps 1000 to 1800, commit b477f04a1e42 to 7e67b42509c3" */
static const char *changes(const struct likeness *l, struct arena *a)
{
    static const char *const told[] = {"config@", "provenance@commit",
                                       "provenance@numerics_version"};
    const char *all = "";

    for (int k = CELL_SETTINGS; k <= CELL_BUILD; k++)
        for (int i = 0; i < l->n[k]; i++) {
            const struct cell_change *c = &l->of[k][i];
            int is = !strcmp(c->path, told[1]) || !strcmp(c->path, told[2]) ||
                     (!strncmp(c->path, told[0], strlen(told[0])) &&
                      strcmp(c->path, "config@json"));

            if (is)
                all = arena_format(a, "%s%s%s %.12s to %.12s", all,
                                   *all ? ", " : "", strchr(c->path, '@') + 1,
                                   c->a, c->b);
        }
    return all;
}

/* Seeds that both have, and how many of those have the same bits. */
static int match_seeds(struct row *r, struct arena *a)
{
    const struct compare_side *x = &r->of[A], *y = &r->of[B];

    for (int i = 0; i < x->cells; i++)
        for (int k = 0; k < y->cells; k++) {
            struct likeness l;

            if (x->seed[i] != y->seed[k])
                continue;
            PASS(likeness_read(&l, x->store, x->id[i], y->store, y->id[k], a));
            r->pairs++;
            r->same += !l.n[CELL_RESULTS];
            if (l.n[CELL_RESULTS] && !*r->changed)
                r->changed = changes(&l, a);
        }
    return OK;
}

static int is_same(const struct row *r)
{
    return r->pairs == r->same && r->pairs == r->of[A].cells &&
           r->pairs == r->of[B].cells;
}

static int compare_row_of(struct row *r, struct diff *d)
{
    const struct task *task;

    PASS(task_find(&task, r->is->task));
    int rc = compare(&r->by, &r->of[B], &r->of[A], task->metrics, metric_all,
                     d->differ);
    if (rc == ERR_USAGE || rc == ERR_EMPTY)
        r->unlike = arena_text(d->memory, err_last());
    return rc == ERR_USAGE || rc == ERR_EMPTY ? OK : rc;
}

static int look(struct diff *d)
{
    find_rows(d);
    for (int i = 0; i < d->rows; i++) {
        PASS(match_seeds(&d->row[i], d->memory));
        d->differ += !is_same(&d->row[i]);
    }
    for (int i = 0; i < d->rows; i++)
        if (!is_same(&d->row[i]))
            PASS(compare_row_of(&d->row[i], d));
    return OK;
}

/* ---- output ---- */

static const char *verdict(const struct comparison *c,
                           const struct compare_row *r)
{
    return c->unsettled && r->verdict.sign ? "still learning"
                                           : verdict_word(&r->verdict,
                                                          r->better);
}

static json_t *number_json(const struct row *r, const struct compare_row *x)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:s}",
        "task", r->is->task, "scale", r->is->scale, "row", r->is->variant,
        "metric", x->metric, "seeds", r->pairs, "a", x->b, "b", x->a,
        "difference", x->difference, "low", x->verdict.between.low, "high",
        x->verdict.between.high, "p", x->verdict.p, "verdict",
        verdict(r->by, x), "changed", r->changed);
}

/* ["ROW/TASK/SCALE/SEED"] of what the other store does not have done. */
static json_t *alone(const struct report *mine, const struct report *other)
{
    json_t *list = json_array();

    for (int i = 0; i < mine->n; i++) {
        const struct report_cell *c = &mine->cell[i];
        int there = c->state != CELL_DONE;

        for (int k = 0; k < other->n && !there; k++)
            there = is_row(&other->cell[k], c) &&
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

static void put_number(struct grid *g, const struct row *r,
                       const struct compare_row *x)
{
    struct interval between = x->verdict.between;

    grid_add(g, "%s\t%s\t%s\t%d\t%.5g\t%.5g\t%+.4g", r->is->task,
             r->is->variant, x->metric, r->pairs, x->b, x->a, x->difference);
    if (isnan(between.low))
        grid_add(g, "unknown");
    else
        grid_add(g, "%+.4g to %+.4g", between.low, between.high);
    grid_add(g, "%s%s", verdict(r->by, x),
             r->pairs < 2 && x->verdict.sign ? " on this seed" : "");
}

/* Each once, with how many rows have it. */
static void put_changes(struct sheet *s, const struct diff *d)
{
    for (int i = 0; i < d->rows; i++) {
        const struct row *r = &d->row[i];
        int before = 0, n = 0;

        if (r->unlike)
            sheet_put(s, PART_ITEM, "%s/%s: not compared: %s", r->is->variant,
                      r->is->task, r->unlike);
        while (strcmp(d->row[before].changed, r->changed))
            before++;
        for (int k = i; k < d->rows; k++)
            n += !strcmp(d->row[k].changed, r->changed);
        if (*r->changed && before == i)
            sheet_put(s, PART_ITEM, "of %d row%s A to B: %s", n,
                      n == 1 ? "" : "s", r->changed);
    }
}

static void put_rows(struct sheet *s, const struct diff *d, json_t *unlike)
{
    static const char *const head[] = {"task", "row", "metric", "seeds", "A",
                                       "B", "B - A", "interval", "B is", NULL};
    struct grid *g = d->differ ? sheet_listing(s, "<<<>>>>><", head) : NULL;

    for (int i = 0; i < d->rows; i++) {
        const struct row *r = &d->row[i];

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
static int tell(struct sheet *s, const struct diff *d)
{
    OWNED(json_decref) json_t *only_a = alone(d->side[A], d->side[B]);
    OWNED(json_decref) json_t *only_b = alone(d->side[B], d->side[A]);
    OWNED(json_decref) json_t *unlike = json_array();
    size_t lone = json_array_size(only_a) + json_array_size(only_b);

    sheet_put(s, PART_LINE, "A  %s", d->side[A]->store);
    sheet_put(s, PART_LINE, "B  %s", d->side[B]->store);
    sheet_put(s, PART_GAP, "%s", "");
    put_rows(s, d, unlike);
    if (d->differ > 1)
        sheet_put(s, PART_PARAGRAPH, "Each of the %d rows that differ has 1/%d "
                  "of the 5 %% for errors: all intervals and verdicts hold at "
                  "once with 95 %%.", d->differ, d->differ);
    put_alone(s, "A", only_a);
    put_alone(s, "B", only_b);
    sheet_put(s, PART_LINE, "%d rows in both: %d with the same bits, "
              "%d differ; %zu cells only in A, %zu only in B", d->rows,
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
    OWNED(close_diff) struct diff d = {.memory = arena_new()};
    OWNED(sheet_close) struct sheet *s = sheet_new();
    int damage = 0; /* exit code */

    for (int i = 0; i < SIDES; i++) {
        PASS(report_open(&d.side[i], args->of[i]));
        int rc = report_damage(d.side[i]);
        damage = rc ? rc : damage;
    }
    PASS(look(&d));
    s->records = json_array();
    int differs = tell(s, &d);
    PASS(sheet_print(s, g->format, g->output));
    return damage ? damage : differs;
}

const struct command command_diff = {
    .name = "diff",
    .summary = "What became better or worse from one store to another",
    .args = "STORE STORE",
    .doc = "B against A, by the rule of `compare'. Exit code 1: they differ.",
    .formats = command_all_formats,
    COMMAND_RUNS(2, 2)};
