#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include <math.h>
#include <string.h>

/* Sets rank[i] to the rank of x[i], where 1 is the greatest value, or to NAN if
 * x[i] is NAN. */
static void rank_rows(struct result_table *s, double *rank, const double *x)
{
    size_t bytes = ((size_t)s->rows + 1) * sizeof(double), n = 0;
    double *known = arena_take(s->memory, bytes);
    double *of_known = arena_take(s->memory, bytes);

    for (int i = 0; i < s->rows; i++)
        if (!isnan(x[i]))
            known[n++] = -x[i];
    stats_ranks(of_known, known, n);
    n = 0;
    for (int i = 0; i < s->rows; i++)
        rank[i] = isnan(x[i]) ? NAN : of_known[n++];
}

/* Returns the column whose published values are correlated with our values in
 * `column`, or -1 if there is none. */
static int against(const struct result_table *s, int column)
{
    const struct table_column *c = s->column[column];

    for (int i = 0; c->published && i < s->columns; i++)
        if (!strcmp(s->column[i]->task, c->task) &&
            !strcmp(s->column[i]->metric, c->published))
            return i;
    return -1;
}

/* Sets x[i] to our value in row i, negated if lower is better, or to NAN if the
 * row is not compared. */
static void ours(const struct result_table *s, double *x, int column)
{
    for (int i = 0; i < s->rows; i++)
        x[i] = result_compared(s, i, column)
                   ? s->column[column]->better * s->row[i].cell[column].value
                   : NAN;
}

static void theirs(const struct result_table *s, double *x, int column)
{
    for (int i = 0; i < s->rows; i++)
        x[i] = s->column[column]->better * s->row[i].cell[column].published;
}

/* Correlates x with y over the rows where both are numbers. */
static void correlate(const struct result_table *s, const double *x,
                      const double *y, struct result_correlation *out)
{
    size_t bytes = ((size_t)s->rows + 1) * sizeof(double), m = 0;
    double *a = arena_take(s->memory, bytes), *b = arena_take(s->memory, bytes);

    for (int i = 0; i < s->rows; i++)
        if (!isnan(x[i]) && !isnan(y[i])) {
            a[m] = x[i];
            b[m++] = y[i];
        }
    out->n = (int)m;
    out->rho = rank_spearman(a, b, m);
    out->tau = rank_kendall(a, b, m);
}

static void rank_column(struct result_table *s, int column)
{
    size_t bytes = ((size_t)s->rows + 1) * sizeof(double);
    double *x = arena_take(s->memory, bytes);
    double *y = arena_take(s->memory, bytes);
    double *rank = arena_take(s->memory, bytes);
    int other = against(s, column);

    ours(s, x, column);
    rank_rows(s, rank, x);
    for (int i = 0; i < s->rows; i++)
        s->row[i].cell[column].rank =
            withheld_whole(s, column) || s->row[i].cell[column].unsettled
                ? NAN : rank[i];
    theirs(s, y, column);
    rank_rows(s, rank, y);
    for (int i = 0; i < s->rows; i++)
        s->row[i].cell[column].rank_published = rank[i];
    if (other < 0 || s->withheld[column])
        return;
    theirs(s, y, other);
    struct result_correlation *k = &s->correlation[s->correlations];
    *k = (struct result_correlation){.task = result_task_of(s, column),
                                    .column = s->column[column]};
    correlate(s, x, y, k);
    s->correlations += k->n > 0;
}

void rank_measured(struct result_table *s)
{
    s->correlation = arena_zero(s->memory, ((size_t)s->columns + 1) *
                                               sizeof *s->correlation);
    for (int c = 0; c < s->columns; c++)
        if (s->column[c]->better)
            rank_column(s, c);
}
