#include "harness/report/result_fields.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 256, MOST_ROWS = 4096 };

/* ---- checks of a row in addition to the types of its fields ---- */

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

static void check_build(struct relation_reader *r, json_t *j, void *row)
{
    struct result_table *s = r->context;

    (void)j;
    builds_add(&s->builds, row, s->memory);
}

static void check_task(struct relation_reader *r, json_t *j, void *row)
{
    struct result_task *t = row;
    struct result_table *s = r->context;

    (void)j;
    t->label = result_label(s, t);
    s->synthetic += t->synthetic;
}

static struct result_task *task_named(struct relation_reader *r, json_t *j)
{
    struct result_task *t = result_find(r->context, text_of(j, "task"));

    if (!t)
        relation_wrong(r, "task", "a task of 'tasks'");
    return t;
}

static void check_column(struct relation_reader *r, json_t *j, void *row)
{
    (void)row;
    task_named(r, j);
}

static void check_cell(struct relation_reader *r, json_t *j, void *row)
{
    struct result_cell *c = row;

    check_interval(r, c->between);
    if ((c->over == OVER_NOTHING) != isnan(c->between.low))
        relation_wrong(r, "over", "null if and only if low and high are null");
    if (!json_object_get(j, "asked")) /* missing in files of earlier versions */
        c->asked = c->n;
    if (c->asked < c->n)
        relation_wrong(r, "asked", "no less than n");
}

static void check_row(struct relation_reader *r, json_t *j, void *out)
{
    struct result_row *row = out;
    json_t *all = json_object_get(j, "cells");
    const struct result_table *s = r->context;
    int cells;

    row->reference = row->what != NULL;
    if (json_is_array(all) && json_array_size(all) != (size_t)s->columns)
        relation_wrong(r, "cells", "one per column");
    row->cell = relation_read_rows(r, j, "cells", MOST_COLUMNS, &cells,
                                   data_cell, sizeof *row->cell, check_cell);
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
    const struct result_table *s = r->context;
    const char *metric = text_of(j, "metric");

    c->task = task_named(r, j);
    check_order(r, "spearman", &c->rho);
    check_order(r, "kendall", &c->tau);
    for (int k = 0; c->task && k < s->columns; k++)
        if (result_task_of(s, k) == c->task &&
            !strcmp(s->column[k]->metric, metric))
            c->column = s->column[k];
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
    v->sign = p->unsettled         ? apart
              : !strcmp(word, "a") ? p->better
              : !strcmp(word, "b") ? -p->better
                                   : 0;
    if (!p->unsettled && !v->sign && strcmp(word, "undecided"))
        relation_wrong(r, "verdict", "a, b, undecided or not converged");
    if (v->sign != apart || (v->p < STATS_LEVEL) != (apart != 0) ||
        (p->unsettled && !apart))
        relation_wrong(r, "verdict", "one that agrees with p, low and high");
}

/* Checks a pair.  Earlier versions compared cross-entropies only and wrote no
 * `better`. */
static void check_pair(struct relation_reader *r, json_t *j, void *row)
{
    struct result_pair *p = row;

    p->task = task_named(r, j);
    p->better = p->better ? p->better : -1;
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

/* ---- the whole file ---- */

static void *read_rows(struct relation_reader *r, json_t *root, const char *key,
                       int *n, const struct column *c, size_t size,
                       relation_check *check)
{
    return relation_read_rows(r, root, key, MOST_ROWS, n, c, size, check);
}

static void read_columns(struct relation_reader *r, json_t *root)
{
    struct result_table *s = r->context;
    struct data_column *all = relation_read_rows(
        r, root, "columns", MOST_COLUMNS, &s->columns, data_column,
        sizeof *all, check_column);
    size_t n = (size_t)s->columns + 1;

    s->column = arena_zero(s->memory, n * sizeof *s->column);
    s->withheld = arena_zero(s->memory, n * sizeof *s->withheld);
    for (int i = 0; i < s->columns; i++) {
        s->column[i] = &all[i].of;
        s->withheld[i] = all[i].withheld;
    }
}

/* Reads the rows of variants and, after them, the references. */
static void read_all_rows(struct relation_reader *r, json_t *root)
{
    struct result_table *s = r->context;
    int variants, references;
    struct result_row *v = read_rows(r, root, "rows", &variants, data_row,
                                     sizeof *v, check_row);
    struct result_row *f = read_rows(r, root, "baselines", &references,
                                     data_reference, sizeof *f, check_row);

    s->rows = variants + references;
    s->row = calloc((size_t)s->rows + 1, sizeof *s->row);
    memcpy(s->row, v, (size_t)variants * sizeof *v);
    memcpy(s->row + variants, f, (size_t)references * sizeof *f);
}

static void read_all(struct relation_reader *r, json_t *root)
{
    struct result_table *s = r->context;
    struct table *t = arena_zero(s->memory, sizeof *t);
    int builds;

    relation_read(r, root, data_table, t);
    s->table = t;
    relation_read(r, root, data_header, s);
    s->guessed = relation_read_texts(r, root, "guessed");
    read_rows(r, root, "builds", &builds, build_columns, sizeof(struct build),
              check_build);
    s->task = relation_read_rows(r, root, "tasks", MOST_COLUMNS, &s->tasks,
                                 data_task, sizeof *s->task, check_task);
    read_columns(r, root);
    read_all_rows(r, root);
    s->correlation = relation_read_rows(
        r, root, "correlations", MOST_COLUMNS, &s->correlations,
        data_correlation, sizeof *s->correlation, check_correlation);
    s->pair = read_rows(r, root, "comparisons", &s->pairs, data_pair,
                        sizeof *s->pair, check_pair);
    s->failure = relation_read_rows(r, root, "failures", RELATION_MOST,
                                    &s->failures, data_failure,
                                    sizeof *s->failure, check_failure);
}

/* Removes the published values that earlier versions wrote for synthetic data.
 * */
static void drop_published(struct result_table *s)
{
    int n = 0;

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            struct result_cell *x = &s->row[i].cell[c];

            if (!result_task_of(s, c)->synthetic)
                continue;
            x->published = x->rank_published = NAN;
            x->source = x->dispute = NULL;
        }
    for (int i = 0; i < s->correlations; i++)
        if (!s->correlation[i].task->synthetic)
            s->correlation[n++] = s->correlation[i];
    s->correlations = n;
}

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

int result_read(struct result_table **out, const char *path)
{
    struct arena *memory = arena_new();
    OWNED(result_close) struct result_table *s = arena_zero(memory, sizeof *s);
    struct relation_reader r = {
        .path = path, .writer = "synthbench table --format json",
        .memory = memory, .context = s, .rc = OK};
    OWNED(json_decref) json_t *root = NULL;

    *out = NULL;
    s->memory = memory;
    PASS(json_read(&root, path));
    PASS(check_schema(path, root));
    read_all(&r, root);
    PASS(r.rc);
    drop_published(s);
    PASS(sign_alike(s, path));
    data_clean(s);
    again_fill(s);
    return MOVE_OUT(out, s);
}
