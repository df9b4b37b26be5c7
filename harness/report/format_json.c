/*
 * JSON: one object with all that a sheet shows (sheet_file.h reads it back);
 * the cells of a row stand in the order of "columns"; null where there is no
 * such number or text.
 *
 *   schema_version, table, title, cite, data (behind all of it), experiment,
 *   scale, synthetic, cells, done, others, seeds, seeds_needed (to tell any
 *   variant from the best; 0: there are enough)
 *   builds       commit, dirty, cells (it made so many), and of its provenance
 *                what bits depend on; builds_differ: in what
 *   tasks        task, title, official, synthetic, subset, examples, data
 *   columns      name, task, metric, heading, title, unit, better, decimals,
 *                published (the metric its order is held against), synthetic,
 *                subset, data
 *   rows         variant, title, cells: value, low, high, n (seeds), asked
 *                (seeds of the experiment), published, source, disputed,
 *                dispute, rank, rank_published, best, worse_than_blind,
 *                signature, status, commit
 *   baselines    name, title, description, cells
 *   correlations, comparisons, failures
 */
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/report/origin.h"
#include "harness/report/sheet_file.h"

#include <math.h>

enum { DIGITS = 15 };

static const double INTEGERS = 9007199254740992.0; /* 2^53 */

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *whole(double x)
{
    return fabs(x) < INTEGERS && x == floor(x) ? json_integer((json_int_t)x)
                                               : number(x);
}

static json_t *text(const char *s) { return s ? json_string(s) : json_null(); }

static json_t *differences_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int k = 0; k < BUILD_FACTS; k++)
        if (builds_differ_in(&s->builds, k))
            json_array_append_new(all, json_string(build_fact[k]));
    return all;
}

static json_t *tasks_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->tasks; i++) {
        const struct sheet_task *t = &s->task[i];

        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:b, s:b, s:i, s:o}", "task",
                           t->task, "title", t->title, "official", t->official,
                           "synthetic", t->synthetic, "subset", t->subset,
                           "examples", t->examples, "data", text(t->source)));
    }
    return all;
}

static json_t *columns_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->columns; i++) {
        const struct table_column *c = s->column[i];
        const struct sheet_task *t = sheet_task_of(s, i);
        char name[128];

        snprintf(name, sizeof name, "%s.%s", c->task, c->metric);
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:b, "
                           "s:b, s:o}", "name", name, "task", c->task,
                           "metric", c->metric, "heading", c->title, "title",
                           c->what, "unit", c->unit, "better", c->better,
                           "decimals", c->decimals, "published",
                           text(c->published), "synthetic", t->synthetic,
                           "subset", t->subset, "data", text(t->source)));
    }
    return all;
}

static json_t *cell_of(const struct sheet_cell *c)
{
    return json_pack(
        "{s:o, s:o, s:o, s:i, s:i, s:o, s:o, s:b, s:o, s:o, s:o, s:b, s:i, "
        "s:o, s:s, s:o}",
        "value", whole(c->value), "low", number(c->between.low),
        "high", number(c->between.high), "n", c->n, "asked", c->asked,
        "published", whole(c->published), "source", text(c->source), "disputed",
        c->dispute != NULL, "dispute", text(c->dispute), "rank",
        whole(c->rank), "rank_published", whole(c->rank_published), "best",
        c->best, "worse_than_blind", c->worse_than_blind, "signature",
        text(c->signature), "status",
        sheet_state(c->state), "commit", text(c->commit));
}

/* Those of variants, or the references. */
static json_t *rows_of(const struct sheet *s, int reference)
{
    json_t *all = json_array();

    for (int i = 0; i < s->rows; i++) {
        const struct sheet_row *row = &s->row[i];

        if (row->reference != reference)
            continue;
        json_t *cells = json_array();
        for (int c = 0; c < s->columns; c++)
            json_array_append_new(cells, cell_of(&row->cell[c]));
        json_t *j = json_pack("{s:s, s:s}", reference ? "name" : "variant",
                              row->variant, "title", row->title);
        if (reference)
            json_object_set_new(j, "description", text(row->what));
        json_object_set_new(j, "cells", cells);
        json_array_append_new(all, j);
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
        double low = p->verdict.between.low, high = p->verdict.between.high;

        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:i, "
                           "s:i, s:i, s:s}",
                           "task", p->task->task, "metric", "ce", "unit",
                           "nats/token", "a", p->a, "b", p->b, "difference",
                           number(p->difference), "low", number(low), "high",
                           number(high), "p", number(p->verdict.p), "seeds",
                           (int)p->seeds, "more_seeds", (int)p->more,
                           "examples", p->seeds ? 0 : p->task->examples,
                           "verdict", p->verdict.sign < 0   ? "a"
                                      : p->verdict.sign > 0 ? "b"
                                                            : "undecided"));
    }
    return all;
}

static json_t *failures_of(const struct sheet *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->failures; i++) {
        const struct sheet_failure *f = &s->failure[i];

        json_array_append_new(
            all, json_pack("{s:s, s:s, s:I, s:s, s:s}", "variant", f->variant,
                           "task", f->task, "seed", (json_int_t)f->seed,
                           "status", sheet_state(f->state), "message",
                           f->message));
    }
    return all;
}

static void write_sheet(const struct sheet *s, FILE *out)
{
    json_t *all = json_pack(
        "{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:i, s:i, s:i, s:i, s:i, "
        "s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema_version",
        SHEET_SCHEMA, "table", s->table->name, "title", s->table->title,
        "cite", s->table->cite, "data", origin_data(s), "experiment",
        s->experiment, "scale", s->scale, "synthetic", s->synthetic > 0,
        "cells", s->cells, "done", s->done, "others", s->others, "seeds",
        s->seeds, "seeds_needed", s->needed, "builds",
        builds_json(&s->builds), "builds_differ", differences_of(s),
        "tasks", tasks_of(s), "columns", columns_of(s),
        "rows", rows_of(s, 0), "baselines", rows_of(s, 1), "correlations",
        correlations_of(s), "comparisons", pairs_of(s), "failures",
        failures_of(s));

    REQUIRE(all, "table %s cannot be JSON", s->table->name);
    json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
    fputc('\n', out);
    json_decref(all);
}

const struct table_format format_json = {"json", "json", write_sheet};
