#include "harness/report/data.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/rng.h"
#include "harness/report/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 256, MOST_ROWS = 4096, MOST = 1 << 24, DECIMALS = 9 };

/* ---- what has a few values ---- */

static enum cell_state state(struct reading *r, json_t *j)
{
    int i = names_index(cell_state_text, field_text(r, j, "status"));

    if (i >= 0)
        return (enum cell_state)i;
    field_wrong(r, "status",
                "done, failed, running, missing, refused or blocked");
    return CELL_MISSING;
}

/* Older programs, which did not write it, had one rule. */
static enum over over(struct reading *r, json_t *j,
                      const struct measured_cell *c)
{
    const char *text = !r->s->older ? field_text_or_null(r, j, "over")
                       : isnan(c->between.low) ? NULL
                       : c->n > 1              ? over_text[OVER_SEEDS]
                                               : over_text[OVER_EXAMPLES];
    int i = text ? names_index(over_text, text) : OVER_NOTHING;

    if (i < 0 || (i == OVER_NOTHING) != isnan(c->between.low))
        field_wrong(r, "over", "examples, seeds or seeds x examples, or null "
                    "if low and high are null");
    return i < 0 ? OVER_NOTHING : (enum over)i;
}

/* ---- the lists ---- */

static void read_build(struct reading *r, json_t *j, void *out)
{
    struct build *b = out;

    b->commit = field_text(r, j, "commit");
    b->dirty = json_is_null(json_object_get(j, "dirty"))
                   ? -1 : field_flag(r, j, "dirty");
    b->cells = (int)field_integer(r, j, "cells", 1, MOST);
    for (int k = 0; k < BUILD_FACTS; k++)
        b->fact[k] = field_text_or_null(r, j, build_fact[k]);
    builds_add(&r->s->builds, b, r->s->memory);
}

static void read_task(struct reading *r, json_t *j, void *out)
{
    struct measured_task *t = out;

    *t = (struct measured_task){
        .task = field_text(r, j, "task"), .title = field_text(r, j, "title"),
        .paper = field_text(r, j, "official"),
        .synthetic = field_flag(r, j, "synthetic"),
        .subset = field_flag(r, j, "subset"),
        .uncompared = field_flag_or_none(r, j, "uncompared"),
        .examples = (int)field_integer(r, j, "examples", 0, MOST),
        .source = field_text_or_null(r, j, "data")};
    t->label = measured_label(r->s, t);
    r->s->synthetic += t->synthetic;
}

static struct measured_task *task_named(struct reading *r, json_t *j)
{
    struct measured_task *t = measured_find(r->s, field_text(r, j, "task"));

    if (!t)
        field_wrong(r, "task", "a task of 'tasks'");
    return t;
}

/* Earlier versions wrote "still learning" for "not converged". */
static const char *renamed(const char *word)
{
    return strcmp(word, "still learning") ? word
                                          : withheld_text[WITHHELD_LEARNING];
}

static enum withheld withheld(struct reading *r, json_t *j)
{
    int said = json_object_get(j, "withheld") != NULL, i = -1;
    const char *why = said ? field_text_or_null(r, j, "withheld") : NULL;

    r->unsaid |= !said;
    if (!said && !r->s->older && field_flag(r, j, "uninformative"))
        return WITHHELD_UNINFORMATIVE;
    if (!why)
        return WITHHELD_NOT;
    i = names_index(withheld_text, renamed(why));
    if (i <= WITHHELD_NOT)
        field_wrong(r, "withheld", "a reason or null");
    return i < 0 ? WITHHELD_NOT : (enum withheld)i;
}

static void read_column(struct reading *r, json_t *j, void *out)
{
    struct table_column *column = out;

    task_named(r, j);
    r->s->withheld[r->columns++] = withheld(r, j);
    *column = (struct table_column){
        .task = field_text(r, j, "task"), .metric = field_text(r, j, "metric"),
        .title = field_text(r, j, "heading"), .what = field_text(r, j, "title"),
        .unit = field_text(r, j, "unit"),
        .better = (int)field_integer(r, j, "better", -1, 1),
        .decimals = (int)field_integer(r, j, "decimals", 0, DECIMALS),
        .published = field_text_or_null(r, j, "published")};
}

/* The values of n seeds; NULL: an earlier version did not write them. */
static double *read_values(struct reading *r, json_t *j, int n)
{
    json_t *all = json_object_get(j, "by_seed"), *value;
    double *out = field_take(r, n, sizeof *out);
    size_t i;

    if (!all)
        return NULL;
    if (!json_is_array(all) || json_array_size(all) != (size_t)n) {
        field_wrong(r, "by_seed", "a list of as many numbers as n");
        return NULL;
    }
    json_array_foreach(all, i, value) {
        if (!json_is_number(value))
            field_wrong(r, "by_seed", "a list of numbers");
        out[i] = json_number_value(value);
    }
    return out;
}

static void read_cell(struct reading *r, json_t *j, void *out)
{
    struct measured_cell *c = out;

    *c = (struct measured_cell){
        .state = state(r, j),
        .value = field_number(r, j, "value"),
        .between = field_interval(r, j),
        .n = (int)field_integer(r, j, "n", 0, MOST),
        .published = field_number(r, j, "published"),
        .source = field_text_or_null(r, j, "source"),
        .dispute = field_text_or_null(r, j, "dispute"),
        .rank = field_number(r, j, "rank"),
        .rank_published = field_number(r, j, "rank_published"),
        .how = field_text_or_null(r, j, "metric_signature"),
        .signature = field_text(r, j, "signature"),
        .best = field_flag(r, j, "best"),
        .worse_than_blind = (int)field_integer(r, j, "worse_than_blind", 0,
                                               MOST),
        .commit = field_text_or_null(r, j, "commit"),
        .chosen = json_object_get(j, "chosen") ? field_text(r, j, "chosen")
                                               : NULL,
        .settled = field_number_or_none(r, j, "settled"),
        .settled_error = field_number_or_none(r, j, "settled_error"),
        .unsettled = field_flag_or_none(r, j, "unsettled")};
    c->by_seed = read_values(r, j, c->n);
    c->over = over(r, j, c);
    c->asked = json_object_get(j, "asked") /* older programs did not write it */
                   ? (int)field_integer(r, j, "asked", c->n, MOST) : c->n;
}

static void read_row(struct reading *r, json_t *j, void *out)
{
    struct measured_row *row = out;
    json_t *all = json_object_get(j, "cells");
    int cells;

    row->reference = r->references;
    row->variant = field_text(r, j, r->references ? "name" : "variant");
    if (r->references)
        row->what = field_text(r, j, "description");
    row->title = field_text(r, j, "title");
    row->signature = field_text(r, j, "signature");
    if (json_object_get(j, "published_variant"))
        row->published = field_text(r, j, "published_variant");
    if (json_is_array(all) && json_array_size(all) != (size_t)r->s->columns)
        field_wrong(r, "cells", "one per column");
    row->cell = field_each(r, j, "cells", MOST_COLUMNS, &cells,
                           sizeof *row->cell, read_cell);
}

/* Those of variants, and the references behind them. */
static void read_rows(struct reading *r, json_t *root)
{
    struct measured *s = r->s;
    int variants, references;
    struct measured_row *v = field_each(r, root, "rows", MOST_ROWS, &variants,
                                        sizeof *v, read_row), *f;

    r->references = 1;
    f = field_each(r, root, "baselines", MOST_ROWS, &references, sizeof *f,
                   read_row);
    s->rows = variants + references;
    s->row = calloc((size_t)s->rows + 1, sizeof *s->row);
    memcpy(s->row, v, (size_t)variants * sizeof *v);
    memcpy(s->row + variants, f, (size_t)references * sizeof *f);
}

/* Of an older program, r alone. */
static struct order order(struct reading *r, json_t *j, const char *name)
{
    struct order o = {field_number(r, j, name), NAN, {NAN, NAN}};
    char key[32];

    if (r->s->older)
        return o;
    snprintf(key, sizeof key, "%s_p", name);
    o.p = field_number(r, j, key);
    if (isnan(o.r) != isnan(o.p))
        field_wrong(r, key, "a number if and only if there is a correlation");
    snprintf(key, sizeof key, "%s_low", name);
    o.between.low = field_number(r, j, key);
    snprintf(key, sizeof key, "%s_high", name);
    o.between.high = field_number(r, j, key);
    if (isnan(o.between.low) ? !isnan(o.between.high)
                             : !(o.between.low <= o.r && o.r <= o.between.high))
        field_wrong(r, key, "an interval that contains the correlation");
    return o;
}

static void read_correlation(struct reading *r, json_t *j, void *out)
{
    const struct measured *s = r->s;
    const char *metric = field_text(r, j, "metric");
    struct measured_correlation *c = out;

    *c = (struct measured_correlation){
        .task = task_named(r, j), .rho = order(r, j, "spearman"),
        .tau = order(r, j, "kendall"),
        .n = (int)field_integer(r, j, "n", 1, MOST)};
    for (int k = 0; c->task && k < s->columns; k++)
        if (measured_task_of(s, k) == c->task &&
            !strcmp(s->column[k]->metric, metric))
            c->column = s->column[k];
    if (!c->column || !c->column->published)
        field_wrong(r, "metric", "that of a column compared with another");
    if (isnan(c->rho.r) != isnan(c->tau.r))
        field_wrong(r, "kendall", "a number if and only if spearman is one");
}

/* Into p, whose interval is read: of one that is withheld it says the sign. */
static void read_verdict(struct reading *r, json_t *j, struct measured_pair *p)
{
    const char *word = renamed(field_text(r, j, "verdict"));
    struct verdict *v = &p->verdict;
    int apart = (v->between.low > 0) - (v->between.high < 0);

    p->unsettled = !strcmp(word, withheld_text[WITHHELD_LEARNING]);
    if (strcmp(word, "a") && strcmp(word, "b") && strcmp(word, "undecided") &&
        !p->unsettled)
        field_wrong(r, "verdict", "a, b, undecided or not converged");
    v->sign = p->unsettled         ? apart
              : !strcmp(word, "a") ? p->better
              : !strcmp(word, "b") ? -p->better
                                   : 0;
    if (v->sign != apart || (v->p < STATS_LEVEL) != (apart != 0) ||
        (p->unsettled && !apart))
        field_wrong(r, "verdict", "one that agrees with p, low and high");
}

static void read_by_seed(struct reading *r, json_t *j, void *out)
{
    *(struct measured_by_seed *)out = (struct measured_by_seed){
        field_integer(r, j, "seed", 0, RNG_SEED_MAX), field_number(r, j, "a"),
        field_number(r, j, "b")};
}

/* Earlier versions compared cross-entropies only, and had no seeds. */
static void read_pair(struct reading *r, json_t *j, void *out)
{
    struct measured_pair *p = out;
    double better = field_number_or_none(r, j, "better");

    *p = (struct measured_pair){
        .task = task_named(r, j), .a = field_text(r, j, "a"),
        .b = field_text(r, j, "b"), .metric = field_text(r, j, "metric"),
        .unit = field_text(r, j, "unit"), .better = better > 0 ? 1 : -1,
        .difference = field_number(r, j, "difference"),
        .verdict = {.p = field_number(r, j, "p"), .alone = NAN,
                    .between = field_interval(r, j)},
        .seeds = (size_t)field_integer(r, j, "seeds", 0, MOST),
        .examples = (size_t)field_integer(r, j, "examples", 0, MOST),
        .more = (size_t)field_integer(r, j, "more_seeds", 0, MOST)};
    read_verdict(r, j, p);
    if (isnan(p->difference))
        field_wrong(r, "difference", "a number");
    if (json_object_get(j, "by_seed"))
        p->by_seed = field_each(r, j, "by_seed", MOST_ROWS, &p->by_seeds,
                                sizeof *p->by_seed, read_by_seed);
}

static void read_failure(struct reading *r, json_t *j, void *out)
{
    *(struct measured_failure *)out = (struct measured_failure){
        field_text(r, j, "variant"), field_text(r, j, "task"),
        field_integer(r, j, "seed", 0, RNG_SEED_MAX), state(r, j),
        field_text(r, j, "message"),
        json_object_get(j, "class") ? field_text(r, j, "class") : ""};
}

/* ---- all of it ---- */

/* Of an older program: by the rule of today, as far as its numbers go. */
static void withhold(struct reading *r)
{
    struct measured *s = r->s;

    for (int c = 0; c < s->columns && r->unsaid; c++)
        if (s->column[c]->better && !s->withheld[c] && withheld_seeds(s, c))
            s->withheld[c] = WITHHELD_ONE_SEED;
    withheld_clear(s);
}

/* None: nothing is guessed. */
static const char **read_guessed(struct reading *r, json_t *root)
{
    json_t *all = json_object_get(root, "guessed"), *j;
    const char **guess = field_take(r, (int)json_array_size(all),
                                    sizeof *guess);
    size_t i;

    if (all && !json_is_array(all))
        field_wrong(r, "guessed", "a list of strings");
    json_array_foreach(all, i, j) {
        if (!json_is_string(j))
            field_wrong(r, "guessed", "a list of strings");
        guess[i] = arena_text(r->s->memory,
                              json_is_string(j) ? json_string_value(j) : "");
    }
    return guess;
}

/* Earlier versions wrote published values for numbers of synthetic data. */
static void drop_published(struct measured *s)
{
    int n = 0;

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            struct measured_cell *x = &s->row[i].cell[c];

            if (!measured_task_of(s, c)->synthetic)
                continue;
            x->published = x->rank_published = NAN;
            x->source = x->dispute = NULL;
        }
    for (int i = 0; i < s->correlations; i++)
        if (!s->correlation[i].task->synthetic)
            s->correlation[n++] = s->correlation[i];
    s->correlations = n;
}

static void read_all(struct reading *r, json_t *root)
{
    struct measured *s = r->s;
    struct table *t = field_take(r, 1, sizeof *t);
    struct table_column *column;
    int builds;

    s->older = !json_object_get(root, "level");
    t->name = field_text(r, root, "table");
    t->title = field_text(r, root, "title");
    t->cite = field_text(r, root, "cite");
    t->note = json_object_get(root, "note") ? field_text(r, root, "note")
                                            : NULL;
    t->notice = json_object_get(root, "notice") ? field_text(r, root, "notice")
                                                : NULL;
    s->table = t;
    s->experiment = field_text(r, root, "experiment");
    s->scale = field_text(r, root, "scale");
    s->cells = (int)field_integer(r, root, "cells", 0, MOST);
    s->done = (int)field_integer(r, root, "done", 0, MOST);
    s->others = (int)field_integer(r, root, "others", 0, MOST);
    s->seeds = (int)field_integer(r, root, "seeds", 0, MOST);
    s->needed = (int)field_integer(r, root, "seeds_needed", 0, MOST);
    s->judged = json_object_get(root, "contrasts")
                    ? (int)field_integer(r, root, "contrasts", 1, MOST)
                    : 0;
    s->guessed = read_guessed(r, root);
    s->own = json_object_get(root, "own") ? field_text(r, root, "own") : NULL;
    s->file = json_object_get(root, "file") ? field_text(r, root, "file")
                                            : NULL;
    field_each(r, root, "builds", MOST_ROWS, &builds, sizeof(struct build),
               read_build);
    s->task = field_each(r, root, "tasks", MOST_COLUMNS, &s->tasks,
                         sizeof *s->task, read_task);
    s->withheld = field_take(r, MOST_COLUMNS, sizeof *s->withheld);
    column = field_each(r, root, "columns", MOST_COLUMNS, &s->columns,
                        sizeof *column, read_column);
    s->column = field_take(r, s->columns, sizeof *s->column);
    for (int i = 0; i < s->columns; i++)
        s->column[i] = &column[i];
    read_rows(r, root);
    s->correlation = field_each(r, root, "correlations", MOST_COLUMNS,
                                &s->correlations, sizeof *s->correlation,
                                read_correlation);
    if (r->rc == OK)
        withhold(r);
    s->pair = field_each(r, root, "comparisons", MOST_ROWS, &s->pairs,
                         sizeof *s->pair, read_pair);
    s->failure = field_each(r, root, "failures", MOST, &s->failures,
                            sizeof *s->failure, read_failure);
}

static int check_schema(const char *path, json_t *root)
{
    json_t *v = json_object_get(root, "schema_version");

    if (!json_is_integer(v))
        return err_set(ERR_STORE, "%s: not written by `synthbench table "
                       "--format json`: it has no schema_version", path);
    if (json_integer_value(v) != MEASURED_SCHEMA)
        return err_set(ERR_STORE, "%s: has schema_version %lld, but this "
                       "program reads %d: write it again with `synthbench "
                       "table --store DIR --format json`", path,
                       (long long)json_integer_value(v), MEASURED_SCHEMA);
    return OK;
}

int measured_read(struct measured **out, const char *path)
{
    struct arena *memory = arena_new();
    OWNED(measured_close) struct measured *s = arena_zero(memory, sizeof *s);
    struct reading r = {.path = path, .s = s, .rc = OK};
    OWNED(json_decref) json_t *root = NULL;

    *out = NULL;
    s->memory = memory;
    PASS(json_read(&root, path));
    PASS(check_schema(path, root));
    read_all(&r, root);
    PASS(r.rc);
    drop_published(s);
    PASS(sign_alike(s, path));
    origin_settle(s);
    again_fill(s);
    return HAND_ON(out, s);
}
