#include "harness/report/signing.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/report/result_table.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8 };

/* ---- selecting cells ---- */

static int has_seed(const struct signed_seeds *s, long long seed)
{
    for (int i = 0; s && i < s->n; i++)
        if (s->seed[i] == seed)
            return 1;
    return s == NULL;
}

static int by_seed(const void *x, const void *y)
{
    const struct report_cell *a = *(const struct report_cell *const *)x;
    const struct report_cell *b = *(const struct report_cell *const *)y;

    return a->seed == b->seed ? strcmp(a->id, b->id)
                              : a->seed < b->seed ? -1 : 1;
}

int signing_cells(const struct report_cell **cell, const struct report *r,
                  const struct signed_task *of,
                  const struct signed_seeds *seeds)
{
    int n = 0;

    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];

        if (c->state == CELL_DONE && !strcmp(c->task, of->of[SIGNED_TASK]) &&
            !strcmp(c->scale, of->of[SIGNED_SCALE]) &&
            !strcmp(c->variant, of->of[SIGNED_VARIANT]) &&
            has_seed(seeds, c->seed))
            cell[n++] = c;
    }
    qsort(cell, (size_t)n, sizeof *cell, by_seed);
    return n;
}

/* ---- values of the cells ---- */

static const char *settings_of(const struct report_cell **cell, int n,
                               struct arena *a)
{
    struct sha256_ctx *h = hash_new();
    char hex[HASH_HEX];

    for (int i = 0; i < n; i++) {
        hash_add(h, cell[i]->id, strlen(cell[i]->id));
        hash_add(h, "\n", 1);
    }
    hash_end(h, hex);
    return signature_plain(hex, DIGITS, a);
}

static const char *seeds_of(const struct report_cell **cell, int n,
                            struct arena *a)
{
    struct signed_seeds s = {n, arena_take(a, (size_t)n * sizeof *s.seed)};

    for (int i = 0; i < n; i++)
        s.seed[i] = cell[i]->seed;
    return signature_seeds(&s, a);
}

/* Appends `one` to the list *list if the list does not contain it.  A list is
 * "a,b", or NULL if it is empty. */
static void add_once(const char **list, const char *one, struct arena *a)
{
    size_t n = strlen(one);

    for (const char *at = *list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!strncmp(at, one, n) && (at[n] == ',' || !at[n]))
            return;
    }
    *list = *list ? arena_format(a, "%s,%s", *list, one) : one;
}

/* Adds to *list the part of a signature for a metric of a cell.  A metric that
 * the cell has neither among its metrics nor in its timing is not added. */
static int read_metric(const char **list, struct cell_reader *cell,
                       const char *metric, struct arena *a)
{
    OWNED(free) char *path = str_format("metrics/%s", metric), *how = NULL;
    double x;

    int rc = cell_get_text(cell, path, "signature", &how);
    PASS(cell_maybe(rc));
    if (rc == ERR_EMPTY)
        rc = cell_get_real(cell, "timing", metric, &x);
    if (rc == OK)
        add_once(list, signature_metric(metric, how, a), a);
    return cell_maybe(rc);
}

static int read_cell(struct signed_task *out, const char **text,
                     struct builds *builds, struct cell_reader *cell,
                     const char *const metric[], struct arena *a)
{
    OWNED(free) char *digest = NULL;
    struct build build;
    char name[32];

    PASS(cell_maybe(cell_get_text(cell, "provenance", "data_digest",
                                  &digest)));
    PASS(build_read(&build, cell, a));
    if (builds)
        builds_add(builds, &build, a);
    const char *numerics = build.fact[0]; /* see build_fact[0] */
    add_once(&out->of[SIGNED_DATA],
             signature_plain(digest ? digest : "", DIGITS, a), a);
    add_once(&out->of[SIGNED_NUMERICS],
             signature_plain(numerics ? numerics : "", 0, a), a);
    add_once(&out->of[SIGNED_PROGRAM],
             signature_plain(build_name(&build, name), 0, a), a);
    for (int i = 0; metric[i]; i++)
        PASS(read_metric(&text[i], cell, metric[i], a));
    return OK;
}

int signing_task(struct signed_task *out, const char **text,
                 struct builds *builds, const struct report *r,
                 const struct report_cell **cell, int n,
                 const char *const metric[], struct arena *a)
{
    *out = (struct signed_task){{[SIGNED_TASK] = cell[0]->task,
                                 [SIGNED_SCALE] = cell[0]->scale,
                                 [SIGNED_VARIANT] = cell[0]->variant,
                                 [SIGNED_SEEDS] = seeds_of(cell, n, a),
                                 [SIGNED_SETTINGS] = settings_of(cell, n, a)}};
    for (int i = 0; metric[i]; i++)
        text[i] = NULL;
    for (int i = 0; i < n; i++) {
        OWNED(cell_close) struct cell_reader *file = NULL;

        PASS(report_read(&file, r, cell[i]->id));
        PASS(read_cell(out, text, builds, file, metric, a));
    }
    return OK;
}

/* ---- tables ---- */

static const char *const none[CELL_STATES] = {
    [CELL_MISSING] = "none: not run",  [CELL_RUNNING] = "none: not finished",
    [CELL_DONE] = "none: not measured", [CELL_FAILED] = "none: failed",
    [CELL_REFUSED] = "none: refused",  [CELL_BLOCKED] = "none: blocked"};

/* Sets the signatures of a row and its cells to the reasons why they have none.
 * The reason of the row is the reason of its first cell that is not missing. */
static void say_none(const struct result_table *s, struct result_row *row)
{
    enum cell_state state = CELL_MISSING;

    for (int c = s->columns - 1; c >= 0; c--)
        if (row->cell[c].state != CELL_MISSING)
            state = row->cell[c].state;
    row->signature = row->reference ? "none: no model" : none[state];
    for (int c = 0; c < s->columns; c++)
        row->cell[c].signature = row->reference ? row->signature
                                                : none[row->cell[c].state];
}

/* Sets the commits and the signatures of the numbers of a row for a task, and
 * sets the metrics of `one`.  text: for each column of the task, the part of
 * the signature for its metric (signing_task). */
static void sign_numbers(struct result_table *s, struct result_row *row,
                         const struct result_task *task,
                         struct signed_task *one, const char **text)
{
    static const char *const comma[][2] = {{",", ", "}, {NULL, NULL}};
    struct text commit = {0};
    const char *all = NULL;

    text_swap(&commit, one->of[SIGNED_PROGRAM], comma);
    const char *commits = text_keep(&commit, s->memory);
    for (int c = 0; c < s->columns; c++) {
        struct result_cell *cell = &row->cell[c];

        if (result_task_of(s, c) != task)
            continue;
        cell->commit = commits;
        const char *metric = *text++;
        if (isnan(cell->value) || !metric)
            continue;
        one->of[SIGNED_METRICS] = metric;
        cell->signature = signature_text(&(struct signature){1, one},
                                         s->memory);
        if (s->column[c]->better)
            add_once(&all, metric, s->memory);
    }
    one->of[SIGNED_METRICS] = all;
}

/* Signs the numbers of a row for a task.  If the row has such numbers, adds the
 * task to the signature `all` of the row. */
static int sign_task(struct signature *all, struct result_table *s,
                     struct result_row *row, const struct result_task *task)
{
    struct arena *a = s->memory;
    struct signed_task *one = &all->task[all->tasks];
    const struct signed_task of = {{[SIGNED_TASK] = task->task,
                                    [SIGNED_SCALE] = s->scale,
                                    [SIGNED_VARIANT] = row->variant}};
    size_t columns = (size_t)s->columns + 1, metrics = 0;
    const struct report_cell **cell =
        arena_take(a, ((size_t)s->report->n + 1) * sizeof *cell);
    const char **metric = arena_zero(a, columns * sizeof *metric);
    const char **text = arena_take(a, columns * sizeof *text);
    int n = signing_cells(cell, s->report, &of, NULL);

    if (!n)
        return OK;
    for (int c = 0; c < s->columns; c++)
        if (result_task_of(s, c) == task)
            metric[metrics++] = s->column[c]->metric;
    PASS(signing_task(one, text, &s->builds, s->report, cell, n, metric, a));
    sign_numbers(s, row, task, one, text);
    all->tasks += one->of[SIGNED_METRICS] != NULL;
    return OK;
}

int sign_measured(struct result_table *s)
{
    for (int i = 0; i < s->rows; i++) {
        struct result_row *row = &s->row[i];
        struct signature all = {0, arena_zero(s->memory,
                                              ((size_t)s->tasks + 1) *
                                                  sizeof *all.task)};

        say_none(s, row);
        for (int k = 0; k < s->tasks && !row->reference; k++)
            PASS(sign_task(&all, s, row, &s->task[k]));
        if (all.tasks)
            row->signature = signature_text(&all, s->memory);
    }
    return OK;
}

int sign_alike(const struct result_table *s, const char *path)
{
    for (int c = 0; c < s->columns; c++) {
        const struct result_row *first = NULL;

        for (int i = 0; i < s->rows; i++) {
            const struct result_row *row = &s->row[i];

            if (!row->cell[c].how)
                continue;
            if (!first)
                first = row;
            if (strcmp(row->cell[c].how, first->cell[c].how))
                return err_set(ERR_USAGE, "%s: %s of %s on %s is computed as "
                               "'%s', but that of %s as '%s': one column "
                               "cannot show both", path, s->column[c]->metric,
                               row->variant, s->column[c]->task,
                               row->cell[c].how, first->variant,
                               first->cell[c].how);
        }
    }
    return OK;
}

/* ---- cells that correspond to a signature ---- */

/* Sets *cell to the cells with the task, scale and variant of `says`: those of
 * its seeds, or else those of all seeds.  Returns their number. */
static int find(const struct report_cell ***cell, const struct report *r,
                const struct signed_task *says, struct arena *a)
{
    struct signed_seeds seeds;

    *cell = arena_take(a, ((size_t)r->n + 1) * sizeof **cell);
    PASS(signature_read_seeds(&seeds, says->of[SIGNED_SEEDS], a));
    int n = signing_cells(*cell, r, says, &seeds);
    return n ? n : signing_cells(*cell, r, says, NULL);
}

/* Returns the names of the metrics of a signature, ending with NULL: "bleu" and
 * "ce" for "bleu/13a/exp/5c1d,ce/41d7". */
static const char **names_of(const char *metrics, struct arena *a)
{
    const char **name = arena_take(a, (strlen(metrics) + 2) * sizeof *name);
    char *rest = arena_text(a, metrics);
    int n = 0;

    for (char *one; (one = strsep(&rest, ","));) {
        one[strcspn(one, "/")] = 0;
        name[n++] = one;
    }
    name[n] = NULL;
    return name;
}

/* Signs the cells that correspond to `says`.  Returns their number. */
static int sign_again(struct signed_task *out, const struct signed_task *says,
                      const struct report *r, struct arena *a)
{
    const char *said = says->of[SIGNED_METRICS], *all = NULL;
    const char **name = names_of(said, a);
    const char **text = arena_take(a, (strlen(said) + 2) * sizeof *text);
    const struct report_cell **cell;
    int n = find(&cell, r, says, a);

    PASS(n);
    if (!n) {
        for (int k = 0; k < SIGNED_FIELDS; k++)
            out->of[k] = "-";
        return 0;
    }
    PASS(signing_task(out, text, NULL, r, cell, n, name, a));
    for (int i = 0; name[i]; i++)
        if (text[i])
            add_once(&all, text[i], a);
    out->of[SIGNED_METRICS] = all ? all : "-";
    return n;
}

int signing_again(struct signature *out, const struct signature *says,
                  const struct report *r, struct arena *a)
{
    OWNED(free) char *store = text_quoted(r->store);
    int found = 0;

    *out = (struct signature){
        says->tasks, arena_zero(a, (size_t)says->tasks * sizeof *out->task)};
    for (int i = 0; i < says->tasks; i++) {
        int n = sign_again(&out->task[i], &says->task[i], r, a);

        PASS(n);
        found += n;
    }
    if (found)
        return OK;
    return err_set(ERR_EMPTY, "%s: no cell of %s on %s at scale %s is "
                   "finished: `synthbench status --store %s` lists its cells",
                   r->store, signature_value(says, SIGNED_VARIANT, a),
                   signature_value(says, SIGNED_TASK, a),
                   signature_value(says, SIGNED_SCALE, a), store);
}
