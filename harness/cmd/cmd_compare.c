/*
 * compare: compares two cells, variants or stores, A and B.  Every difference
 * is B minus A.  The rows, in all formats, are `MEASURES` below.  JSON of two
 * stores:
 *
 *     {"schema_version": 1, "a", "b", "same": number of bit-identical rows,
 *      "differ": number of other rows, "rows": [...],
 *      "only_a": ["ROW/TASK/SCALE/SEED"], "only_b": [...],
 *      "unlike": [{"row", "task", "scale", "why"}], rows that cannot be
 *      compared}
 *
 * A row of two stores is a variant, alone or with varied settings
 * (random,steps=700), on a task at a scale; its cells are paired by seed.
 */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/compare_digests.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/report/difference.h"
#include "harness/store/cell.h"
#include "harness/tasks/task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given {
    const char *store, *format, *output;
    int         digests;
};

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {"--digests", 0, NULL, opt_flag, OPT_AT(digests),
     .doc = "Compare two stores bit by bit, cell by cell"},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

/* ---- rows ---- */

/* A metric of A and B. */
struct line {
    struct compare_row is;
    const char        *better;  /* "higher" or "lower"         */
    const char        *verdict; /* about B: of compare_verdict */
    const char        *scope;   /* " (this seed only)", or ""  */
    /* The members below are set only if two stores are compared: the row, and
     * its changed settings. */
    const char        *task, *scale, *name, *changed;
    int                pairs, synthetic;
};

static const char *interval(const void *row, struct arena *a)
{
    const struct verdict *v = &((const struct line *)row)->is.verdict;

    if (isnan(v->between.low))
        return isnan(v->p) ? "unknown" : "too few seeds";
    return arena_format(a, "%+.4g to %+.4g", v->between.low, v->between.high);
}

static const char *p_value(const void *row, struct arena *a)
{
    double p = ((const struct line *)row)->is.verdict.p;
    char text[24];

    return isnan(p) ? "unknown" : arena_text(a, verdict_p(p, text));
}

static int is_decided(const struct line *l)
{
    return !strcmp(l->verdict, "better") || !strcmp(l->verdict, "worse");
}

/* Returns "B is better, tested as ce", "undecided, needs 2 more seeds in
 * common" or, if there is no test, "none". */
static const char *verdict(const void *row, struct arena *a)
{
    const struct line *l = row;
    const struct compare_row *r = &l->is;
    const char *text = l->verdict;

    if (isnan(r->verdict.p))
        text = "none";
    else if (r->more)
        text = arena_format(a, "undecided, needs %zu more seed%s %s", r->more,
                            r->more == 1 ? "" : "s",
                            r->paired ? "in common" : "of each");
    else if (is_decided(l))
        text = arena_format(a, "B is %s%s", l->verdict, l->scope);
    return arena_format(a, "%s%s%s", text, r->as ? ", tested as " : "",
                        r->as ? r->as : "");
}

#define OF(member) COLUMN(struct line, is.member)
#define MEASURES                                                              \
    {"metric", "metric", OF(metric)},                                         \
    {"better", "better if", COLUMN(struct line, better)},                     \
    {"a", "A", OF(a), "%.5g"},                                                \
    {"b", "B", OF(b), "%.5g"},                                                \
    {"difference", "B - A", OF(difference), "%+.4g", "unknown"},              \
    {NULL, "interval", COLUMN_SHOWN, .show = interval},                       \
    {"low", NULL, OF(verdict.between.low)},                                   \
    {"high", NULL, OF(verdict.between.high)},                                 \
    {"p", "p", OF(verdict.p), .show = p_value},                               \
    {"p_unadjusted", NULL, OF(verdict.alone)},                                \
    {"sd_a", NULL, OF(seeds.sd_a)},                                           \
    {"sd_b", NULL, OF(seeds.sd_b)},                                           \
    {"interquartile_mean_a", NULL, OF(seeds.iqm_a)},                          \
    {"interquartile_mean_b", NULL, OF(seeds.iqm_b)},                          \
    {"a12", NULL, OF(seeds.a12)},                                             \
    {"hedges_g", NULL, OF(seeds.hedges_g)},                                   \
    {"cliff_delta", NULL, OF(seeds.cliff_delta)},                             \
    {"verdict", "verdict", COLUMN(struct line, verdict),                      \
     .show = verdict},                                                        \
    {"as", NULL, OF(as)},                                                     \
    {"test", NULL, OF(test)},                                                 \
    {"least_p", NULL, OF(floor)},                                             \
    {"more_seeds", NULL, OF(more)}

static const struct column cell_columns[] = {MEASURES, {.type = COLUMN_END}};

static const struct column store_columns[] = {
    {"task", "task", COLUMN(struct line, task)},
    {"scale", NULL, COLUMN(struct line, scale)},
    {"row", "row", COLUMN(struct line, name)},
    {"seeds", "seeds", COLUMN(struct line, pairs)},
    MEASURES,
    {"changed", NULL, COLUMN(struct line, changed)},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct line, synthetic)},
    {.type = COLUMN_END}};

/* Returns a line for each row of `c`, allocated from `a`. */
static struct line *lines_of(const struct comparison *c, const char *scope,
                             struct arena *a)
{
    struct line *all = arena_zero(a, ((size_t)c->rows + 1) * sizeof *all);

    for (int i = 0; i < c->rows; i++)
        all[i] = (struct line){
            .is = c->row[i], .scope = scope,
            .better = c->row[i].better > 0 ? "higher" : "lower",
            .verdict = compare_verdict(c, &c->row[i])};
    return all;
}

/* Returns "; worse in bleu, accuracy" for the lines with this verdict, except
 * `l` and those that share the verdict of another metric; or "". */
static const char *others(const struct line *line, int n, const struct line *l,
                          const char *verdict, struct arena *a)
{
    const char *all = "";

    for (int i = 0; i < n; i++)
        if (&line[i] != l && !line[i].is.as && l->is.as != line[i].is.metric &&
            !strcmp(line[i].verdict, verdict))
            all = arena_format(a, "%s%s%s", all, *all ? ", " : "",
                               line[i].is.metric);
    return *all ? arena_format(a, "; %s in %s", verdict, all) : "";
}

/* Adds "B is better by 0.031 in ce; B - A: -0.052 to -0.010; worse in bleu" for
 * the first metric that is decided or, if none is, a line such as "ce:
 * undecided; B - A: ..." for the first metric. */
static void put_headline(struct sheet *s, const struct line *line, int n)
{
    struct arena *a = s->memory;
    const struct line *l = line;

    for (int i = n - 1; i >= 0; i--)
        if (is_decided(&line[i]))
            l = &line[i];
    const char *between = interval(l, a);
    if (is_decided(l))
        sheet_put(s, PART_LINE, "B is %s by %.4g in %s%s; B - A: %s%s%s%s",
                  l->verdict, fabs(l->is.difference), l->is.metric, l->scope,
                  between, others(line, n, l, "better", a),
                  others(line, n, l, "worse", a),
                  others(line, n, l, "undecided", a));
    else
        sheet_put(s, PART_LINE, "%s: %s; B - A: %+.4g (%s)%s", l->is.metric,
                  verdict(l, a), l->is.difference, between,
                  others(line, n, l, "undecided", a));
}

/* Adds the names of both sides, also as JSON facts, and a warning if examples
 * are synthetic. */
static void put_sides(struct sheet *s, const char *a, const char *b,
                      int synthetic)
{
    sheet_put(s, PART_LINE, "A  %s", a);
    sheet_put(s, PART_LINE, "B  %s", b);
    if (synthetic)
        sheet_put(s, PART_WARNING, "%s", report_synthetic);
    sheet_fact(s, "a", json_string(a));
    sheet_fact(s, "b", json_string(b));
}

/* ---- two cells or variants: the sides ---- */

struct side {
    struct plan        *plan;
    const struct task  *task;
    int                 synthetic; /* 1: a cell has synthetic examples */
    struct compare_side of;
};

static void side_close(struct side *s) { plan_close(s->plan); }
OWNER_OF_VALUE(side_close, struct side)

static int open_side(struct side *s, const char *arg, const char *store)
{
    const char **id;
    long long *seed;

    PASS(target_find(&s->plan, arg, store));
    PASS(plan_look_selected(s->plan));
    struct plan *p = s->plan;
    id = arena_take(p->memory, ((size_t)p->n + 1) * sizeof *id);
    seed = arena_take(p->memory, ((size_t)p->n + 1) * sizeof *seed);
    s->of = (struct compare_side){.store = p->store, .name = arg, .id = id,
                                  .seed = seed, .by_seed = target_group(arg)};
    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!c->selected)
            continue;
        s->task = c->task;
        s->synthetic |= c->config.synthetic;
        if (c->damage)
            return err_set(ERR_STORE, "%s", c->damage);
        if (plan_is_trial(c))
            return err_set(ERR_EMPTY, "%s: a trial has no metrics because "
                                      "it does not use the test set", arg);
        if (c->status.state != CELL_DONE) {
            say("cell %s is %s and is left out", c->id, plan_status(c));
            continue;
        }
        id[s->of.cells] = c->id;
        seed[s->of.cells++] = (long long)c->config.seed;
    }
    if (!s->of.cells)
        return err_set(ERR_EMPTY, "%s: no finished cell; `synthbench run` "
                                  "trains it", arg);
    return OK;
}

/* Returns 1 if both sides are the same cells of the same store.  Equal ids in
 * two stores are separate runs of a cell. */
static int are_same(const struct compare_side *a, const struct compare_side *b)
{
    OWNED(free) char *one = realpath(a->store, NULL);
    OWNED(free) char *other = realpath(b->store, NULL);
    int same = one && other && !strcmp(one, other) && a->cells == b->cells;

    for (int i = 0; same && i < a->cells; i++)
        same = !strcmp(a->id[i], b->id[i]);
    return same;
}

static int check_sides(const struct side *a, const struct side *b)
{
    if (a->of.by_seed != b->of.by_seed)
        return err_set(ERR_USAGE, "%s is one cell and %s is all seeds of a "
                                  "variant: specify two cells or two "
                                  "variants",
                       a->of.by_seed ? b->of.name : a->of.name,
                       a->of.by_seed ? a->of.name : b->of.name);
    if (a->task != b->task)
        return err_set(ERR_USAGE, "%s is of task %s and %s of task %s: cells "
                       "of different tasks cannot be compared", a->of.name,
                       a->task->name, b->of.name, b->task->name);
    if (are_same(&a->of, &b->of))
        return err_set(ERR_USAGE, "%s and %s are the same cell%s: specify "
                                  "two different ones", a->of.name, b->of.name,
                       a->of.cells == 1 ? "" : "s");
    return OK;
}

/* ---- two cells or variants: the comparison ---- */

/* Lists those metrics of the side's first cell that are not metrics of the
 * task.  They are metrics of parts of the task (GLUE's subtasks). */
static int list_parts(const char ***out, const struct side *s)
{
    struct arena *a = s->plan->memory;
    OWNED(cell_close) struct cell_reader *cell = NULL;
    const char **name;
    size_t n, parts = 0;

    PASS(cell_open(&cell, s->of.store, s->of.id[0]));
    PASS(cell_get_names(cell, "metrics", &name, &n));
    *out = arena_zero(a, (n + 1) * sizeof **out);
    for (size_t i = 0; i < n; i++)
        if (names_index(s->task->metrics, name[i]) < 0)
            (*out)[parts++] = arena_text(a, name[i]);
    return OK;
}

/* ---- output ---- */

/* Adds the rows of a comparison, and the tests by which they were compared, to
 * the sheet and its JSON object. */
static void put_family(struct sheet *s, const struct comparison *c,
                       const char *scope)
{
    struct line *line = lines_of(c, scope, s->memory);

    sheet_fact(s, "tests", json_integer(c->tests));
    sheet_fact(s, "interval_level", json_real(c->level));
    sheet_fact(s, "settled_a", json_real(learning_gained(&c->a)));
    sheet_fact(s, "settled_b", json_real(learning_gained(&c->b)));
    sheet_fact(s, "unsettled", json_boolean(c->unsettled));
    sheet_relation(s, &(struct relation){"rows", cell_columns, line,
                                         sizeof *line, c->rows});
    if (c->tests > 1)
        sheet_put(s, PART_PARAGRAPH, "Bonferroni correction for %d tests: p "
                                     "is multiplied by %d and the intervals "
                                     "are %.4g %% CIs (95 %% jointly)",
                                     c->tests, c->tests, 100 * c->level);
    for (int i = 0, next; i < c->rows; i = next) { /* one item per test */
        const struct compare_row *r = &c->row[i];
        const char *all = r->metric, *least = "";

        for (next = i + 1; next < c->rows &&
                           !strcmp(c->row[next].test, r->test); next++)
            all = arena_format(s->memory, "%s, %s", all, c->row[next].metric);
        if (r->more && r->floor < 1)
            least = arena_format(s->memory, "; p cannot go below %.3g",
                                 r->floor);
        sheet_put(s, PART_ITEM, "%s: %s%s", all, r->test, least);
    }
}

/* Returns the gain in the last tenth of training as text. */
static const char *gained(const struct learning *l, struct arena *a)
{
    double x = learning_gained(l);

    return isnan(x) ? "an unknown amount (taken as 0)"
                    : arena_format(a, "%.4f nats", x);
}

static void put_learning(struct sheet *s, const struct comparison *c)
{
    if (c->unsettled)
        sheet_put(s, PART_ITEM, "not converged: in the last tenth of training "
                  "A gained %s, B %s: the gains differ by %.2g nats, the "
                  "cross-entropies only by %.2g, so there is no verdict",
                  gained(&c->a, s->memory), gained(&c->b, s->memory),
                  learning_drift(&c->a, &c->b), learning_gap(&c->a, &c->b));
}

static int compare_cells(struct sheet *s, const char *store, const char *arg_a,
                         const char *arg_b)
{
    OWNED(side_close) struct side a = {.plan = NULL}, b = {.plan = NULL};
    OWNED(compare_close) struct comparison *whole = NULL, *parts = NULL;
    const char **part, *task;

    PASS(open_side(&a, arg_a, store));
    PASS(open_side(&b, arg_b, store));
    PASS(check_sides(&a, &b));
    task = a.task->name;
    /* Single cells do not show the variance between seeds, so they are compared
     * over the test examples. */
    if (a.of.cells == 1 && b.of.cells == 1)
        a.of.by_seed = b.of.by_seed = 0;
    PASS(compare(&whole, &a.of, &b.of, a.task->metrics, metric_all, 1));
    PASS(list_parts(&part, &a));
    if (*part)
        PASS(compare(&parts, &a.of, &b.of, part, metric_all, 1));
    const char *scope = a.of.by_seed                 ? ""
                        : a.of.seed[0] == b.of.seed[0] ? " (this seed only)"
                                                       : " (these seeds only)";
    int uncompared = plan_uncompared(a.plan, task) ||
                     plan_uncompared(b.plan, task);
    int synthetic = a.synthetic || b.synthetic;
    put_headline(s, lines_of(whole, scope, s->memory), whole->rows);
    put_sides(s, arg_a, arg_b, synthetic);
    sheet_fact(s, "uncompared", json_boolean(uncompared));
    sheet_fact(s, "synthetic", json_boolean(synthetic));
    if (uncompared)
        sheet_put(s, PART_ITEM, "the experiment trains task %s without "
                                "comparing variants: no table ranks it", task);
    put_family(s, whole, scope);
    put_learning(s, whole);
    if (!parts)
        return OK;
    json_t *object = s->object;
    sheet_put(s, PART_HEADING, "Subtasks, a family of tests of their own");
    s->object = NULL; /* so that put_family makes a separate object */
    put_family(s, parts, scope);
    json_object_set_new(object, "subtasks", s->object);
    s->object = object;
    return OK;
}

/* ---- two stores ---- */

enum { A = DIFFERENCE_A, B = DIFFERENCE_B,
       SHOWN = 20 /* listed cells per side */ };

static const char *name_of(const struct report_cell *c, struct arena *a)
{
    return cell_name(a, c->variant, c->task, c->scale, c->seed);
}

/* Returns the list of "ROW/TASK/SCALE/SEED" for the finished cells of `mine`
 * that `other` does not have. */
static json_t *alone(const struct report *mine, const struct report *other,
                     struct arena *a)
{
    OWNED(map_free) struct map *there = map_new();
    json_t *list = json_array();

    for (int i = 0; i < other->n; i++)
        if (other->cell[i].state == CELL_DONE)
            map_add(there, name_of(&other->cell[i], a), i);
    for (int i = 0; i < mine->n; i++) {
        const char *name = name_of(&mine->cell[i], a);

        if (mine->cell[i].state == CELL_DONE && map_get(there, name, -1) < 0)
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
static struct line *all_lines(const struct difference *d, int *n,
                              struct arena *a)
{
    struct line *all;

    *n = 0;
    for (int i = 0; i < d->rows; i++)
        *n += d->row[i].by ? d->row[i].by->rows : 0;
    all = arena_take(a, ((size_t)*n + 1) * sizeof *all);
    *n = 0;
    for (int i = 0; i < d->rows; i++) {
        const struct difference_row *r = &d->row[i];

        if (!r->by)
            continue;
        struct line *own = lines_of(r->by, r->pairs < 2 ? " (this seed only)"
                                                        : "", a);
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

#define IS COLUMN_VIA(struct difference_row, is)
static const struct column unlike_columns[] = {
    {"row", NULL, IS, COLUMN(struct report_cell, variant)},
    {"task", NULL, IS, COLUMN(struct report_cell, task)},
    {"scale", NULL, IS, COLUMN(struct report_cell, scale)},
    {"why", NULL, COLUMN(struct difference_row, unlike)},
    {.type = COLUMN_END}};

/* Adds the rows that cannot be compared to the JSON object. */
static void put_unlike(struct sheet *s, const struct difference *d)
{
    const struct difference_row **all = arena_take(
        s->memory, ((size_t)d->rows + 1) * sizeof *all);
    int n = 0;

    for (int i = 0; i < d->rows; i++)
        if (d->row[i].unlike)
            all[n++] = &d->row[i];
    sheet_relation(s, &(struct relation){"unlike", unlike_columns, all, 0, n});
}

/* Adds all parts of the comparison.  Returns 1 if anything differs. */
static int put_stores(struct sheet *s, const struct difference *d)
{
    json_t *only_a = alone(d->side[A], d->side[B], s->memory);
    json_t *only_b = alone(d->side[B], d->side[A], s->memory);
    size_t lone_a = json_array_size(only_a), lone_b = json_array_size(only_b);
    int n, synthetic = 0, better = 0, worse = 0;
    struct line *line = all_lines(d, &n, s->memory);

    for (int i = 0; i < n; i++) {
        synthetic |= line[i].synthetic;
        better += !strcmp(line[i].verdict, "better");
        worse += !strcmp(line[i].verdict, "worse");
    }
    if (n)
        sheet_put(s, PART_LINE, "B is better in %d and worse in %d of %d "
                                "values", better, worse, n);
    sheet_put(s, PART_LINE, "%d variant/task rows in both: %d bit-identical in "
                            "all common seeds, %d differ",
              d->rows, d->rows - d->differ, d->differ);
    sheet_put(s, PART_LINE, "%zu cells only in A, %zu only in B", lone_a,
              lone_b);
    put_sides(s, d->side[A]->store, d->side[B]->store, synthetic);
    sheet_put(s, PART_GAP, "%s", "");
    sheet_fact(s, "same", json_integer(d->rows - d->differ));
    sheet_fact(s, "differ", json_integer(d->differ));
    sheet_relation(s, &(struct relation){"rows", store_columns, line,
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

/* Compares the stores in folders `a` and `b`.  Returns OK if they are
 * bit-identical, 1 if they differ, the exit code of report_damage if a cell is
 * damaged, or an error. */
static int compare_stores(struct sheet *s, const char *a, const char *b)
{
    OWNED(report_close) struct report *one = NULL, *other = NULL;
    OWNED(difference_close) struct difference *d = NULL;

    PASS(report_open(&one, a));
    int damage = report_damage(one); /* exit code */
    PASS(report_open(&other, b));
    int rc = report_damage(other);
    PASS(difference_open(&d, one, other, task_metrics, metric_all));
    int differs = put_stores(s, d);
    return rc ? rc : damage ? damage : differs;
}

static int run_compare(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *a = args->of[0], *b = args->of[1];
    OWNED(sheet_close) struct sheet *s = sheet_new();
    int stores = !g->store && !strchr(a, '#') && !strchr(b, '#') &&
                 (file_is_folder(a) || file_is_folder(b));

    int code = g->digests ? compare_digests(s, a, b)
               : stores   ? compare_stores(s, a, b)
                          : compare_cells(s, g->store, a, b);
    PASS(code);
    PASS(sheet_print(s, g->format, g->output));
    return code;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "Compare two cells, variants or stores",
    .args = "STORE#CELL STORE#CELL\nSTORE STORE\n--digests STORE STORE",
    .doc = "Says whether B, the second, is better than A; every difference is "
           "B minus A. CELL is six or more digits of a cell id, or "
           "variant/task/seed. Two cells are compared over their test "
           "examples. variant/task means all seeds. Two variants are compared "
           "over the seeds that both have, and also over the test examples if "
           "the metric has a value for each. With --store, STORE# can be "
           "omitted. Two stores are compared by the same rules, row by row (a "
           "variant on a task); --digests compares all their cells bit by bit. "
           "Exit code 1 if two stores differ.",
    .formats = format_names,
    COMMAND_RUNS(run_compare, 2, 2)};
