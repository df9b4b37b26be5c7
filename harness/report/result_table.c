#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/metric.h"
#include "harness/report/evidence.h"
#include "harness/report/references.h"
#include "harness/stats/bootstrap.h"
#include "harness/store/cell.h"
#include "harness/store/contrast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEED = 1,  /* seed for resampling                                 */
    ENOUGH = 5 /* with so many seeds or more, print every interval    */
};

const char *const over_text[] = {"", "examples", "seeds", "seeds x examples",
                                 NULL};

struct result_task *result_find(const struct result_table *s, const char *task)
{
    for (int i = 0; i < s->tasks; i++)
        if (!strcmp(s->task[i].task, task))
            return &s->task[i];
    return NULL;
}

const struct result_task *result_task_of(const struct result_table *s,
                                         int column)
{
    return result_find(s, s->column[column]->task);
}

const struct result_row *result_row_of(const struct result_table *s,
                                       const char *variant)
{
    for (int i = 0; s && i < s->rows; i++)
        if (!strcmp(s->row[i].variant, variant))
            return &s->row[i];
    return NULL;
}

int result_external(const struct result_row *row)
{
    return str_ends(row->variant, CELL_EXTERNAL);
}

int result_count(const struct result_table *s, int column, result_test *is)
{
    int first = column < 0 ? 0 : column, n = 0;
    int last = column < 0 ? s->columns - 1 : column;

    for (int c = first; c <= last; c++)
        for (int i = 0; i < s->rows; i++)
            n += is(s, i, c);
    return n;
}

int result_best(const struct result_table *s, int column, result_test *is)
{
    int better = s->column[column]->better, best = -1;

    for (int i = 0; i < s->rows; i++)
        if (is(s, i, column) &&
            (best < 0 || better * (s->row[i].cell[column].value -
                                   s->row[best].cell[column].value) > 0))
            best = i;
    return best;
}

int result_compared(const struct result_table *s, int row, int column)
{
    const struct result_row *r = &s->row[row];
    const struct result_cell *c = &r->cell[column];

    return !r->reference && isfinite(c->value) && c->n > 1 &&
           !result_external(r);
}

int result_starred(const struct result_table *s, int row, int column)
{
    return s->row[row].cell[column].best;
}

int result_crossed(const struct result_table *s, int row, int column)
{
    return s->row[row].cell[column].over == OVER_BOTH;
}

const char *result_interval(char out[64], const struct result_cell *x,
                            int decimals)
{
    struct interval i = x->between;

    *out = 0;
    if (x->n > 1 && x->n < ENOUGH && i.low <= 0 && i.high >= 2 * x->value)
        snprintf(out, 64, "too few seeds");
    else if (!isnan(i.low))
        snprintf(out, 64, "[%.*f, %.*f]", decimals, i.low, decimals, i.high);
    return out;
}

static void *zeros(struct result_table *s, int n, size_t size)
{
    return arena_zero(s->memory, ((size_t)n + 1) * size);
}

static const char *kept(struct result_table *s, const char *text)
{
    return text ? arena_text(s->memory, text) : NULL;
}

/* ---- our numbers ---- */

static int is_speed(const char *metric)
{
    return !strcmp(metric, "steps_per_s") || !strcmp(metric, "tokens_per_s");
}

/* Reads a speed or a count.  If the cell is marked as too noisy, a speed is
 * NAN. */
static int read_timing(struct cell_reader *cell, const char *name,
                       double *value)
{
    long long noisy = 0; /* not stored by earlier versions */

    if (is_speed(name))
        PASS(cell_maybe(cell_get_int(cell, "timing", "too_noisy", &noisy)));
    PASS(cell_maybe(cell_get_real(cell, "timing", name, value)));
    if (noisy)
        *value = NAN;
    return OK;
}

/* Reads the final value of a metric of one cell; counts and speeds ("params",
 * "steps_per_s") are read from the timing of the cell.  Sets out->how and
 * out->chosen.  Sets *worse to 1 if the cell is worse than the input-blind
 * baseline. */
static int read_value(struct result_table *s, const struct report_cell *c,
                      const char *metric, double *value,
                      struct result_cell *out, int *worse)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    struct blind_baseline blind;
    OWNED(free) char *path = str_format("metrics/%s", metric), *text = NULL;
    OWNED(free) char *chosen = NULL;

    *value = NAN;
    PASS(report_read(&cell, s->report, c->id));
    int rc = cell_get_metric(cell, metric, value);
    PASS(cell_maybe(rc)); /* a task need not have the metric */
    if (rc == ERR_EMPTY)
        PASS(read_timing(cell, metric, value));
    else
        PASS(cell_get_text(cell, path, "signature", &text));
    if (text && out->how && strcmp(out->how, text))
        return err_set(ERR_USAGE, "%s: %s of %s on %s is computed as '%s', but "
                       "as '%s' for another seed: they have no common mean",
                       s->report->store, metric, c->variant, c->task, text,
                       out->how);
    if (text)
        out->how = arena_text(s->memory, text);
    PASS(cell_maybe(cell_get_text(cell, "tuning", "chosen", &chosen)));
    if (chosen)
        out->chosen = arena_text(s->memory, chosen);
    rc = blind_read(&blind, cell);
    *worse = rc == OK && blind.worse && !isnan(*value);
    return cell_maybe(rc);
}

static enum cell_state better_state(enum cell_state a, enum cell_state b)
{
    static const int order[CELL_STATES] = {
        [CELL_MISSING] = 0, [CELL_REFUSED] = 1, [CELL_BLOCKED] = 2,
        [CELL_FAILED] = 3,  [CELL_RUNNING] = 4, [CELL_DONE] = 5};
    return order[a] > order[b] ? a : b;
}

/* Sets the interval of a table cell whose cell->n seeds have the values x. */
static int fill_interval(struct result_cell *cell, const double *x,
                         struct evidence *e, const char *variant,
                         const char *metric)
{
    struct estimate estimate;

    PASS(evidence_of(&estimate, e, variant, metric));
    cell->between = estimate.between;
    cell->over = cell->n > 1 ? OVER_BOTH : OVER_EXAMPLES;
    if (isnan(estimate.between.low) && cell->n > 1) {
        cell->between = stats_spread(bootstrap_interval(x, (size_t)cell->n,
                                                        SEED));
        cell->over = OVER_SEEDS;
    }
    if (isnan(cell->between.low))
        cell->over = OVER_NOTHING;
    return OK;
}

static int fill_cell(struct result_table *s, const struct result_row *row,
                     int column, struct evidence *e)
{
    const struct report *r = s->report;
    const struct table_column *c = s->column[column];
    struct result_cell *cell = &row->cell[column];
    OWNED(free) double *x = malloc(((size_t)r->n + 1) * sizeof *x);
    int worse = 0;

    for (int i = 0; i < r->n; i++) {
        const struct report_cell *from = &r->cell[i];

        if (strcmp(from->variant, row->variant) || strcmp(from->task, c->task))
            continue;
        cell->state = better_state(cell->state, from->state);
        cell->asked += from->state != CELL_REFUSED;
        if (from->state != CELL_DONE)
            continue;
        PASS(read_value(s, from, c->metric, &x[cell->n], cell, &worse));
        cell->n += !isnan(x[cell->n]);
        cell->worse_than_blind += c->better && worse;
    }
    cell->by_seed = zeros(s, cell->n, sizeof *cell->by_seed);
    memcpy(cell->by_seed, x, (size_t)cell->n * sizeof *x);
    cell->value = is_speed(c->metric)
                      ? stats_quantile(x, (size_t)cell->n, 1)
                      : stats_mean(x, (size_t)cell->n);
    if (cell->n && c->better)
        PASS(fill_interval(cell, x, e, row->variant, c->metric));
    if (cell->n > s->seeds)
        s->seeds = cell->n;
    return OK;
}

/* ---- best values ---- */

static int mark_best(struct result_table *s, int column, struct evidence *e)
{
    const struct table_column *c = s->column[column];
    int variants = result_count(s, column, result_compared);
    int best = result_best(s, column, result_compared);

    if (withheld_whole(s, column) || best < 0 ||
        s->row[best].cell[column].unsettled)
        return OK;
    for (int i = 0; i < s->rows; i++) {
        struct result_cell *cell = &s->row[i].cell[column];
        struct contrast d;

        if (!result_compared(s, i, column))
            continue;
        cell->best = 1;
        if (i == best)
            continue;
        PASS(evidence_contrast(&d, e, s->row[i].variant, s->row[best].variant,
                               c->metric, (size_t)variants - 1));
        cell->best = d.verdict.sign != -c->better;
        if (d.more && (int)(d.seeds + d.more) > s->needed)
            s->needed = (int)(d.seeds + d.more);
    }
    return OK;
}

/* ---- pairs ---- */

/* Returns the pairs that are compared: the contrasts of the experiment or, if
 * the experiment has none, the pairs of the table.  The list ends with an entry
 * whose task is NULL.  Returns NULL if there is no list. */
static const struct contrast_named *pairs_of(const struct result_table *s)
{
    return s->judged ? s->report->contrast : s->table->pair;
}

/* Returns the number of pairs or, if `compared` is 1, of those pairs whose
 * tasks are in the table and are compared. */
static size_t count_pairs(const struct result_table *s, int compared)
{
    size_t n = 0;

    for (const struct contrast_named *p = pairs_of(s); p && p->task; p++) {
        const struct result_task *task = result_find(s, p->task);

        n += !compared || (task && !task->uncompared);
    }
    return n;
}

static int fill_pair(struct result_table *s, struct evidence *e,
                     const struct result_task *task,
                     const struct contrast_named *c)
{
    const struct metric *const *m = metric_all;
    struct result_pair *p = &s->pair[s->pairs];
    struct contrast d;

    while (strcmp((*m)->name, c->metric))
        m++;
    PASS(evidence_contrast(&d, e, c->a, c->b, c->metric,
                           report_family(s->report, count_pairs(s, 1))));
    if (isnan(d.difference))
        return OK;
    s->pairs++;
    *p = (struct result_pair){
        .task = task, .a = c->a, .b = c->b, .metric = (*m)->name,
        .unit = (*m)->unit, .better = (*m)->better, .difference = d.difference,
        .verdict = d.verdict, .seeds = d.seeds, .examples = d.examples,
        .more = d.more, .unsettled = d.unsettled};
    p->by_seeds = evidence_by_seed(&p->by_seed, e, p->a, p->b, p->metric,
                                   s->memory);
    return OK;
}

static int fill_pairs(struct result_table *s, struct evidence *e,
                      const struct result_task *task)
{
    const struct contrast_named *p = pairs_of(s);

    for (; p && p->task; p++)
        if (!strcmp(p->task, task->task) && !task->uncompared)
            PASS(fill_pair(s, e, task, p));
    return OK;
}

/* Sets *out to an array with the gains of each row (learning.h). */
static int fill_learning(struct learning **out, struct result_table *s,
                         struct evidence *e)
{
    *out = zeros(s, s->rows, sizeof **out);
    for (int i = 0; i < s->rows; i++)
        if (!s->row[i].reference)
            PASS(evidence_learning(&(*out)[i], e, s->row[i].variant));
    return OK;
}

/* Sets the gains in a column, the reason why the column is not ranked, and its
 * stars. */
static int compare_column(struct result_table *s, int column,
                          struct evidence *e, const struct learning *learning)
{
    for (int i = 0; i < s->rows; i++) {
        struct result_cell *cell = &s->row[i].cell[column];

        if (s->row[i].reference || isnan(cell->value))
            continue;
        cell->settled = learning_gained(&learning[i]);
        cell->settled_error = learning_error(&learning[i]);
    }
    withheld_mark(s, column, learning);
    return mark_best(s, column, e);
}

static void fill_sets(struct result_table *s, struct result_task *task,
                      const struct evidence *e)
{
    task->apart = evidence_data(e)->sets > 1;
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (result_task_of(s, c) == task)
                s->row[i].cell[c].set = evidence_set(e, s->row[i].variant);
}

static int fill_task(struct result_table *s, struct result_task *task,
                     const struct metric *const *metrics)
{
    OWNED(evidence_close) struct evidence *e = NULL;
    struct learning *learning;
    int variants = s->rows;
    int rc = evidence_open(&e, s->report, task->task, metrics);

    /* That no cell is finished is not an error: the table shows the states. */
    PASS(rc == ERR_EMPTY ? OK : rc);
    for (int i = 0; i < variants; i++)
        for (int c = 0; c < s->columns; c++)
            if (!s->row[i].reference && result_task_of(s, c) == task)
                PASS(fill_cell(s, &s->row[i], c, e));
    if (!e)
        return OK;
    fill_sets(s, task, e);
    PASS(references_fill(s, task, e));
    PASS(fill_learning(&learning, s, e));
    for (int c = 0; c < s->columns; c++)
        if (result_task_of(s, c) == task && s->column[c]->better)
            PASS(compare_column(s, c, e, learning));
    task->examples = (int)evidence_data(e)->examples;
    task->source = kept(s, evidence_data(e)->source);
    task->subset = evidence_data(e)->subset;
    task->label = result_label(s, task);
    return fill_pairs(s, e, task);
}

/* ---- the paper's numbers ---- */

/* Sets the published values, except those of tasks with synthetic data. */
static void fill_published(struct result_table *s, const struct published *p)
{
    struct published_value claim;

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            const struct table_column *column = s->column[c];
            struct result_cell *cell = &s->row[i].cell[c];

            const char *of = s->row[i].published ? s->row[i].published
                                                 : s->row[i].variant;

            if (result_task_of(s, c)->synthetic ||
                !published_find(p, &claim, of, column->task, column->metric))
                continue;
            cell->published = claim.value;
            cell->source = kept(s, claim.source);
            cell->dispute = kept(s, claim.dispute);
        }
}

/* ---- the whole table ---- */

int result_fill(struct result_table **out, const struct table *t,
                const struct report *r, const struct metric *const *metrics)
{
    struct arena *memory = arena_new();
    OWNED(result_close) struct result_table *s = arena_zero(memory, sizeof *s);
    OWNED(published_close) struct published *p = NULL;

    *out = NULL;
    *s = (struct result_table){.table = t, .report = r, .memory = memory};
    PASS(published_open(&p));
    PASS(table_select_fill(s));
    s->judged = r->contrasts;
    s->pair = zeros(s, (int)count_pairs(s, 0), sizeof *s->pair);
    for (int i = 0; i < s->tasks; i++)
        PASS(fill_task(s, &s->task[i], metrics));
    fill_published(s, p);
    rank_measured(s);
    PASS(sign_alike(s, r->store));
    PASS(sign_measured(s));
    origin_fill(s);
    return MOVE_OUT(out, s);
}

void result_close(struct result_table *s)
{
    if (!s)
        return;
    free(s->row);
    arena_free(s->memory);
}
