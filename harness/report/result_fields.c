#include "harness/report/result_fields.h"

#include "harness/base/rng.h"

#include <math.h>

/* ---- the fields: their names, and the members that they contain ---- */

const struct column data_header[] = {
    {"experiment", NULL, COLUMN(struct result_table, experiment)},
    {"scale", NULL, COLUMN(struct result_table, scale)},
    {"cells", NULL, COLUMN(struct result_table, cells)},
    {"done", NULL, COLUMN(struct result_table, done)},
    {"others", NULL, COLUMN(struct result_table, others)},
    {"seeds", NULL, COLUMN(struct result_table, seeds)},
    {"seeds_needed", NULL, COLUMN(struct result_table, needed)},
    {"contrasts", NULL, COLUMN(struct result_table, judged),
     .flags = COLUMN_SPARSE},
    {"own", NULL, COLUMN(struct result_table, own), .flags = COLUMN_SPARSE},
    {"file", NULL, COLUMN(struct result_table, file), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

const struct column data_table[] = {
    {"table", NULL, COLUMN(struct table, name)},
    {"title", NULL, COLUMN(struct table, title)},
    {"cite", NULL, COLUMN(struct table, cite)},
    {"note", NULL, COLUMN(struct table, note), .flags = COLUMN_SPARSE},
    {"notice", NULL, COLUMN(struct table, notice), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

const struct column data_task[] = {
    {"task", NULL, COLUMN(struct result_task, task)},
    {"title", NULL, COLUMN(struct result_task, title)},
    {"official", NULL, COLUMN(struct result_task, paper)},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct result_task,
                                  synthetic)},
    {"subset", NULL, COLUMN_AS(COLUMN_BOOL, struct result_task, subset)},
    {"uncompared", NULL, COLUMN_AS(COLUMN_BOOL, struct result_task,
                                   uncompared), .flags = COLUMN_LATER},
    {"examples", NULL, COLUMN(struct result_task, examples)},
    {"data", NULL, COLUMN(struct result_task, source),
     .flags = COLUMN_NULLABLE},
    {.type = COLUMN_END}};

/* The fields with the reason why a column is not ranked.  They are in the list
 * "columns" of the JSON and in each line of the CSV. */
#define WITHHELD_COLUMNS(row, in)                                             \
    {"uninformative", NULL, COLUMN_AS(COLUMN_BOOL, row, in uninformative),    \
     .flags = COLUMN_DERIVED},                                                \
    {"withheld", NULL, COLUMN_AS(COLUMN_ENUM, row, in withheld),              \
     .words = withheld_text, .flags = COLUMN_NULLABLE}

const struct column data_column[] = {
    {"name", NULL, COLUMN(struct data_column, name), .flags = COLUMN_DERIVED},
    {"task", NULL, COLUMN(struct data_column, of.task)},
    {"metric", NULL, COLUMN(struct data_column, of.metric)},
    {"heading", NULL, COLUMN(struct data_column, of.title)},
    {"title", NULL, COLUMN(struct data_column, of.what)},
    {"unit", NULL, COLUMN(struct data_column, of.unit)},
    {"better", NULL, COLUMN(struct data_column, of.better), .least = -1,
     .most = 1},
    {"decimals", NULL, COLUMN(struct data_column, of.decimals), .most = 9},
    {"published", NULL, COLUMN(struct data_column, of.published),
     .flags = COLUMN_NULLABLE},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct data_column,
                                  task.synthetic), .flags = COLUMN_DERIVED},
    {"subset", NULL, COLUMN_AS(COLUMN_BOOL, struct data_column, task.subset),
     .flags = COLUMN_DERIVED},
    {"data", NULL, COLUMN(struct data_column, task.source),
     .flags = COLUMN_DERIVED},
    WITHHELD_COLUMNS(struct data_column, ),
    {.type = COLUMN_END}};

/* The fields with a number and its properties, in the JSON and in the CSV. */
#define CELL_COLUMNS(row, in)                                                 \
    {"value", NULL, COLUMN_AS(COLUMN_WHOLE, row, in value)},                  \
    {"low", NULL, COLUMN(row, in between.low)},                               \
    {"high", NULL, COLUMN(row, in between.high)},                             \
    {"over", NULL, COLUMN_AS(COLUMN_ENUM, row, in over),                      \
     .words = over_text, .flags = COLUMN_NULLABLE},                           \
    {"n", NULL, COLUMN(row, in n)},                                           \
    {"asked", NULL, COLUMN(row, in asked), .flags = COLUMN_LATER},            \
    {"published", NULL, COLUMN_AS(COLUMN_WHOLE, row, in published)},          \
    {"source", NULL, COLUMN(row, in source), .flags = COLUMN_NULLABLE},       \
    {"disputed", NULL, COLUMN_AS(COLUMN_BOOL, row, in disputed),              \
     .flags = COLUMN_DERIVED},                                                \
    {"dispute", NULL, COLUMN(row, in dispute), .flags = COLUMN_NULLABLE},     \
    {"rank", NULL, COLUMN_AS(COLUMN_WHOLE, row, in rank)},                    \
    {"rank_published", NULL, COLUMN_AS(COLUMN_WHOLE, row, in rank_published)}, \
    {"best", NULL, COLUMN_AS(COLUMN_BOOL, row, in best)},                     \
    {"worse_than_blind", NULL, COLUMN(row, in worse_than_blind)},             \
    {"metric_signature", NULL, COLUMN(row, in how),                           \
     .flags = COLUMN_NULLABLE},                                               \
    {"signature", NULL, COLUMN(row, in signature)},                           \
    {"status", NULL, COLUMN_AS(COLUMN_ENUM, row, in state),                   \
     .words = cell_state_text},                                               \
    {"commit", NULL, COLUMN(row, in commit), .flags = COLUMN_NULLABLE},       \
    {"settled", NULL, COLUMN(row, in settled), .flags = COLUMN_LATER},        \
    {"settled_error", NULL, COLUMN(row, in settled_error),                    \
     .flags = COLUMN_LATER},                                                  \
    {"unsettled", NULL, COLUMN_AS(COLUMN_BOOL, row, in unsettled),            \
     .flags = COLUMN_LATER},                                                  \
    {"reason", NULL, COLUMN(row, in reason), .flags = COLUMN_DERIVED}

const struct column data_cell[] = {
    CELL_COLUMNS(struct result_cell, ),
    {"chosen", NULL, COLUMN(struct result_cell, chosen),
     .flags = COLUMN_SPARSE},
    {"by_seed", NULL, COLUMN_AS(COLUMN_REALS, struct result_cell, by_seed),
     .count = offsetof(struct result_cell, n), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

const struct column data_row[] = {
    {"variant", NULL, COLUMN(struct result_row, variant)},
    {"title", NULL, COLUMN(struct result_row, title)},
    {"signature", NULL, COLUMN(struct result_row, signature)},
    {"command", NULL, COLUMN(struct result_row, command),
     .flags = COLUMN_SPARSE | COLUMN_DERIVED},
    {"published_variant", NULL, COLUMN(struct result_row, published),
     .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

const struct column data_reference[] = {
    {"name", NULL, COLUMN(struct result_row, variant)},
    {"title", NULL, COLUMN(struct result_row, title)},
    {"signature", NULL, COLUMN(struct result_row, signature)},
    {"description", NULL, COLUMN(struct result_row, what)},
    {.type = COLUMN_END}};

#define ORDER_COLUMNS(name, row, in)                                          \
    {name, NULL, COLUMN(row, in.r)},                                          \
    {name "_p", NULL, COLUMN(row, in.p)},                                     \
    {name "_low", NULL, COLUMN(row, in.between.low)},                         \
    {name "_high", NULL, COLUMN(row, in.between.high)}

static const char *correlated_task(const void *row, struct arena *a)
{
    (void)a;
    return ((const struct result_correlation *)row)->task->task;
}

static const char *correlated_metric(const void *row, struct arena *a)
{
    (void)a;
    return ((const struct result_correlation *)row)->column->metric;
}

static const char *correlated_with(const void *row, struct arena *a)
{
    (void)a;
    return ((const struct result_correlation *)row)->column->published;
}

const struct column data_correlation[] = {
    {"task", NULL, COLUMN_SHOWN, .show = correlated_task,
     .flags = COLUMN_DERIVED},
    {"metric", NULL, COLUMN_SHOWN, .show = correlated_metric,
     .flags = COLUMN_DERIVED},
    {"published", NULL, COLUMN_SHOWN, .show = correlated_with,
     .flags = COLUMN_DERIVED},
    {"n", NULL, COLUMN(struct result_correlation, n), .least = 1,
     .most = RELATION_MOST},
    ORDER_COLUMNS("spearman", struct result_correlation, rho),
    ORDER_COLUMNS("kendall", struct result_correlation, tau),
    {.type = COLUMN_END}};

static const struct column data_by_seed[] = {
    {"seed", NULL, COLUMN(struct result_by_seed, seed),
     .most = RNG_SEED_MAX},
    {"a", NULL, COLUMN(struct result_by_seed, a)},
    {"b", NULL, COLUMN(struct result_by_seed, b)},
    {.type = COLUMN_END}};

static const char *compared_task(const void *row, struct arena *a)
{
    (void)a;
    return ((const struct result_pair *)row)->task->task;
}

static const char *compared_verdict(const void *row, struct arena *a)
{
    (void)a;
    return pair_verdict(row);
}

const struct column data_pair[] = {
    {"task", NULL, COLUMN_SHOWN, .show = compared_task,
     .flags = COLUMN_DERIVED},
    {"metric", NULL, COLUMN(struct result_pair, metric)},
    {"unit", NULL, COLUMN(struct result_pair, unit)},
    {"a", NULL, COLUMN(struct result_pair, a)},
    {"b", NULL, COLUMN(struct result_pair, b)},
    {"difference", NULL, COLUMN(struct result_pair, difference)},
    {"low", NULL, COLUMN(struct result_pair, verdict.between.low)},
    {"high", NULL, COLUMN(struct result_pair, verdict.between.high)},
    {"p", NULL, COLUMN(struct result_pair, verdict.p)},
    {"seeds", NULL, COLUMN(struct result_pair, seeds)},
    {"more_seeds", NULL, COLUMN(struct result_pair, more)},
    {"examples", NULL, COLUMN(struct result_pair, examples)},
    {"verdict", NULL, COLUMN_SHOWN, .show = compared_verdict,
     .flags = COLUMN_DERIVED},
    {"better", NULL, COLUMN(struct result_pair, better), .least = -1,
     .most = 1, .flags = COLUMN_LATER},
    {"by_seed", NULL, COLUMN_ROWS(struct result_pair, by_seed, by_seeds,
                                  data_by_seed), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

const struct column data_failure[] = {
    {"variant", NULL, COLUMN(struct result_failure, variant)},
    {"task", NULL, COLUMN(struct result_failure, task)},
    {"seed", NULL, COLUMN(struct result_failure, seed),
     .most = RNG_SEED_MAX},
    {"status", NULL, COLUMN_AS(COLUMN_ENUM, struct result_failure, state),
     .words = cell_state_text},
    {"message", NULL, COLUMN(struct result_failure, message)},
    {"class", NULL, COLUMN(struct result_failure, class),
     .flags = COLUMN_LATER},
    {.type = COLUMN_END}};

/* ---- the object ---- */

static json_t *texts_json(const char *const *text)
{
    json_t *all = json_array();

    for (; *text; text++)
        json_array_append_new(all, json_string(*text));
    return all;
}

static json_t *differences_of(const struct builds *b)
{
    const char *fact[BUILD_FACTS + 1] = {0};
    int n = 0;

    for (int k = 0; k < BUILD_FACTS; k++)
        if (builds_differ_in(b, k))
            fact[n++] = build_fact[k];
    return texts_json(fact);
}

static struct data_column column_of(const struct result_table *s, int i)
{
    const struct table_column *c = s->column[i];

    return (struct data_column){
        .name = arena_format(s->memory, "%s.%s", c->task, c->metric),
        .of = *c, .task = *result_task_of(s, i), .withheld = s->withheld[i],
        .uninformative = s->withheld[i] == WITHHELD_UNINFORMATIVE};
}

/* Adds all lists of the table, except rows and baselines. */
static void put_lists(json_t *to, const struct result_table *s)
{
    struct data_column *column =
        arena_zero(s->memory, ((size_t)s->columns + 1) * sizeof *column);
    const struct relation all[] = {
        builds_relation(&s->builds),
        {"tasks", data_task, s->task, sizeof *s->task, s->tasks},
        {"columns", data_column, column, sizeof *column, s->columns},
        {"correlations", data_correlation, s->correlation,
         sizeof *s->correlation, s->correlations},
        {"comparisons", data_pair, s->pair, sizeof *s->pair, s->pairs},
        {"failures", data_failure, s->failure, sizeof *s->failure,
         s->failures}};

    for (int i = 0; i < s->columns; i++)
        column[i] = column_of(s, i);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_object_set_new(to, all[i].name, relation_json(&all[i],
                                                           s->memory));
}

/* Adds the rows with their cells: variants to the list "rows", references to
 * the list "baselines". */
static void put_rows(json_t *to, const struct result_table *s)
{
    json_t *list[] = {json_array(), json_array()};

    for (int i = 0; i < s->rows; i++) {
        const struct result_row *row = &s->row[i];
        json_t *j = relation_object(row->reference ? data_reference : data_row,
                                    row, s->memory);

        json_object_set_new(j, "cells",
                            relation_json(&(struct relation){
                                NULL, data_cell, row->cell, sizeof *row->cell,
                                s->columns}, s->memory));
        json_array_append_new(list[row->reference], j);
    }
    json_object_set_new(to, "rows", list[0]);
    json_object_set_new(to, "baselines", list[1]);
}

static json_t *object_of(const struct result_table *s)
{
    json_t *all = relation_object(data_table, s->table, s->memory);

    relation_put(all, data_header, s, s->memory);
    json_object_set_new(all, "data", json_string(origin_data(s)));
    json_object_set_new(all, "synthetic", json_boolean(s->synthetic > 0));
    json_object_set_new(all, "builds_differ", differences_of(&s->builds));
    json_object_set_new(all, "level", json_real(1 - STATS_LEVEL));
    if (*s->guessed)
        json_object_set_new(all, "guessed", texts_json(s->guessed));
    put_lists(all, s);
    put_rows(all, s);
    return all;
}

/* ---- the records ---- */

/* A line of the CSV. */
struct record {
    const char                 *table, *scale, *guessed;
    int                         mixed_builds;
    struct data_column          column;
    struct result_row         row;
    struct result_cell        cell;
    struct result_correlation correlation; /* that of the column, if any */
};

static const struct column record_columns[] = {
    {"table", NULL, COLUMN(struct record, table)},
    {"scale", NULL, COLUMN(struct record, scale)},
    {"task", NULL, COLUMN(struct record, column.of.task)},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct record,
                                  column.task.synthetic)},
    {"subset", NULL, COLUMN_AS(COLUMN_BOOL, struct record,
                               column.task.subset)},
    {"data", NULL, COLUMN(struct record, column.task.source)},
    {"variant", NULL, COLUMN(struct record, row.variant)},
    {"title", NULL, COLUMN(struct record, row.title)},
    {"reference", NULL, COLUMN_AS(COLUMN_BOOL, struct record, row.reference)},
    {"metric", NULL, COLUMN(struct record, column.of.metric)},
    {"unit", NULL, COLUMN(struct record, column.of.unit)},
    {"better", NULL, COLUMN(struct record, column.of.better)},
    CELL_COLUMNS(struct record, cell.),
    WITHHELD_COLUMNS(struct record, column.),
    {"command", NULL, COLUMN(struct record, row.command)},
    {"guessed", NULL, COLUMN(struct record, guessed)},
    {"mixed_builds", NULL, COLUMN_AS(COLUMN_BOOL, struct record,
                                     mixed_builds)},
    {"correlated", NULL, COLUMN(struct record, correlation.n)},
    ORDER_COLUMNS("spearman", struct record, correlation.rho),
    ORDER_COLUMNS("kendall", struct record, correlation.tau),
    {.type = COLUMN_END}};

static struct record record_of(const struct result_table *s,
                               const struct result_row *row, int column)
{
    static const struct rank_correlation none = {NAN, NAN, {NAN, NAN}};
    struct record r = {
        .table = s->table->name, .scale = s->scale,
        .guessed = guesses_about(s, row, column),
        .mixed_builds = builds_differ(&s->builds),
        .column = column_of(s, column), .row = *row, .cell = row->cell[column],
        .correlation = {.rho = none, .tau = none}};

    for (int i = 0; i < s->correlations; i++)
        if (s->correlation[i].column == s->column[column])
            r.correlation = s->correlation[i];
    return r;
}

static json_t *records_of(const struct result_table *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            struct record r = record_of(s, &s->row[i], c);

            if (!s->row[i].reference || r.cell.n)
                json_array_append_new(all, relation_object(record_columns, &r,
                                                           s->memory));
        }
    return all;
}

void data_fill(struct sheet *to, const struct result_table *s)
{
    to->schema = RESULT_SCHEMA;
    to->object = object_of(s);
    to->records = records_of(s);
}

/* ---- cleaning ---- */

void data_clean(struct result_table *s)
{
    struct arena *a = s->memory;

    relation_clean(data_header, s, a);
    for (int i = 0; i < s->tasks; i++) {
        relation_clean(data_task, &s->task[i], a);
        relation_clean_text(&s->task[i].label, a);
    }
    for (int i = 0; i < s->failures; i++)
        relation_clean(data_failure, &s->failure[i], a);
    for (int i = 0; i < s->rows; i++) {
        relation_clean(data_row, &s->row[i], a);
        relation_clean(data_reference, &s->row[i], a);
        for (int c = 0; c < s->columns; c++) {
            struct result_cell *x = &s->row[i].cell[c];

            relation_clean(data_cell, x, a);
            if (isnan(x->between.low))
                x->over = OVER_NOTHING;
            x->disputed = x->dispute != NULL;
            x->reason = reason_text(s, &s->row[i], c);
        }
    }
    for (int i = 0; i < s->correlations; i++)
        relation_clean(data_correlation, &s->correlation[i], a);
    for (int i = 0; i < s->pairs; i++)
        relation_clean(data_pair, &s->pair[i], a);
    for (int i = 0; i < s->builds.n; i++)
        relation_clean(build_columns, &s->builds.build[i], a);
    for (const char **guess = s->guessed; *guess; guess++)
        relation_clean_text(guess, a);
}
