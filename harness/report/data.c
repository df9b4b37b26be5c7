#include "harness/report/data.h"

#include "harness/base/json.h"

#include <math.h>

/* ---- the object ---- */

static json_t *differences_of(const struct measured *s)
{
    json_t *all = json_array();

    for (int k = 0; k < BUILD_FACTS; k++)
        if (builds_differ_in(&s->builds, k))
            json_array_append_new(all, json_string(build_fact[k]));
    return all;
}

static json_t *texts_json(const char *const *text)
{
    json_t *all = json_array();

    for (; *text; text++)
        json_array_append_new(all, json_string(*text));
    return all;
}

static json_t *task_json(const struct measured *s, int i)
{
    const struct measured_task *t = &s->task[i];

    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:i, s:s?}", "task",
                     t->task, "title", t->title, "official", t->paper,
                     "synthetic", t->synthetic, "subset", t->subset,
                     "uncompared", t->uncompared, "examples", t->examples,
                     "data", t->source);
}

/* What a file of an older program lacks stays out: "uninformative" of a column,
 * "over" of a cell and what it still learned, p and interval of a
 * correlation. */

static json_t *with_withheld(json_t *j, const struct measured *s, int column)
{
    enum withheld why = s->withheld[column];

    if (!s->older)
        json_object_set_new(j, "uninformative",
                            json_boolean(why == WITHHELD_UNINFORMATIVE));
    json_object_set_new(j, "withheld", why ? json_string(withheld_text[why])
                                           : json_null());
    return j;
}

static json_t *with_learning(json_t *cell, const struct measured *s,
                             const struct measured_cell *c)
{
    OWNED(json_decref) json_t *more =
        json_pack("{s:f, s:f, s:b}", "settled", c->settled, "settled_error",
                  c->settled_error, "unsettled", c->unsettled);

    if (!s->older)
        json_object_update(cell, more);
    return cell;
}

static json_t *with_over(json_t *cell, const struct measured *s,
                         const struct measured_cell *c)
{
    if (!s->older)
        json_object_set_new(cell, "over", c->over
                                              ? json_string(over_text[c->over])
                                              : json_null());
    return cell;
}

static json_t *column_json(const struct measured *s, int i)
{
    const struct table_column *c = s->column[i];
    const struct measured_task *t = measured_task_of(s, i);
    char name[128];
    json_t *j;

    snprintf(name, sizeof name, "%s.%s", c->task, c->metric);
    j = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:s?, s:b, s:b, "
                  "s:s?}", "name", name, "task", c->task, "metric", c->metric,
                  "heading", c->title, "title", c->what, "unit", c->unit,
                  "better", c->better, "decimals", c->decimals, "published",
                  c->published, "synthetic", t->synthetic, "subset", t->subset,
                  "data", t->source);
    return with_withheld(j, s, i);
}

/* Why there is no number; null: there is one. */
static json_t *with_reason(json_t *cell, const struct measured *s,
                           const struct measured_row *row, int column)
{
    const char *why = reason_text(s, row, column);

    json_object_set_new(cell, "reason",
                        why ? json_string(why) : json_null());
    return cell;
}

/* Files of earlier versions have none. */
static json_t *with_by_seed(json_t *cell, const struct measured_cell *c)
{
    json_t *all = json_array();

    for (int i = 0; c->by_seed && i < c->n; i++)
        json_array_append_new(all, json_whole(c->by_seed[i]));
    if (c->by_seed)
        json_object_set(cell, "by_seed", all);
    json_decref(all);
    return cell;
}

static json_t *cell_json(const struct measured *s,
                         const struct measured_row *row, int column)
{
    const struct measured_cell *c = &row->cell[column];
    json_t *j = json_pack(
        "{s:w, s:f, s:f, s:i, s:i, s:w, s:s?, s:b, s:s?, s:w, s:w, s:b, s:i, "
        "s:s?, s:s, s:s, s:s?, s:s*}",
        "value", c->value, "low", c->between.low, "high", c->between.high,
        "n", c->n, "asked", c->asked, "published", c->published, "source",
        c->source, "disputed", c->dispute != NULL, "dispute", c->dispute,
        "rank", c->rank, "rank_published", c->rank_published, "best", c->best,
        "worse_than_blind", c->worse_than_blind, "metric_signature", c->how,
        "signature", c->signature, "status", cell_state_text[c->state],
        "commit", c->commit, "chosen", c->chosen);

    with_by_seed(with_learning(with_over(j, s, c), s, c), c);
    return with_reason(j, s, row, column);
}

static json_t *row_json(const struct measured *s, int i)
{
    const struct measured_row *row = &s->row[i];
    json_t *j = json_pack("{s:s, s:s, s:s}", row->reference ? "name"
                                                            : "variant",
                          row->variant, "title", row->title, "signature",
                          row->signature);
    json_t *cells = json_array();

    if (row->reference)
        json_object_set_new(j, "description", json_string(row->what));
    if (row->command)
        json_object_set_new(j, "command", json_string(row->command));
    if (row->published)
        json_object_set_new(j, "published_variant",
                            json_string(row->published));
    for (int c = 0; c < s->columns; c++)
        json_array_append_new(cells, cell_json(s, row, c));
    json_object_set_new(j, "cells", cells);
    return j;
}

static void add_order(json_t *to, const char *name, const struct order *o)
{
    char p[32], low[32], high[32];

    snprintf(p, sizeof p, "%s_p", name);
    snprintf(low, sizeof low, "%s_low", name);
    snprintf(high, sizeof high, "%s_high", name);
    OWNED(json_decref) json_t *more =
        json_pack("{s:f, s:f, s:f}", p, o->p, low, o->between.low, high,
                  o->between.high);
    json_object_update(to, more);
}

static json_t *correlation_json(const struct measured *s, int i)
{
    const struct measured_correlation *c = &s->correlation[i];
    json_t *j = json_pack("{s:s, s:s, s:s, s:f, s:f, s:i}", "task",
                          c->task->task, "metric", c->column->metric,
                          "published", c->column->published, "spearman",
                          c->rho.r, "kendall", c->tau.r, "n", c->n);

    if (!s->older) {
        add_order(j, "spearman", &c->rho);
        add_order(j, "kendall", &c->tau);
    }
    return j;
}

static json_t *seed_json(const struct measured_by_seed *v)
{
    return json_pack("{s:I, s:f, s:f}", "seed", (json_int_t)v->seed, "a", v->a,
                     "b", v->b);
}

/* Files of earlier versions have neither. */
static json_t *with_seeds(json_t *j, const struct measured_pair *p)
{
    json_t *all = json_array();

    for (int k = 0; k < p->by_seeds; k++)
        json_array_append_new(all, seed_json(&p->by_seed[k]));
    if (p->by_seeds)
        json_object_set_new(j, "better", json_integer(p->better));
    if (p->by_seeds)
        json_object_set(j, "by_seed", all);
    json_decref(all);
    return j;
}

json_t *data_pair(const struct measured *s, int i)
{
    const struct measured_pair *p = &s->pair[i];
    const struct verdict *v = &p->verdict;
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:s}",
        "task", p->task->task, "metric", p->metric, "unit", p->unit, "a", p->a,
        "b", p->b, "difference", p->difference, "low", v->between.low, "high",
        v->between.high, "p", v->p, "seeds", (int)p->seeds, "more_seeds",
        (int)p->more, "examples", (int)p->examples, "verdict",
        pair_verdict(p));

    return with_seeds(j, p);
}

static json_t *failure_json(const struct measured *s, int i)
{
    const struct measured_failure *f = &s->failure[i];

    return json_pack("{s:s, s:s, s:I, s:s, s:s, s:s}", "variant", f->variant,
                     "task", f->task, "seed", (json_int_t)f->seed, "status",
                     cell_state_text[f->state], "message", f->message, "class",
                     f->class);
}

/* Those from `from` to before `to`. */
static json_t *list(const struct measured *s, int from, int to,
                    json_t *(*one)(const struct measured *s, int i))
{
    json_t *all = json_array();

    for (int i = from; i < to; i++)
        json_array_append_new(all, one(s, i));
    return all;
}

static json_t *object_of(const struct measured *s)
{
    int variants = 0; /* references stand behind them */
    json_t *all;

    while (variants < s->rows && !s->row[variants].reference)
        variants++;
    all = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:i, s:i, s:i, s:i, s:i, s:o, "
        "s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "table", s->table->name, "title", s->table->title, "cite",
        s->table->cite, "data", origin_data(s), "experiment", s->experiment,
        "scale", s->scale, "synthetic", s->synthetic > 0, "cells", s->cells,
        "done", s->done, "others", s->others, "seeds", s->seeds,
        "seeds_needed", s->needed, "builds", builds_json(&s->builds),
        "builds_differ", differences_of(s),
        "tasks", list(s, 0, s->tasks, task_json),
        "columns", list(s, 0, s->columns, column_json),
        "rows", list(s, 0, variants, row_json),
        "baselines", list(s, variants, s->rows, row_json),
        "correlations", list(s, 0, s->correlations, correlation_json),
        "comparisons", list(s, 0, s->pairs, data_pair),
        "failures", list(s, 0, s->failures, failure_json));
    if (!s->older)
        json_object_set_new(all, "level", json_real(1 - STATS_LEVEL));
    if (*s->guessed)
        json_object_set_new(all, "guessed", texts_json(s->guessed));
    if (s->judged)
        json_object_set_new(all, "contrasts", json_integer(s->judged));
    if (s->own)
        json_object_set_new(all, "own", json_string(s->own));
    if (s->file)
        json_object_set_new(all, "file", json_string(s->file));
    if (s->table->note)
        json_object_set_new(all, "note", json_string(s->table->note));
    if (s->table->notice)
        json_object_set_new(all, "notice", json_string(s->table->notice));
    return all;
}

/* ---- the records ---- */

/* Of its column, in each record of that. */
static json_t *with_correlation(json_t *j, const struct measured *s, int column)
{
    static const struct order none = {NAN, NAN, {NAN, NAN}};
    struct measured_correlation of = {.rho = none, .tau = none};

    for (int i = 0; i < s->correlations; i++)
        if (s->correlation[i].column == s->column[column])
            of = s->correlation[i];
    json_object_set_new(j, "correlated", json_integer(of.n));
    json_object_set_new(j, "spearman", json_real(of.rho.r));
    add_order(j, "spearman", &of.rho);
    json_object_set_new(j, "kendall", json_real(of.tau.r));
    add_order(j, "kendall", &of.tau);
    return j;
}

static json_t *record(const struct measured *s, const struct measured_row *row,
                      int column)
{
    const struct table_column *c = s->column[column];
    const struct measured_cell *x = &row->cell[column];
    const struct measured_task *t = measured_task_of(s, column);
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:b, s:s, s:s, s:b, s:s, s:s, s:i, s:f, s:f, s:f, "
        "s:i, s:s, s:f, s:f, s:s?, s:b, s:f, s:s, s:b, s:s?, s:b, s:s?, s:b, "
        "s:i, s:i, s:s?}",
        "table", s->table->name, "scale", s->scale, "task", t->task,
        "synthetic", t->synthetic, "variant", row->variant, "title",
        row->title, "reference", row->reference, "metric", c->metric, "unit",
        c->unit, "better", c->better, "value", x->value, "low",
        x->between.low, "high", x->between.high, "n", x->n, "status",
        cell_state_text[x->state], "rank", x->rank, "published", x->published,
        "source", x->source, "disputed", x->dispute != NULL, "rank_published",
        x->rank_published, "signature", x->signature, "subset", t->subset,
        "data", t->source, "best", x->best, "commit", x->commit,
        "mixed_builds", builds_differ(&s->builds), "worse_than_blind",
        x->worse_than_blind, "asked", x->asked, "metric_signature", x->how);

    with_learning(with_withheld(with_over(j, s, x), s, column), s, x);
    with_reason(j, s, row, column);
    json_object_set_new(j, "dispute",
                        x->dispute ? json_string(x->dispute) : json_null());
    json_object_set_new(j, "command", row->command ? json_string(row->command)
                                                   : json_null());
    json_object_set_new(j, "guessed",
                        json_string(guesses_about(s, row, column)));
    return with_correlation(j, s, column);
}

static json_t *records_of(const struct measured *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (!s->row[i].reference || s->row[i].cell[c].n)
                json_array_append_new(all, record(s, &s->row[i], c));
    return all;
}

void data_fill(struct sheet *to, const struct measured *s)
{
    to->schema = MEASURED_SCHEMA;
    to->object = object_of(s);
    to->records = records_of(s);
}
