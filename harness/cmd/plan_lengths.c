#include "harness/cmd/plan_lengths.h"

/* Returns 1 if the cell is the first of its task for which lengths below the
 * maximum are known. */
static int is_told(const struct plan *p, const struct cell *c)
{
    if (!c->selected || c->refused || c->lengths.from == LENGTHS_LONGEST)
        return 0;
    for (const struct cell *d = p->cell; d < c; d++)
        if (d->task == c->task && d->selected && !d->refused &&
            d->lengths.from != LENGTHS_LONGEST)
            return 0;
    return 1;
}

static const char *ratio(const void *row, struct arena *a)
{
    const struct cell *c = row;

    return arena_format(a, "%.0f %%",
                        100 * c->step.flops / c->cost.flops_per_step);
}

static const char *source(const void *row, struct arena *a)
{
    const struct lengths *l = &((const struct cell *)row)->lengths;

    (void)a;
    return l->from == LENGTHS_PREPARED ? "as prepared" : l->words;
}

static const char *const lengths_from[] = {
    [LENGTHS_LONGEST] = "longest", [LENGTHS_PUBLISHED] = "published",
    [LENGTHS_PREPARED] = "prepared"};

const struct column plan_lengths_columns[] = {
    {NULL, "task", COLUMN_AS(COLUMN_CHARS, struct cell, config.task)},
    {"source_ids", "source", COLUMN(struct cell, lengths.source), "%.1f"},
    {"target_ids", "target", COLUMN(struct cell, lengths.target), "%.1f"},
    {"examples_per_step", NULL, COLUMN(struct cell, step.rows)},
    {"ids_per_step", "per step", COLUMN(struct cell, step.ids), .unit = ""},
    {"flops_per_step", NULL, COLUMN(struct cell, step.flops)},
    {NULL, "operations", COLUMN_SHOWN, .show = ratio},
    {"lengths", NULL, COLUMN_AS(COLUMN_ENUM, struct cell, lengths.from),
     .words = lengths_from},
    {"source", "source of means", COLUMN(struct cell, lengths.words),
     .show = source},
    {.type = COLUMN_END}};

void plan_lengths_put(struct sheet *s, const struct plan *p)
{
    const struct cell **row = arena_take(s->memory,
                                         (size_t)p->n * sizeof *row);
    int n = 0, words = 0;

    for (int i = 0; i < p->n; i++)
        if (is_told(p, &p->cell[i])) {
            row[n++] = &p->cell[i];
            words |= p->cell[i].lengths.from == LENGTHS_PUBLISHED;
        }
    if (n)
        sheet_put(s, PART_PARAGRAPH,
                  "Operations and time are estimated from the mean number of "
                  "tokens per example, memory from the maximum. `operations` "
                  "is the ratio of the operations per step to those with "
                  "examples of maximum length.");
    sheet_grid_of(s, &(struct relation){NULL, plan_lengths_columns, row, 0, n});
    if (words)
        sheet_put(s, PART_LINE, "a word counts as %.3f subwords, the ratio on "
                                "LM1B with Tensor2Tensor's vocabulary of "
                                "32,768 pieces", SUBWORDS);
}
