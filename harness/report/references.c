#include "harness/report/references.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- from cells ---- */

struct names { const char **name; size_t n; };

static int read_reference(struct reference_score *out, int *n,
                          struct cell_reader *r, const char *name,
                          const struct names *metrics, struct arena *a)
{
    OWNED(free) char *group = str_format("baseline/%s", name), *what = NULL;
    struct reference_score s = {.name = arena_text(a, name), .what = ""};

    PASS(cell_maybe(cell_get_text(r, group, "description", &what)));
    if (what)
        s.what = arena_text(a, what);
    for (size_t i = 0; i < metrics->n; i++) {
        int rc = cell_get_real(r, group, metrics->name[i], &s.value);
        if (rc == ERR_EMPTY) /* the metric needs probabilities */
            continue;
        PASS(rc);
        s.metric = arena_text(a, metrics->name[i]);
        out[(*n)++] = s;
    }
    return OK;
}

int references_read(struct reference_score **out, int *n,
                    struct cell_reader *r, struct arena *a)
{
    struct names references, metrics;

    *n = 0;
    PASS(cell_maybe(cell_get_names(r, "baseline", &references.name,
                                   &references.n)));
    PASS(cell_maybe(cell_get_names(r, "metrics", &metrics.name, &metrics.n)));
    *out = arena_take(a, references.n * metrics.n * sizeof **out);
    for (size_t i = 0; i < references.n; i++)
        PASS(read_reference(*out, n, r, references.name[i], &metrics, a));
    return OK;
}

/* Gets the model-free baselines of a task.  All cells of a task have the same
 * baselines; those of the cell with the most scores are used. */
static int of_task(struct reference_score **out, int *n, const struct report *r,
                   const char *task, struct arena *a)
{
    *n = 0;
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];
        OWNED(cell_close) struct cell_reader *cell = NULL;
        struct reference_score *score;
        int scores;

        if (strcmp(c->task, task) || c->state != CELL_DONE)
            continue;
        PASS(report_read(&cell, r, c->id));
        PASS(references_read(&score, &scores, cell, a));
        if (scores > *n) {
            *out = score;
            *n = scores;
        }
    }
    return OK;
}

/* ---- rows ---- */

static void put(struct result_table *s, int column, const char *name,
                const char *title, const char *what, struct estimate v)
{
    struct result_row *row = result_add_row(s, name, title, what);
    struct result_cell *cell = &row->cell[column];

    cell->state = CELL_DONE;
    cell->value = v.value;
    cell->between = v.between;
    cell->over = isnan(v.between.low) ? OVER_NOTHING : OVER_EXAMPLES;
    cell->n = cell->asked = 1;
}

static int put_evidence(struct result_table *s, const struct result_task *task,
                        struct evidence *e, const struct evidence_reference *f)
{
    for (int c = 0; c < s->columns; c++) {
        struct estimate v;

        if (result_task_of(s, c) != task || !s->column[c]->better)
            continue;
        PASS(evidence_of(&v, e, f->name, s->column[c]->metric));
        if (!isnan(v.value))
            put(s, c, f->name, f->title, f->what, v);
    }
    return OK;
}

static void put_reference(struct result_table *s,
                          const struct result_task *task,
                          const struct reference_score *b)
{
    for (int c = 0; c < s->columns; c++)
        if (result_task_of(s, c) == task &&
            !strcmp(s->column[c]->metric, b->metric))
            put(s, c, b->name, b->name, b->what,
                (struct estimate){b->value, {NAN, NAN}});
}

int references_fill(struct result_table *s, const struct result_task *task,
                    struct evidence *e)
{
    struct reference_score *reference = NULL;
    int n = 0;

    PASS(of_task(&reference, &n, s->report, task->task, s->memory));
    for (const struct evidence_reference *f = evidence_references; f->name; f++)
        PASS(put_evidence(s, task, e, f));
    for (int i = 0; i < n; i++)
        put_reference(s, task, &reference[i]);
    return OK;
}

/* ---- the input-blind baseline ---- */

static double sum(const double *x, size_t n)
{
    double all = 0;

    for (size_t i = 0; i < n; i++)
        all += x[i];
    return all;
}

static int read_unigram(struct blind_baseline *out, struct cell_reader *r)
{
    OWNED(free) double *nll = NULL, *tokens = NULL;
    size_t n, m;

    *out = (struct blind_baseline){.name = "the unigram model", .metric = "ce"};
    PASS(cell_get_array(r, "examples/test/unigram_nll", &nll, &n));
    PASS(cell_get_array(r, "examples/test/tokens", &tokens, &m));
    PASS(cell_get_metric(r, "ce", &out->own));
    out->value = sum(nll, n) / sum(tokens, m);
    out->worse = out->own > out->value;
    return OK;
}

/* Returns the share of the most frequent value in `x`, in percent.  Sorts
 * `x`. */
static double most_frequent(double *x, size_t n)
{
    size_t most = 0, same = 0;

    qsort(x, n, sizeof *x, stats_order);
    for (size_t i = 0; i < n; i++) {
        same = i > 0 && x[i] == x[i - 1] ? same + 1 : 1;
        most = same > most ? same : most;
    }
    return 100 * (double)most / (double)n;
}

static int read_majority(struct blind_baseline *out, struct cell_reader *r)
{
    OWNED(free) double *label = NULL;
    size_t n;

    *out = (struct blind_baseline){.name = "the most frequent label",
                          .metric = "accuracy"};
    PASS(cell_get_array(r, "examples/test/label", &label, &n));
    PASS(cell_get_metric(r, "accuracy", &out->own));
    out->value = most_frequent(label, n);
    out->worse = out->own < out->value;
    return OK;
}

int blind_read(struct blind_baseline *out, struct cell_reader *r)
{
    int rc = read_unigram(out, r);

    return rc == ERR_EMPTY ? read_majority(out, r) : rc;
}
