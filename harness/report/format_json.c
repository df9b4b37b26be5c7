/* JSON: one object; the cells of a row stand in the order of "columns"; null
 * where there is no such number. */
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/report/sheet.h"

#include <math.h>

enum { SCHEMA = 1, DIGITS = 15 };

static json_t *number(double x)
{
    return isnan(x) ? json_null() : json_real(x);
}

static json_t *whole(double x)
{
    return isnan(x) || x != floor(x) ? number(x) : json_integer((json_int_t)x);
}

static json_t *text(const char *s) { return s ? json_string(s) : json_null(); }

static json_t *columns_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->columns; i++) {
        const struct table_column *c = s->column[i];
        const struct sheet_task *t = sheet_task_of(s, i);
        char name[128];

        snprintf(name, sizeof name, "%s.%s", c->task, c->metric);
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:b, s:b, s:o}",
                           "name", name,
                           "task", c->task, "metric", c->metric, "title",
                           c->what, "unit", c->unit, "better", c->better,
                           "synthetic", t->synthetic, "subset", t->subset,
                           "data", text(t->source)));
    }
    return all;
}

static json_t *cell_of(const struct sheet_cell *c)
{
    return json_pack(
        "{s:o, s:o, s:o, s:i, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:s}", "value",
        whole(c->value), "low", number(c->between.low), "high",
        number(c->between.high), "n", c->n, "published", whole(c->published),
        "source", text(c->source), "disputed", c->dispute != NULL, "dispute",
        text(c->dispute), "rank", whole(c->rank), "rank_published",
        whole(c->rank_published), "signature", text(c->signature), "status",
        sheet_state(c->state));
}

static json_t *rows_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->rows; i++) {
        if (s->row[i].reference)
            continue;
        json_t *cells = json_array();
        for (int c = 0; c < s->columns; c++)
            json_array_append_new(cells, cell_of(&s->row[i].cell[c]));
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:o}", "variant", s->row[i].variant,
                           "title", s->row[i].title, "cells", cells));
    }
    return all;
}

static json_t *baselines_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; s->row[i].reference && c < s->columns; c++) {
            const struct sheet_cell *cell = &s->row[i].cell[c];

            if (isnan(cell->value))
                continue;
            json_array_append_new(
                all, json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "name",
                               s->row[i].variant, "title", s->row[i].title,
                               "task", s->column[c]->task, "metric",
                               s->column[c]->metric, "value",
                               number(cell->value), "low",
                               number(cell->between.low), "high",
                               number(cell->between.high)));
        }
    return all;
}

static json_t *correlations_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->correlations; i++) {
        const struct sheet_correlation *c = &s->correlation[i];

        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:o, s:o, s:i}", "task",
                           c->task->task, "metric", c->column->metric,
                           "published", c->column->published, "spearman",
                           number(c->rho), "kendall", number(c->tau), "n",
                           c->n));
    }
    return all;
}

static json_t *pairs_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->pairs; i++) {
        const struct sheet_pair *p = &s->pair[i];
        double low = p->between.low, high = p->between.high;

        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:i, s:s}",
                           "task", p->task->task, "metric", "ce", "unit",
                           "nats/token", "a", p->a, "b", p->b, "difference",
                           number(p->difference), "low", number(low), "high",
                           number(high), "examples", p->task->examples,
                           "verdict", high < 0  ? "a"
                                      : low > 0 ? "b"
                                                : "undecided"));
    }
    return all;
}

static void write_sheet(const struct sheet *s, FILE *out)
{
    json_t *all = json_pack(
        "{s:i, s:s, s:s, s:s, s:s, s:b, s:i, s:i, s:o, s:o, s:o, s:o, s:o}",
        "schema_version", SCHEMA, "table", s->table->name, "title",
        s->table->title, "experiment", s->report->name, "scale", s->scale,
        "synthetic", s->synthetic > 0, "cells", s->cells, "done", s->done,
        "columns", columns_of(s), "rows", rows_of(s), "baselines",
        baselines_of(s), "correlations", correlations_of(s), "comparisons",
        pairs_of(s));

    REQUIRE(all, "table %s: a text is not UTF-8", s->table->name);
    json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
    fputc('\n', out);
    json_decref(all);
}

const struct table_format format_json = {"json", "json", write_sheet};
