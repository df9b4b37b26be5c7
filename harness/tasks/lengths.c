#include "harness/tasks/lengths.h"

#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"
#include "harness/tasks/rows.h"

#include <math.h>

static void longest(struct lengths *out, const struct task *t,
                    const struct task_opts *o)
{
    *out = (struct lengths){.source = o->length, .words = "",
                            .target = task_target(t, o)};
    if (t->kind == TASK_LANGUAGE)
        out->source = 0;
    if (t->kind == TASK_CLASSIFY)
        out->target = 0;
}

/* Words as ids and an end, of which no more than `most` are kept. */
static double as_ids(double words, double most)
{
    return words > 0 ? fmin(SUBWORDS * words + 1, most) : most;
}

static void published(struct lengths *out, const struct typical *of)
{
    if (!of->from)
        return;
    out->source = as_ids(of->source, out->source);
    out->target = as_ids(of->target, out->target);
    out->words = of->from;
    out->from = LENGTHS_PUBLISHED;
}

static void measured(struct lengths *out, const struct examples *e)
{
    double source = 0, target = 0;

    for (int i = 0; i < e->n; i++) {
        source += e->row[i].nsource;
        target += e->row[i].ntarget;
    }
    *out = (struct lengths){source / e->n, target / e->n, LENGTHS_PREPARED,
                            ""};
}

void task_lengths(struct lengths *out, const struct task *t,
                  const struct task_opts *o)
{
    OWNED(dataset_close) struct dataset d = {0};

    longest(out, t, o);
    if (!o->official || o->synthetic || !t->files || rows_run(t->kind))
        return;
    published(out, &t->files->typical);
    if (o->files && recipe_prepared(&d, t, o) == 1)
        measured(out, &d.split[SPLIT_TRAIN]);
}
