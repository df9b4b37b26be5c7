#include "harness/cmd/compare_stores.h"

#include "harness/base/err.h"
#include "harness/cmd/compare_lines.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/report/report.h"
#include "harness/tasks/task.h"

#include <string.h>

enum { A = DIFFERENCE_A, B = DIFFERENCE_B,
       SHOWN = 20 /* listed cells per side */ };

/* Returns the list of "ROW/TASK/SCALE/SEED" for the finished cells of `mine`
 * that `other` does not have. */
static json_t *alone(const struct report *mine, const struct report *other,
                     struct arena *a)
{
    json_t *list = json_array();

    for (int i = 0; i < mine->n; i++) {
        const struct report_cell *c = &mine->cell[i];
        int there = c->state != CELL_DONE;

        for (int k = 0; k < other->n && !there; k++)
            there = difference_is_of(&other->cell[k], c) &&
                    other->cell[k].seed == c->seed;
        if (!there)
            json_array_append_new(
                list, json_string(arena_format(a, "%s/%s/%s/%lld", c->variant,
                                               c->task, c->scale, c->seed)));
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

/* Adds each set of changed settings once, with the number of rows that it
 * applies to. */
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

/* Returns the lines of all rows that were compared, and sets *n to their
 * number. */
static struct compare_line *lines_of(const struct difference *d, int *n,
                                     struct arena *a)
{
    struct compare_line *all;

    *n = 0;
    for (int i = 0; i < d->rows; i++)
        *n += d->row[i].by ? d->row[i].by->rows : 0;
    all = arena_take(a, ((size_t)*n + 1) * sizeof *all);
    *n = 0;
    for (int i = 0; i < d->rows; i++) {
        const struct difference_row *r = &d->row[i];

        if (!r->by)
            continue;
        struct compare_line *own = compare_lines(
            r->by, r->pairs < 2 ? " (this seed only)" : "", a);
        for (int k = 0; k < r->by->rows; k++) {
            own[k].task = r->is->task;
            own[k].scale = r->is->scale;
            own[k].name = r->is->variant;
            own[k].pairs = r->pairs;
            own[k].changed = r->changed;
            own[k].synthetic = r->is->synthetic;
            all[(*n)++] = own[k];
        }
    }
    return all;
}

struct unlike { const char *row, *task, *scale, *why; };

static void put_unlike(struct sheet *s, const struct difference *d)
{
    static const struct column columns[] = {
        {"row", NULL, COLUMN(struct unlike, row)},
        {"task", NULL, COLUMN(struct unlike, task)},
        {"scale", NULL, COLUMN(struct unlike, scale)},
        {"why", NULL, COLUMN(struct unlike, why)},
        {.type = COLUMN_END}};
    struct unlike *all = arena_take(s->memory, ((size_t)d->rows + 1) *
                                                   sizeof *all);
    int n = 0;

    for (int i = 0; i < d->rows; i++)
        if (d->row[i].unlike)
            all[n++] = (struct unlike){
                d->row[i].is->variant, d->row[i].is->task, d->row[i].is->scale,
                d->row[i].unlike};
    sheet_relation(s, &(struct relation){"unlike", columns, all, sizeof *all,
                                         n});
}

/* Adds all parts of the comparison.  Returns 1 if anything differs. */
static int put_all(struct sheet *s, const struct difference *d)
{
    json_t *only_a = alone(d->side[A], d->side[B], s->memory);
    json_t *only_b = alone(d->side[B], d->side[A], s->memory);
    size_t lone_a = json_array_size(only_a), lone_b = json_array_size(only_b);
    int n, synthetic = 0;
    struct compare_line *line = lines_of(d, &n, s->memory);

    for (int i = 0; i < n; i++)
        synthetic |= line[i].synthetic;
    sheet_put(s, PART_LINE, "%d variant/task rows in both: %d bit-identical in "
                            "all common seeds, %d differ",
              d->rows, d->rows - d->differ, d->differ);
    sheet_put(s, PART_LINE, "%zu cells only in A, %zu only in B", lone_a,
              lone_b);
    sheet_put(s, PART_LINE, "A  %s", d->side[A]->store);
    sheet_put(s, PART_LINE, "B  %s", d->side[B]->store);
    if (synthetic)
        sheet_put(s, PART_WARNING, "%s", report_synthetic);
    sheet_put(s, PART_GAP, "%s", "");
    sheet_fact(s, "a", json_string(d->side[A]->store));
    sheet_fact(s, "b", json_string(d->side[B]->store));
    sheet_fact(s, "same", json_integer(d->rows - d->differ));
    sheet_fact(s, "differ", json_integer(d->differ));
    sheet_relation(s, &(struct relation){"rows", compare_columns_stores, line,
                                         sizeof *line, n});
    put_changes(s, d);
    if (d->differ > 1)
        sheet_put(s, PART_PARAGRAPH, "Bonferroni correction for the %d rows "
                                     "that differ (level 5 %% / %d): all "
                                     "intervals and verdicts hold jointly "
                                     "with 95 %%.", d->differ, d->differ);
    put_alone(s, "A", only_a);
    put_alone(s, "B", only_b);
    sheet_fact(s, "only_a", only_a);
    sheet_fact(s, "only_b", only_b);
    put_unlike(s, d);
    return d->differ || lone_a || lone_b;
}

int compare_stores(struct sheet *s, const char *a, const char *b)
{
    OWNED(report_close) struct report *one = NULL, *other = NULL;
    OWNED(difference_close) struct difference *d = NULL;

    PASS(report_open(&one, a));
    int damage = report_damage(one); /* exit code */
    PASS(report_open(&other, b));
    int rc = report_damage(other);
    PASS(difference_open(&d, one, other, task_metrics, metric_all));
    int differs = put_all(s, d);
    return rc ? rc : damage ? damage : differs;
}
