/* stage_exact: implements the stages "bits", "exact" and "start" of judge.h,
 * which need no statistics.  They report pairs of cells with the same bits or
 * with different data, metrics that are computed differently, first losses that
 * differ by more than rounding, and cells or metrics that only one side has. */
#include "harness/gate/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int same_text(const struct baseline_cell *a,
                     const struct baseline_cell *b, const char *what)
{
    const char *x = baseline_text(a, what), *y = baseline_text(b, what);

    return x && y ? !strcmp(x, y) : x == y;
}

int stage_exact_comparable(struct judging *w, const char *cell,
                           const struct baseline_value *a,
                           const struct baseline_value *b)
{
    struct arena *m = w->out->memory;

    if (!b)
        judge_add(w->out, cell, a->what, JUDGE_MISSING, "exact",
                  "no longer measured");
    else if (strcmp(a->units, b->units))
        judge_values(w, cell, a, b, JUDGE_CHANGED, "exact",
                     arena_format(m, "the units were %s and are %s", a->units,
                                  b->units));
    else if (strcmp(a->signature, b->signature))
        judge_values(w, cell, a, b, JUDGE_CHANGED, "exact",
                     arena_format(m, "computed differently: %s, now %s",
                                  a->signature, b->signature));
    else
        return 1;
    return 0;
}

void stage_exact_added(struct judging *w, const struct cell_pair *m)
{
    for (int i = 0; i < m->b->n; i++)
        if (baseline_is_metric(&m->b->value[i]) &&
            !baseline_value(m->a, m->b->value[i].what))
            judge_add(w->out, m->a->name, m->b->value[i].what, JUDGE_ADDED,
                      "exact", "not in the baseline");
}

/* Judges a pair of cells that have the same weights and the same data. */
static void judge_exactly(struct judging *w, const struct cell_pair *m)
{
    int moved = 0;

    for (int i = 0; i < m->a->n; i++) {
        const struct baseline_value *a = &m->a->value[i];
        const struct baseline_value *b = baseline_value(m->b, a->what);

        if (!baseline_is_metric(a) ||
            !stage_exact_comparable(w, m->a->name, a, b) ||
            a->value == b->value || (isnan(a->value) && isnan(b->value)))
            continue;
        moved = 1;
        judge_values(w, m->a->name, a, b, JUDGE_CHANGED, "exact", "the weights "
                     "and the data are the same: the metric is computed "
                     "differently");
    }
    stage_exact_added(w, m);
    if (!moved)
        judge_add(w->out, m->a->name, "", JUDGE_EQUAL, "exact", "weights and "
                  "metrics are the same, but other results differ: `synthbench "
                  "compare --digests` lists them");
}

/* If the model or the length of training differs, adds a row and returns 1;
 * otherwise returns 0. */
static int other_size(struct judging *w, const struct cell_pair *m)
{
    static const struct { const char *what, *why; } size[] = {
        {"params", "different model: number of learned parameters"},
        {"flops_per_step", "different model: operations per step"},
        {"tokens", "trained on a different number of targets"}};

    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        const struct baseline_value *a = baseline_value(m->a, size[i].what);
        const struct baseline_value *b = baseline_value(m->b, size[i].what);

        if (!a || !b || a->value == b->value)
            continue;
        judge_values(w, m->a->name, a, b, JUDGE_CHANGED, "exact", size[i].why);
        return 1;
    }
    return 0;
}

/* Returns how much a different order of summation may change a loss of the
 * first steps, relative to the loss.  The largest change that was measured, on
 * the 110 cells of experiments/smoke.yaml, was 6e-7; a different number of
 * shards, or plain loops instead of oneDNN's products, caused it.  For bf16 the
 * limit is larger, because bf16 rounds 2^16 times as coarsely as fp32, although
 * sums are in fp32. */
static double rounding(const struct baseline_cell *c)
{
    const char *config = baseline_text(c, "config");

    return config && strstr(config, "\"bf16\"") ? 1e-3 : 1e-5;
}

/* Adds a row if the cells have the same configuration but their first training
 * losses differ by more than rounding. */
static void other_start(struct judging *w, const struct cell_pair *m)
{
    const char *a = baseline_text(m->a, "start");
    const char *b = baseline_text(m->b, "start");

    if (!a || !b || !same_text(m->a, m->b, "id"))
        return;
    for (int i = 1; i <= BASELINE_START; i++) {
        char *after_a, *after_b;
        double x = strtod(a, &after_a), y = strtod(b, &after_b);

        if (!(fabs(y - x) <= rounding(m->a) * fabs(x))) {
            struct judged *r = judge_add(
                w->out, m->a->name, "start", JUDGE_CHANGED, "start",
                arena_format(w->out->memory, "the training loss of step %d "
                             "differs by more than rounding: the computation "
                             "has changed", i));
            r->old = x;
            r->new = y;
            r->difference = y - x;
            return;
        }
        a = after_a;
        b = after_b;
    }
}

int stage_exact_pair(struct judging *w, const struct cell_pair *m)
{
    const char *name = (m->a ? m->a : m->b)->name;

    if (!m->b) {
        judge_add(w->out, name, "", JUDGE_MISSING, "exact", "not trained, or "
                  "not finished");
        return 0;
    }
    if (!m->a) {
        judge_add(w->out, name, "", JUDGE_ADDED, "exact",
                  "not in the baseline");
        return 0;
    }
    w->out->cells++;
    if (!pair_moved(m)) {
        judge_add(w->out, name, "", JUDGE_SAME, "bits", "bit-identical");
        stage_exact_added(w, m);
        return 0;
    }
    if (!same_text(m->a, m->b, "data")) {
        judge_add(w->out, name, "", JUDGE_CHANGED, "exact", "different "
                  "data: training, validation or test text has changed");
        return 0;
    }
    if (other_size(w, m))
        return 0;
    if (same_text(m->a, m->b, "weights")) {
        judge_exactly(w, m);
        return 0;
    }
    other_start(w, m);
    return 1;
}

static int same_weights(const struct baseline_cell *a,
                        const struct baseline_cell *b)
{
    return a && b && baseline_text(a, "weights") && same_text(a, b, "weights");
}

void stage_exact_seeds(struct judging *w, const struct cell_pair *m, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            if (!same_weights(m[k].b, m[i].b) ||
                !pair_same_group(m[k].b->name, m[i].b->name) ||
                same_weights(m[k].a, m[i].a))
                continue;
            judge_add(w->out, m[i].b->name, "", JUDGE_CHANGED, "exact",
                      arena_format(w->out->memory, "the same weights as %s: "
                                   "the seed has no effect", m[k].b->name));
            break;
        }
}

