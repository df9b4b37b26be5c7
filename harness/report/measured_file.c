#include "harness/report/measured_file.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/report/origin.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 256, MOST_ROWS = 4096, MOST = 1 << 24, DECIMALS = 9 };

/* Reading goes on behind the first mistake, with 0, NAN and "", and ends with
 * its message. */
struct reading {
    const char   *path;
    struct measured *s;
    char          at[96]; /* "rows[3].cells[2]." */
    int           rc;
};

static void wrong(struct reading *r, const char *key, const char *expected)
{
    if (r->rc == OK)
        r->rc = err_set(ERR_STORE, "%s: %s%s: expected %s: it is not what "
                        "`synthbench table --format json` wrote", r->path,
                        r->at, key, expected);
}

static void look_at(struct reading *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void look_at(struct reading *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(r->at, sizeof r->at, fmt, ap);
    va_end(ap);
}

/* ---- fields ---- */

static const char *text_or_null(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (!json_is_string(v) && !json_is_null(v))
        wrong(r, key, "a text or null");
    return json_is_string(v) ? arena_text(r->s->memory, json_string_value(v))
                             : NULL;
}

static const char *text(struct reading *r, json_t *j, const char *key)
{
    const char *s = text_or_null(r, j, key);

    if (!s)
        wrong(r, key, "a text");
    return s ? s : "";
}

static double number(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (!json_is_number(v) && !json_is_null(v))
        wrong(r, key, "a number or null");
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static long long integer(struct reading *r, json_t *j, const char *key,
                         long long least, long long most)
{
    json_t *v = json_object_get(j, key);
    json_int_t x = json_integer_value(v);
    char expected[64];

    if (json_is_integer(v) && x >= least && x <= most)
        return x;
    snprintf(expected, sizeof expected, "%lld to %lld", least, most);
    wrong(r, key, expected);
    return least;
}

/* Of a field that older programs did not write. */
static long long integer_or(struct reading *r, json_t *j, const char *key,
                            long long least, long long most, long long none)
{
    return json_object_get(j, key) ? integer(r, j, key, least, most) : none;
}

static int flag(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (!json_is_boolean(v))
        wrong(r, key, "true or false");
    return json_is_true(v);
}

static struct interval interval(struct reading *r, json_t *j)
{
    struct interval x = {number(r, j, "low"), number(r, j, "high")};

    if (!(x.low <= x.high) && !(isnan(x.low) && isnan(x.high)))
        wrong(r, "low", "no more than high");
    return x;
}

static enum cell_state state(struct reading *r, json_t *j)
{
    int i = names_index(cell_state_text, text(r, j, "status"));

    if (i >= 0)
        return (enum cell_state)i;
    wrong(r, "status", "done, failed, running, missing, refused or blocked");
    return CELL_MISSING;
}

/* How many; the entries are objects. */
static int list(struct reading *r, json_t **out, json_t *j, const char *key,
                int most)
{
    size_t n;
    char expected[64];

    *out = json_object_get(j, key);
    n = json_array_size(*out);
    snprintf(expected, sizeof expected, "a list of at most %d objects", most);
    if (!json_is_array(*out) || n > (size_t)most)
        wrong(r, key, expected);
    for (size_t i = 0; i < n; i++)
        if (!json_is_object(json_array_get(*out, i)))
            wrong(r, key, expected);
    return r->rc == OK ? (int)n : 0;
}

static void *take(struct reading *r, int n, size_t size)
{
    return arena_zero(r->s->memory, ((size_t)n + 1) * size);
}

/* ---- the lists ---- */

static void read_builds(struct reading *r, json_t *root)
{
    json_t *all;
    int n = list(r, &all, root, "builds", MOST_ROWS);

    for (int i = 0; i < n; i++) {
        json_t *j = json_array_get(all, (size_t)i);
        struct build b;

        look_at(r, "builds[%d].", i);
        b.commit = text(r, j, "commit");
        b.dirty = flag(r, j, "dirty");
        b.cells = (int)integer(r, j, "cells", 1, MOST);
        for (int k = 0; k < BUILD_FACTS; k++)
            b.fact[k] = text_or_null(r, j, build_fact[k]);
        builds_add(&r->s->builds, &b, r->s->memory);
    }
}

static void read_tasks(struct reading *r, json_t *root)
{
    struct measured *s = r->s;
    json_t *all;
    int n = list(r, &all, root, "tasks", MOST_COLUMNS);

    s->task = take(r, n, sizeof *s->task);
    for (int i = 0; i < n; i++) {
        json_t *j = json_array_get(all, (size_t)i);
        struct measured_task *t = &s->task[s->tasks++];

        look_at(r, "tasks[%d].", i);
        *t = (struct measured_task){
            .task = text(r, j, "task"), .title = text(r, j, "title"),
            .paper = text(r, j, "official"),
            .synthetic = flag(r, j, "synthetic"),
            .subset = flag(r, j, "subset"),
            .examples = (int)integer(r, j, "examples", 0, MOST),
            .source = text_or_null(r, j, "data")};
        t->label = measured_label(s, t);
        s->synthetic += t->synthetic;
    }
}

static struct measured_task *task_named(struct reading *r, json_t *j)
{
    const char *name = text(r, j, "task");

    for (int i = 0; i < r->s->tasks; i++)
        if (!strcmp(r->s->task[i].task, name))
            return &r->s->task[i];
    wrong(r, "task", "one of \"tasks\"");
    return NULL;
}

static void read_columns(struct reading *r, json_t *root)
{
    struct measured *s = r->s;
    json_t *all;
    int n = list(r, &all, root, "columns", MOST_COLUMNS);
    struct table_column *column = take(r, n, sizeof *column);

    s->column = take(r, n, sizeof *s->column);
    for (int i = 0; i < n; i++) {
        json_t *j = json_array_get(all, (size_t)i);

        look_at(r, "columns[%d].", i);
        task_named(r, j);
        column[i] = (struct table_column){
            .task = text(r, j, "task"), .metric = text(r, j, "metric"),
            .title = text(r, j, "heading"), .what = text(r, j, "title"),
            .unit = text(r, j, "unit"),
            .better = (int)integer(r, j, "better", -1, 1),
            .decimals = (int)integer(r, j, "decimals", 0, DECIMALS),
            .published = text_or_null(r, j, "published")};
        s->column[s->columns++] = &column[i];
    }
}

static void read_cell(struct reading *r, struct measured_cell *c, json_t *j)
{
    *c = (struct measured_cell){
        .state = state(r, j),
        .value = number(r, j, "value"),
        .between = interval(r, j),
        .n = (int)integer(r, j, "n", 0, MOST),
        .published = number(r, j, "published"),
        .source = text_or_null(r, j, "source"),
        .dispute = text_or_null(r, j, "dispute"),
        .rank = number(r, j, "rank"),
        .rank_published = number(r, j, "rank_published"),
        .signature = text_or_null(r, j, "signature"),
        .best = flag(r, j, "best"),
        .worse_than_blind = (int)integer(r, j, "worse_than_blind", 0, MOST),
        .commit = text_or_null(r, j, "commit")};
    c->asked = (int)integer_or(r, j, "asked", c->n, MOST, c->n);
}

/* Those of variants, or the references behind them. */
static void read_rows(struct reading *r, json_t *root, int reference)
{
    const char *key = reference ? "baselines" : "rows";
    struct measured *s = r->s;
    json_t *all, *cells;
    int n = list(r, &all, root, key, MOST_ROWS);
    struct measured_row *row = take(r, s->rows + n, sizeof *row);

    for (int i = 0; i < s->rows; i++)
        row[i] = s->row[i];
    s->row = row;
    for (int i = 0; i < n; i++) {
        json_t *j = json_array_get(all, (size_t)i);

        look_at(r, "%s[%d].", key, i);
        row = &s->row[s->rows++];
        *row = (struct measured_row){
            .variant = text(r, j, reference ? "name" : "variant"),
            .title = text(r, j, "title"),
            .what = reference ? text(r, j, "description") : NULL,
            .reference = reference,
            .cell = take(r, s->columns, sizeof *row->cell)};
        if (list(r, &cells, j, "cells", MOST_COLUMNS) != s->columns)
            wrong(r, "cells", "one for each column");
        for (int c = 0; r->rc == OK && c < s->columns; c++) {
            look_at(r, "%s[%d].cells[%d].", key, i, c);
            read_cell(r, &row->cell[c], json_array_get(cells, (size_t)c));
        }
        look_at(r, "%s", "");
    }
}

static void read_correlations(struct reading *r, json_t *root)
{
    struct measured *s = r->s;
    json_t *all;
    int n = list(r, &all, root, "correlations", MOST_COLUMNS);

    s->correlation = take(r, n, sizeof *s->correlation);
    for (int i = 0; i < n; i++) {
        json_t *j = json_array_get(all, (size_t)i);
        struct measured_correlation *c = &s->correlation[s->correlations++];
        const char *metric;

        look_at(r, "correlations[%d].", i);
        metric = text(r, j, "metric");
        *c = (struct measured_correlation){.task = task_named(r, j),
                                        .rho = number(r, j, "spearman"),
                                        .tau = number(r, j, "kendall"),
                                        .n = (int)integer(r, j, "n", 1, MOST)};
        for (int k = 0; c->task && k < s->columns; k++)
            if (measured_task_of(s, k) == c->task &&
                !strcmp(s->column[k]->metric, metric))
                c->column = s->column[k];
        if (!c->column || !c->column->published)
            wrong(r, "metric", "that of a column held against another");
        if (isnan(c->rho) != isnan(c->tau))
            wrong(r, "kendall", "a number where spearman is one");
    }
}

static int sign(struct reading *r, json_t *j)
{
    const char *word = text(r, j, "verdict");

    if (strcmp(word, "a") && strcmp(word, "b") && strcmp(word, "undecided"))
        wrong(r, "verdict", "a, b or undecided");
    return !strcmp(word, "a") ? -1 : !strcmp(word, "b");
}

static void read_pairs(struct reading *r, json_t *root)
{
    struct measured *s = r->s;
    json_t *all;
    int n = list(r, &all, root, "comparisons", MOST_ROWS);

    s->pair = take(r, n, sizeof *s->pair);
    for (int i = 0; i < n; i++) {
        json_t *j = json_array_get(all, (size_t)i);
        struct measured_pair *p = &s->pair[s->pairs++];

        look_at(r, "comparisons[%d].", i);
        *p = (struct measured_pair){
            .task = task_named(r, j), .a = text(r, j, "a"),
            .b = text(r, j, "b"), .difference = number(r, j, "difference"),
            .verdict = {.sign = sign(r, j), .p = number(r, j, "p"),
                        .alone = NAN, .between = interval(r, j)},
            .seeds = (size_t)integer(r, j, "seeds", 0, MOST),
            .more = (size_t)integer(r, j, "more_seeds", 0, MOST)};
        const struct verdict *v = &p->verdict;
        int apart = (v->between.low > 0) - (v->between.high < 0);
        if (v->sign != apart || (v->p < STATS_LEVEL) != (apart != 0))
            wrong(r, "verdict", "what p, low and high say");
        if (isnan(p->difference))
            wrong(r, "difference", "a number");
    }
}

static void read_failures(struct reading *r, json_t *root)
{
    struct measured *s = r->s;
    json_t *all;
    int n = list(r, &all, root, "failures", MOST);

    s->failure = take(r, n, sizeof *s->failure);
    for (int i = 0; i < n; i++) {
        json_t *j = json_array_get(all, (size_t)i);

        look_at(r, "failures[%d].", i);
        s->failure[s->failures++] = (struct measured_failure){
            text(r, j, "variant"), text(r, j, "task"),
            integer(r, j, "seed", 0, UINT32_MAX), state(r, j),
            text(r, j, "message")};
    }
}

/* ---- all of it ---- */

static void read_all(struct reading *r, json_t *root)
{
    static void (*const lists[])(struct reading *, json_t *) = {
        read_builds, read_tasks, read_columns};
    static void (*const others[])(struct reading *, json_t *) = {
        read_correlations, read_pairs, read_failures};
    struct measured *s = r->s;
    struct table *t = take(r, 1, sizeof *t);

    t->name = text(r, root, "table");
    t->title = text(r, root, "title");
    t->cite = text(r, root, "cite");
    s->table = t;
    s->experiment = text(r, root, "experiment");
    s->scale = text(r, root, "scale");
    s->cells = (int)integer(r, root, "cells", 0, MOST);
    s->done = (int)integer(r, root, "done", 0, MOST);
    s->others = (int)integer(r, root, "others", 0, MOST);
    s->seeds = (int)integer(r, root, "seeds", 0, MOST);
    s->needed = (int)integer(r, root, "seeds_needed", 0, MOST);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lists[i](r, root);
        look_at(r, "%s", "");
    }
    read_rows(r, root, 0);
    read_rows(r, root, 1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        others[i](r, root);
        look_at(r, "%s", "");
    }
}

static int check_schema(const char *path, json_t *root)
{
    json_t *v = json_object_get(root, "schema_version");

    if (!json_is_integer(v))
        return err_set(ERR_STORE, "%s: is not what `synthbench table --format "
                       "json` writes: it has no schema_version", path);
    if (json_integer_value(v) != MEASURED_SCHEMA)
        return err_set(ERR_STORE, "%s: has schema_version %lld and this "
                       "program reads %d: make it again with `synthbench table "
                       "--store DIR --format json`", path,
                       (long long)json_integer_value(v), MEASURED_SCHEMA);
    return OK;
}

static int load(json_t **out, const char *path)
{
    OWNED(free) char *bytes = NULL;
    json_error_t e;
    size_t n;

    PASS(file_named(path, 0));
    PASS(file_read(&bytes, &n, path));
    *out = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &e);
    if (!*out)
        return err_set(ERR_STORE, "%s:%d: not JSON: %s", path, e.line, e.text);
    return OK;
}

int measured_read(struct measured **out, const char *path)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct measured *s = arena_zero(memory, sizeof *s);
    struct reading r = {.path = path, .s = s, .rc = OK};
    OWNED(json_decref) json_t *root = NULL;

    *out = NULL;
    s->memory = memory;
    PASS(load(&root, path));
    PASS(check_schema(path, root));
    read_all(&r, root);
    PASS(r.rc);
    origin_settle(s);
    *out = s;
    memory = NULL;
    return OK;
}
