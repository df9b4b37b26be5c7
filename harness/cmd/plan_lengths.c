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

static void row(struct grid *g, const struct cell *c)
{
    const struct lengths *l = &c->lengths;
    char a_step[32];

    grid_add(g, "%s\t%.1f\t%.1f\t%s\t%.0f %%", c->config.task, l->source,
             l->target, grid_count(c->step.ids, NULL, a_step),
             100 * c->step.flops / c->cost.flops_per_step);
    grid_add(g, "%s", l->from == LENGTHS_PREPARED ? "as prepared" : l->words);
}

void plan_lengths_put(struct sheet *s, const struct plan *p)
{
    static const char *const head[] = {"task", "source", "target", "per step",
                                       "operations", "source of means", NULL};
    struct grid *g = NULL;
    int words = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!is_told(p, c))
            continue;
        if (!g) {
            sheet_put(s, PART_PARAGRAPH,
                      "Operations and time are estimated from the mean number "
                      "of tokens per example, memory from the maximum. "
                      "`operations` is the ratio of the operations per step "
                      "to those with examples of maximum length.");
            g = sheet_listing(s, "<>>>><", head);
        }
        row(g, c);
        words |= c->lengths.from == LENGTHS_PUBLISHED;
    }
    if (words)
        sheet_put(s, PART_LINE, "a word counts as %.3f subwords, the ratio on "
                                "LM1B with Tensor2Tensor's vocabulary of "
                                "32,768 pieces", SUBWORDS);
}

json_t *plan_lengths_json(const struct cell *c)
{
    static const char *const from[] = {
        [LENGTHS_LONGEST] = "longest", [LENGTHS_PUBLISHED] = "published",
        [LENGTHS_PREPARED] = "prepared"};
    const struct lengths *l = &c->lengths;

    if (c->refused)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:s, s:s}", "source_ids",
                     l->source, "target_ids", l->target, "examples_per_step",
                     c->step.rows, "ids_per_step", c->step.ids,
                     "flops_per_step", c->step.flops, "lengths", from[l->from],
                     "source", l->words);
}
