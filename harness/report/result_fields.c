#include "harness/report/result_fields.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"
#include "harness/store/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 256, MOST_ROWS = 4096 };

/* A column of a table, as the JSON and each line of the CSV describe it. */
struct data_column {
    const char        *name; /* "lm1b.ppl" */
    struct table_column of;
    struct result_task task;
    enum withheld      withheld;
    int                uninformative;
};

/* The JSON of a table, except the members of its struct table. */
struct document {
    struct result_table s;
    const char        **differ; /* facts in which builds differ */
    double              level;
    struct data_column *column;
    struct result_row  *variant, *reference; /* the two parts of s.row */
    int                 columns, variants, references;
};

static relation_check check_task, check_column, check_cell, check_row,
    check_correlation, check_pair, check_failure;

/* ---- the fields: their names, and the members that they contain ---- */

static const struct column table_columns[] = {
    {"table", NULL, COLUMN(struct table, name)},
    {"title", NULL, COLUMN(struct table, title)},
    {"cite", NULL, COLUMN(struct table, cite)},
    {"note", NULL, COLUMN(struct table, note), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static const struct column task_columns[] = {
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

static const struct column column_columns[] = {
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
    {"asked", NULL, COLUMN(row, in asked)},                                   \
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

static const struct column cell_columns[] = {
    CELL_COLUMNS(struct result_cell, ),
    {"chosen", NULL, COLUMN(struct result_cell, chosen),
     .flags = COLUMN_SPARSE},
    {"by_seed", NULL, COLUMN_AS(COLUMN_REALS, struct result_cell, by_seed),
     .count = offsetof(struct result_cell, n), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static const struct column row_columns[] = {
    {"variant", NULL, COLUMN(struct result_row, variant)},
    {"title", NULL, COLUMN(struct result_row, title)},
    {"signature", NULL, COLUMN(struct result_row, signature)},
    {"published_variant", NULL, COLUMN(struct result_row, published),
     .flags = COLUMN_SPARSE},
    {"cells", NULL, COLUMN_ROWS(struct result_row, cell, columns,
                                cell_columns), .most = MOST_COLUMNS,
     .check = check_cell},
    {.type = COLUMN_END}};

static const struct column reference_columns[] = {
    {"name", NULL, COLUMN(struct result_row, variant)},
    {"title", NULL, COLUMN(struct result_row, title)},
    {"signature", NULL, COLUMN(struct result_row, signature)},
    {"description", NULL, COLUMN(struct result_row, what)},
    {"cells", NULL, COLUMN_ROWS(struct result_row, cell, columns,
                                cell_columns), .most = MOST_COLUMNS,
     .check = check_cell},
    {.type = COLUMN_END}};

#define ORDER_COLUMNS(name, row, in)                                          \
    {name, NULL, COLUMN(row, in.r)},                                          \
    {name "_p", NULL, COLUMN(row, in.p)},                                     \
    {name "_low", NULL, COLUMN(row, in.between.low)},                         \
    {name "_high", NULL, COLUMN(row, in.between.high)}

static const struct column correlation_columns[] = {
    {"task", NULL, COLUMN_VIA(struct result_correlation, task),
     COLUMN(struct result_task, task), .flags = COLUMN_DERIVED},
    {"metric", NULL, COLUMN_VIA(struct result_correlation, column),
     COLUMN(struct table_column, metric), .flags = COLUMN_DERIVED},
    {"published", NULL, COLUMN_VIA(struct result_correlation, column),
     COLUMN(struct table_column, published), .flags = COLUMN_DERIVED},
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

static const char *compared_verdict(const void *row, struct arena *a)
{
    (void)a;
    return pair_verdict(row);
}

const struct column data_pair[] = {
    {"task", NULL, COLUMN_VIA(struct result_pair, task),
     COLUMN(struct result_task, task), .flags = COLUMN_DERIVED},
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
     .most = 1},
    {"by_seed", NULL, COLUMN_ROWS(struct result_pair, by_seed, by_seeds,
                                  data_by_seed), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static const struct column failure_columns[] = {
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

static const char *data_of(const void *row, struct arena *a)
{
    (void)a;
    return origin_data(&((const struct document *)row)->s);
}

/* Tasks are before columns and columns before rows, because reading a row needs
 * what precedes it. */
static const struct column document_columns[] = {
    {"experiment", NULL, COLUMN(struct document, s.experiment)},
    {"scale", NULL, COLUMN(struct document, s.scale)},
    {"cells", NULL, COLUMN(struct document, s.cells)},
    {"done", NULL, COLUMN(struct document, s.done)},
    {"others", NULL, COLUMN(struct document, s.others)},
    {"seeds", NULL, COLUMN(struct document, s.seeds)},
    {"seeds_needed", NULL, COLUMN(struct document, s.needed)},
    {"contrasts", NULL, COLUMN(struct document, s.judged),
     .flags = COLUMN_SPARSE},
    {"own", NULL, COLUMN(struct document, s.own), .flags = COLUMN_SPARSE},
    {"file", NULL, COLUMN(struct document, s.file), .flags = COLUMN_SPARSE},
    {"data", NULL, COLUMN_SHOWN, .show = data_of, .flags = COLUMN_DERIVED},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct document, s.synthetic),
     .flags = COLUMN_DERIVED},
    {"builds_differ", NULL, COLUMN_AS(COLUMN_TEXTS, struct document, differ),
     .flags = COLUMN_DERIVED},
    {"level", NULL, COLUMN(struct document, level), .flags = COLUMN_DERIVED},
    {"guessed", NULL, COLUMN_AS(COLUMN_TEXTS, struct document, s.guessed),
     .flags = COLUMN_SPARSE},
    {"builds", NULL, COLUMN_ROWS(struct document, s.builds.build, s.builds.n,
                                 build_columns), .most = MOST_ROWS},
    {"tasks", NULL, COLUMN_ROWS(struct document, s.task, s.tasks,
                                task_columns), .most = MOST_COLUMNS,
     .check = check_task},
    {"columns", NULL, COLUMN_ROWS(struct document, column, columns,
                                  column_columns), .most = MOST_COLUMNS,
     .check = check_column},
    {"correlations", NULL, COLUMN_ROWS(struct document, s.correlation,
                                       s.correlations, correlation_columns),
     .most = MOST_COLUMNS, .check = check_correlation},
    {"comparisons", NULL, COLUMN_ROWS(struct document, s.pair, s.pairs,
                                      data_pair), .most = MOST_ROWS,
     .check = check_pair},
    {"failures", NULL, COLUMN_ROWS(struct document, s.failure, s.failures,
                                   failure_columns), .check = check_failure},
    {"rows", NULL, COLUMN_ROWS(struct document, variant, variants,
                               row_columns), .most = MOST_ROWS,
     .check = check_row},
    {"baselines", NULL, COLUMN_ROWS(struct document, reference, references,
                                    reference_columns), .most = MOST_ROWS,
     .check = check_row},
    {.type = COLUMN_END}};

/* ---- the object ---- */

static struct data_column column_of(const struct result_table *s, int i)
{
    const struct table_column *c = s->column[i];

    return (struct data_column){
        .name = arena_format(s->memory, "%s.%s", c->task, c->metric),
        .of = *c, .task = *result_task_of(s, i), .withheld = s->withheld[i],
        .uninformative = s->withheld[i] == WITHHELD_UNINFORMATIVE};
}

/* Returns the document of a table, without its columns. */
static struct document document_of(const struct result_table *s)
{
    struct document d = {.s = *s, .variant = s->row};

    while (d.variants < s->rows && !s->row[d.variants].reference)
        d.variants++;
    d.reference = s->row + d.variants;
    d.references = s->rows - d.variants;
    return d;
}

static json_t *object_of(const struct result_table *s)
{
    const char *differ[BUILD_FACTS + 1] = {NULL};
    json_t *all = relation_object(table_columns, s->table, s->memory);
    struct document d = document_of(s);
    int n = 0;

    d.level = 1 - STATS_LEVEL;
    d.differ = differ;
    d.columns = s->columns;
    d.column = arena_zero(s->memory, ((size_t)d.columns + 1) *
                                         sizeof *d.column);
    for (int i = 0; i < d.columns; i++)
        d.column[i] = column_of(s, i);
    for (int k = 0; k < BUILD_FACTS; k++)
        if (builds_differ_in(&s->builds, k))
            differ[n++] = build_fact[k];
    relation_put(all, document_columns, &d, s->memory);
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
    {"guessed", NULL, COLUMN(struct record, guessed)},
    {"mixed_builds", NULL, COLUMN_AS(COLUMN_BOOL, struct record,
                                     mixed_builds)},
    {"correlated", NULL, COLUMN(struct record, correlation.n)},
    ORDER_COLUMNS("spearman", struct record, correlation.rho),
    ORDER_COLUMNS("kendall", struct record, correlation.tau),
    {.type = COLUMN_END}};

/* Returns the assumptions about one number, "A; B", or NULL if there are
 * none. */
static const char *guesses_about(const struct result_table *s,
                                 const struct result_row *row, int column)
{
    OWNED(text_free) struct text all = {0};

    for (const char **guess = s->guessed; *guess && !row->reference; guess++)
        if (guess_about(*guess, s->column[column]->task, row->variant))
            text_format(&all, "%s%s", all.n ? "; " : "", *guess);
    return all.n ? arena_text(s->memory, all.s) : NULL;
}

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
    struct document d = document_of(s);

    relation_clean(document_columns, &d, s->memory);
    *s = d.s;
    for (int i = 0; i < s->tasks; i++)
        relation_clean_text(&s->task[i].label, s->memory);
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            struct result_cell *x = &s->row[i].cell[c];

            if (isnan(x->between.low))
                x->over = OVER_NOTHING;
            x->disputed = x->dispute != NULL;
            x->reason = reason_text(s, &s->row[i], c);
        }
}

/* ---- reading: checks of a row in addition to the types of its fields ---- */

static const char *text_of(json_t *j, const char *key)
{
    const char *s = json_string_value(json_object_get(j, key));

    return s ? s : "";
}

static void check_interval(struct relation_reader *r, struct interval x)
{
    if (!(x.low <= x.high) && !(isnan(x.low) && isnan(x.high)))
        relation_wrong(r, "low", "no more than high");
}

static void check_task(struct relation_reader *r, json_t *j, void *row)
{
    struct result_task *t = row;
    struct document *d = r->context;

    (void)j;
    t->label = result_label(&d->s, t);
    d->s.synthetic += t->synthetic;
}

static struct result_task *task_named(struct relation_reader *r, json_t *j)
{
    const struct document *d = r->context;
    struct result_task *t = result_find(&d->s, text_of(j, "task"));

    if (!t)
        relation_wrong(r, "task", "a task of 'tasks'");
    return t;
}

static void check_column(struct relation_reader *r, json_t *j, void *row)
{
    struct data_column *c = row;
    const struct result_task *t = task_named(r, j);

    if (t)
        c->task = *t;
}

static void check_cell(struct relation_reader *r, json_t *j, void *row)
{
    struct result_cell *c = row;

    (void)j;
    check_interval(r, c->between);
    if ((c->over == OVER_NOTHING) != isnan(c->between.low))
        relation_wrong(r, "over", "null if and only if low and high are null");
    if (c->asked < c->n)
        relation_wrong(r, "asked", "no less than n");
}

static void check_row(struct relation_reader *r, json_t *j, void *out)
{
    struct result_row *row = out;
    const struct document *d = r->context;

    (void)j;
    row->reference = row->what != NULL;
    if (row->columns != d->columns)
        relation_wrong(r, "cells", "one per column");
}

static void check_order(struct relation_reader *r, const char *key,
                        const struct rank_correlation *o)
{
    struct interval x = o->between;

    if (isnan(o->r) != isnan(o->p))
        relation_wrong(r, key, "a number if and only if its p is one");
    if (isnan(x.low) ? !isnan(x.high) : !(x.low <= o->r && o->r <= x.high))
        relation_wrong(r, key, "a number between its low and its high");
}

static void check_correlation(struct relation_reader *r, json_t *j, void *row)
{
    struct result_correlation *c = row;
    const struct document *d = r->context;
    const char *metric = text_of(j, "metric");

    c->task = task_named(r, j);
    check_order(r, "spearman", &c->rho);
    check_order(r, "kendall", &c->tau);
    for (int k = 0; c->task && k < d->columns; k++)
        if (!strcmp(d->column[k].of.task, c->task->task) &&
            !strcmp(d->column[k].of.metric, metric))
            c->column = &d->column[k].of;
    if (!c->column || !c->column->published)
        relation_wrong(r, "metric", "that of a column compared with another");
    if (isnan(c->rho.r) != isnan(c->tau.r))
        relation_wrong(r, "kendall", "a number if and only if spearman is one");
}

/* Sets the sign of a verdict from the word in the file, and requires that p and
 * the interval agree with the sign.  For "not converged", the sign is the sign
 * of the interval. */
static void check_verdict(struct relation_reader *r, const char *word,
                          struct result_pair *p)
{
    struct verdict *v = &p->verdict;
    int apart = (v->between.low > 0) - (v->between.high < 0);

    p->unsettled = !strcmp(word, withheld_text[WITHHELD_LEARNING]);
    v->sign = 0;
    if (p->unsettled)
        v->sign = apart;
    else if (!strcmp(word, "a") || !strcmp(word, "b"))
        v->sign = *word == 'a' ? p->better : -p->better;
    if (!p->unsettled && !v->sign && strcmp(word, "undecided"))
        relation_wrong(r, "verdict", "a, b, undecided or not converged");
    if (v->sign != apart || (v->p < STATS_LEVEL) != (apart != 0) ||
        (p->unsettled && !apart))
        relation_wrong(r, "verdict", "one that agrees with p, low and high");
}

static void check_pair(struct relation_reader *r, json_t *j, void *row)
{
    struct result_pair *p = row;

    p->task = task_named(r, j);
    p->verdict.alone = NAN;
    check_interval(r, p->verdict.between);
    check_verdict(r, text_of(j, "verdict"), p);
    if (isnan(p->difference))
        relation_wrong(r, "difference", "a number");
}

static void check_failure(struct relation_reader *r, json_t *j, void *row)
{
    struct result_failure *f = row;

    (void)r, (void)j;
    f->class = f->class ? f->class : "";
}

/* ---- reading: the whole file ---- */

static int check_schema(const char *path, json_t *root)
{
    json_t *v = json_object_get(root, "schema_version");
    OWNED(free) char *word = text_quoted(path);

    if (json_object_get(root, "claims"))
        return err_set(ERR_USAGE, "%s: holds claims, not a table: `synthbench "
                       "claims --from %s` prints them", path, word);
    if (!json_is_integer(v))
        return err_set(ERR_STORE, "%s: not written by `synthbench table "
                       "--format json`: it has no schema_version", path);
    if (json_integer_value(v) != RESULT_SCHEMA ||
        !json_object_get(root, "level"))
        return err_set(ERR_STORE, "%s: written by a program whose tables this "
                       "one does not read (schema_version %lld, not %d): write "
                       "it again with `synthbench table --store DIR --format "
                       "json`", path, (long long)json_integer_value(v),
                       RESULT_SCHEMA);
    return OK;
}

/* Moves what has been read into the table. */
static struct result_table *table_of(struct document *d)
{
    struct result_table *s = arena_zero(d->s.memory, sizeof *s);
    size_t n = (size_t)d->columns + 1, variants = (size_t)d->variants;

    *s = d->s;
    s->columns = d->columns;
    s->column = arena_zero(s->memory, n * sizeof *s->column);
    s->withheld = arena_zero(s->memory, n * sizeof *s->withheld);
    for (int i = 0; i < s->columns; i++) {
        s->column[i] = &d->column[i].of;
        s->withheld[i] = d->column[i].withheld;
    }
    s->rows = d->variants + d->references;
    s->row = calloc((size_t)s->rows + 1, sizeof *s->row);
    memcpy(s->row, d->variant, variants * sizeof *s->row);
    memcpy(s->row + variants, d->reference,
           (size_t)d->references * sizeof *s->row);
    return s;
}

int result_read(struct result_table **out, const char *path)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct table *t = arena_zero(memory, sizeof *t);
    struct document d = {.s = {.memory = memory, .table = t}};
    struct relation_reader r = {
        .path = path, .writer = "synthbench table --format json",
        .memory = memory, .context = &d, .rc = OK};
    OWNED(json_decref) json_t *root = NULL;

    *out = NULL;
    PASS(relation_open(&root, &r));
    PASS(check_schema(path, root));
    relation_read(&r, root, table_columns, t);
    relation_read(&r, root, document_columns, &d);
    PASS(r.rc);
    OWNED(result_close) struct result_table *s = table_of(&d);
    memory = NULL; /* `s` owns it */
    PASS(sign_alike(s, path));
    data_clean(s);
    return MOVE_OUT(out, s);
}
