#include "harness/tasks/lengths.h"

#include "harness/data/buckets.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"
#include "harness/tasks/rows.h"

#include <limits.h>
#include <math.h>

static void longest(struct lengths *out, const struct task *t,
                    const struct task_opts *o)
{
    const int asked[SPLITS] = {o->train, o->valid, o->test};

    *out = (struct lengths){.source = o->length, .words = "",
                            .target = task_target(t, o)};
    for (int s = 0; s < SPLITS; s++)
        out->longest[s] = (struct longest){asked[s] ? asked[s] : INT_MAX,
                                           o->length, task_target(t, o)};
    if (t->kind == TASK_LANGUAGE)
        out->source = 0;
    if (t->kind == TASK_CLASSIFY)
        out->target = 0;
}

/* Returns the number of ids of `words` words and an end mark, at most `most`.
 * If `words` is 0 (unknown), returns `most`. */
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

static void add_example(struct lengths_of *of, const struct example *r)
{
    of->share++;
    of->source += r->nsource;
    of->target += r->ntarget;
}

static void mean(struct lengths_of *of, double n)
{
    of->source /= of->share;
    of->target /= of->share;
    of->share /= n;
}

static void longest_of(struct lengths *out, const struct dataset *d)
{
    for (int s = 0; s < SPLITS; s++) {
        const struct examples *e = &d->split[s];
        struct longest *l = &out->longest[s];

        *l = (struct longest){.n = e->n};
        for (int i = 0; i < e->n; i++) {
            const struct example r = examples_row(e, i, NULL);

            l->source = r.nsource > l->source ? r.nsource : l->source;
            l->target = r.ntarget > l->target ? r.ntarget : l->target;
        }
    }
}

void lengths_measure(struct lengths *out, const struct dataset *d, int longest,
                     struct arena *a)
{
    const struct examples *e = &d->split[SPLIT_TRAIN];
    struct lengths_of all = {0}, *of = arena_zero(a, BUCKETS * sizeof *of);
    struct buckets b;

    buckets_make(&b, 1, 1, longest);
    for (int i = 0; i < e->n; i++) {
        const struct example r = examples_row(e, i, NULL);
        int k = buckets_of(&b, r.nsource > r.ntarget ? r.nsource : r.ntarget);

        add_example(&all, &r);
        if (k >= 0)
            add_example(&of[k], &r);
    }
    for (int k = 0; k < b.n; k++)
        if (of[k].share > 0)
            mean(&of[k], e->n);
    mean(&all, e->n);
    *out = (struct lengths){all.source, all.target, LENGTHS_PREPARED, "",
                            .bucket = of};
    longest_of(out, d);
}

/* Sets the numbers of rows of running text if they are prepared.  The lengths
 * need no measurement: each row has the greatest possible length. */
static void counted(struct lengths *out, const struct task *t,
                    const struct task_opts *o)
{
    int n[SPLITS];

    if (!o->files || recipe_counts(n, t, o) != 1)
        return;
    for (int s = 0; s < SPLITS; s++)
        out->longest[s].n = n[s];
}

void task_lengths(struct lengths *out, const struct task *t,
                  const struct task_opts *o, struct arena *a)
{
    OWNED(dataset_close) struct dataset d = {0};

    longest(out, t, o);
    if (!o->official || o->synthetic || !t->files)
        return;
    if (rows_run(t->kind)) {
        counted(out, t, o);
        return;
    }
    published(out, &t->files->typical);
    if (o->files && recipe_prepared(&d, t, o) == 1 && d.split[SPLIT_TRAIN].n)
        lengths_measure(out, &d, o->length, a);
}
