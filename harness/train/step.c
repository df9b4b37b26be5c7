#include "harness/train/step.h"

#include <math.h>

struct batching step_batching(const struct config *c)
{
    if (c->batch_by == BATCH_EXAMPLES)
        return (struct batching){.rows = c->batch};
    return (struct batching){.tokens = c->batch, .devices = c->devices,
                             .longest = c->length};
}

static void buckets_of_cell(struct buckets *b, const struct config *c)
{
    buckets_make(b, c->batch, c->devices, c->length);
}

int step_rows(const struct config *c)
{
    struct buckets b;

    if (c->batch_by == BATCH_EXAMPLES)
        return c->batch;
    buckets_of_cell(&b, c);
    return b.rows[b.n - 1];
}

void step_longest(struct step_kinds *out, const struct config *c, int source,
                  int target)
{
    int longest = source > target ? source : target;
    struct buckets b;

    *out = (struct step_kinds){1, {{c->batch, source, target, 1}}};
    if (c->batch_by == BATCH_EXAMPLES)
        return;
    buckets_of_cell(&b, c);
    out->n = 1 + buckets_of(&b, longest);
    for (int k = 0; k < out->n; k++)
        out->of[k] = (struct step_kind){b.rows[k], fmin(b.most[k], source),
                                        fmin(b.most[k], target), 0};
}

static void by_buckets(struct step_kinds *out, const struct buckets *b,
                       const struct lengths *l)
{
    double steps = 0;

    out->n = 0;
    for (int k = 0; k < b->n; k++) {
        const struct lengths_of *of = &l->bucket[k];

        if (of->share == 0)
            continue;
        out->of[out->n++] = (struct step_kind){
            b->rows[k], of->source, of->target, of->share / b->rows[k]};
        steps += of->share / b->rows[k];
    }
    for (int i = 0; i < out->n; i++)
        out->of[i].share /= steps;
}

/* If only mean lengths are known, assumes that all examples have these
 * lengths. */
void step_expected(struct step_kinds *out, const struct config *c,
                   const struct lengths *l)
{
    int longest = (int)ceil(fmax(l->source, l->target));
    struct buckets b;

    *out = (struct step_kinds){1, {{c->batch, l->source, l->target, 1}}};
    if (c->batch_by == BATCH_EXAMPLES)
        return;
    buckets_of_cell(&b, c);
    int k = buckets_of(&b, longest);
    out->of[0].rows = b.rows[k < 0 ? b.n - 1 : k];
    if (l->bucket)
        by_buckets(out, &b, l);
}
