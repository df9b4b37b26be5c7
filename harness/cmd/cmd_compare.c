/* compare: compares two cells, variants or stores. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/compare_lines.h"
#include "harness/cmd/compare_stores.h"
#include "harness/cmd/digests.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/report/report.h"
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
    {.group = opts_format, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

/* ---- the two sides ---- */

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

    PASS(target_open(&s->plan, arg, store));
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

/* If each side has a single seed, chooses the test over examples, because one
 * seed shows no variance between seeds. */
static void choose_test(struct compare_side *a, struct compare_side *b)
{
    if (a->cells == 1 && b->cells == 1)
        a->by_seed = b->by_seed = 0;
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

/* ---- comparison ---- */

/* `whole` compares the metrics of the task.  If some of these are means of
 * other metrics (GLUE's subtasks), `parts` compares the latter, as a family of
 * tests of their own; else `parts` is NULL. */
struct families { struct comparison *whole, *parts; };

static void families_close(struct families *f)
{
    compare_close(f->whole);
    compare_close(f->parts);
}
OWNER_OF_VALUE(families_close, struct families)

/* Lists the metrics of the side's first cell that are not metrics of the
 * task. */
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

static int compare_families(struct families *f, const struct side *a,
                            const struct side *b)
{
    const char **parts;

    PASS(compare(&f->whole, &a->of, &b->of, a->task->metrics, metric_all,
                 1));
    PASS(list_parts(&parts, a));
    if (*parts)
        PASS(compare(&f->parts, &a->of, &b->of, parts, metric_all, 1));
    return OK;
}

/* ---- output ---- */

static const char *gained(char out[24], const struct learning *l)
{
    double x = learning_gained(l);

    if (isnan(x))
        snprintf(out, 24, "an unknown number of");
    else
        snprintf(out, 24, "%.4f", x);
    return out;
}

/* Adds one item for the first row and the rows after it that have the same
 * test.  Returns the number of these rows. */
static int put_test(struct sheet *s, const struct compare_row *r, int rows)
{
    const char *all = r->metric, *least = "";
    int n = 1;

    for (; n < rows && !strcmp(r[n].test, r->test); n++)
        all = arena_format(s->memory, "%s, %s", all, r[n].metric);
    if (r->more && r->floor < 1)
        least = arena_format(s->memory, "; p cannot go below %.3g", r->floor);
    sheet_put(s, PART_ITEM, "%s: %s%s", all, r->test, least);
    return n;
}

/* Adds the rows of a comparison, and the tests by which they were compared, to
 * the sheet and its JSON object. */
static void put_family(struct sheet *s, const struct comparison *c,
                       const char *scope)
{
    struct compare_line *line = compare_lines(c, scope, s->memory);

    sheet_fact(s, "tests", json_integer(c->tests));
    sheet_fact(s, "interval_level", json_real(c->level));
    sheet_fact(s, "settled_a", json_real(learning_gained(&c->a)));
    sheet_fact(s, "settled_b", json_real(learning_gained(&c->b)));
    sheet_fact(s, "unsettled", json_boolean(c->unsettled));
    sheet_relation(s, &(struct relation){"rows", compare_columns, line,
                                         sizeof *line, c->rows});
    if (c->tests > 1)
        sheet_put(s, PART_PARAGRAPH, "Bonferroni correction for %d tests: p "
                                     "is multiplied by %d and the intervals "
                                     "are %.4g %% CIs (95 %% jointly)",
                                     c->tests, c->tests, 100 * c->level);
    for (int i = 0; i < c->rows;)
        i += put_test(s, &c->row[i], c->rows - i);
}

static void put_learning(struct sheet *s, const struct comparison *c)
{
    char a[24], b[24];

    if (c->unsettled)
        sheet_put(s, PART_ITEM, "not converged: in the last tenth of training "
                  "A gained %s nats, B %s: these differ by more than their "
                  "cross-entropies, so there is no verdict",
                  gained(a, &c->a), gained(b, &c->b));
}

/* Returns the restriction of a verdict on two single cells, such as " (this
 * seed only)", or "" if the sides have several cells. */
static const char *scope_of(const struct compare_side *a,
                            const struct compare_side *b)
{
    return a->by_seed               ? ""
           : a->seed[0] == b->seed[0] ? " (this seed only)"
                                      : " (these seeds only)";
}

/* Returns 1 if an experiment of either side trains the task without comparing
 * variants. */
static int is_uncompared(const struct side *a, const struct side *b)
{
    return plan_uncompared(a->plan, a->task->name) ||
           plan_uncompared(b->plan, b->task->name);
}

/* Adds the comparison of the subtasks, as a separate JSON object. */
static void put_parts(struct sheet *s, const struct comparison *parts,
                      const char *scope)
{
    json_t *whole = s->object;

    sheet_put(s, PART_HEADING, "Subtasks, a family of tests of their own");
    s->object = NULL;
    put_family(s, parts, scope);
    json_object_set_new(whole, "subtasks", s->object);
    s->object = whole;
}

static int compare_cells(struct sheet *s, const char *store, const char *arg_a,
                         const char *arg_b)
{
    OWNED(side_close) struct side a = {.plan = NULL}, b = {.plan = NULL};
    OWNED(families_close) struct families f = {NULL, NULL};

    PASS(open_side(&a, arg_a, store));
    PASS(open_side(&b, arg_b, store));
    PASS(check_sides(&a, &b));
    choose_test(&a.of, &b.of);
    PASS(compare_families(&f, &a, &b));
    const char *scope = scope_of(&a.of, &b.of);
    struct compare_line *line = compare_lines(f.whole, scope, s->memory);
    int uncompared = is_uncompared(&a, &b);
    int synthetic = a.synthetic || b.synthetic;
    sheet_fact(s, "a", json_string(arg_a));
    sheet_fact(s, "b", json_string(arg_b));
    sheet_fact(s, "uncompared", json_boolean(uncompared));
    sheet_fact(s, "synthetic", json_boolean(synthetic));
    sheet_put(s, PART_LINE, "%s", compare_headline(line, s->memory));
    sheet_put(s, PART_LINE, "A  %s", arg_a);
    sheet_put(s, PART_LINE, "B  %s", arg_b);
    if (uncompared)
        sheet_put(s, PART_LINE, "   the experiment trains task %s without "
                                "comparing variants: no table ranks "
                                "it", a.task->name);
    if (synthetic)
        sheet_put(s, PART_WARNING, "%s", report_synthetic);
    put_family(s, f.whole, scope);
    put_learning(s, f.whole);
    if (f.parts)
        put_parts(s, f.parts, scope);
    return OK;
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
