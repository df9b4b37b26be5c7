#include "harness/cmd/compare_lines.h"

#include "harness/stats/verdict.h"

#include <math.h>

static const char *interval(const void *row, struct arena *a)
{
    const struct verdict *v = &((const struct compare_line *)row)->is.verdict;

    if (isnan(v->between.low))
        return isnan(v->p) ? "unknown" : "too few seeds";
    return arena_format(a, "%+.4g to %+.4g", v->between.low, v->between.high);
}

static const char *p_value(const void *row, struct arena *a)
{
    double p = ((const struct compare_line *)row)->is.verdict.p;
    char text[24];

    return isnan(p) ? "unknown" : arena_text(a, verdict_p(p, text));
}

/* Returns "B is better, tested as ce", "undecided, needs 2 more seeds in
 * common" or, if there is no test, "none". */
static const char *verdict(const void *row, struct arena *a)
{
    const struct compare_line *l = row;
    const struct compare_row *r = &l->is;
    int decided = !strcmp(l->verdict, "better") ||
                  !strcmp(l->verdict, "worse");
    const char *more = "";

    if (r->more && !isnan(r->verdict.p))
        more = arena_format(a, ", needs %zu more seed%s %s", r->more,
                            r->more == 1 ? "" : "s",
                            r->paired ? "in common" : "of each");
    return arena_format(a, "%s%s%s%s%s%s", decided && !*more ? "B is " : "",
                        *more ? "undecided"
                        : isnan(r->verdict.p) ? "none" : l->verdict, more,
                        decided && !*more ? l->scope : "",
                        r->as ? ", tested as " : "", r->as ? r->as : "");
}

#define OF(member) COLUMN(struct compare_line, is.member)
#define MEASURES                                                              \
    {"metric", "metric", OF(metric)},                                         \
    {"better", "better if", COLUMN(struct compare_line, better)},             \
    {"a", "A", OF(a), "%.5g"},                                                \
    {"b", "B", OF(b), "%.5g"},                                                \
    {"difference", "B - A", OF(difference), "%+.4g", "unknown"},              \
    {NULL, "interval", COLUMN_SHOWN, .show = interval},                       \
    {"low", NULL, OF(verdict.between.low)},                                   \
    {"high", NULL, OF(verdict.between.high)},                                 \
    {"p", "p", OF(verdict.p), .show = p_value},                               \
    {"p_unadjusted", NULL, OF(verdict.alone)},                                \
    {"sd_a", NULL, OF(seeds.sd_a)},                                           \
    {"sd_b", NULL, OF(seeds.sd_b)},                                           \
    {"interquartile_mean_a", NULL, OF(seeds.iqm_a)},                          \
    {"interquartile_mean_b", NULL, OF(seeds.iqm_b)},                          \
    {"a12", NULL, OF(seeds.a12)},                                             \
    {"hedges_g", NULL, OF(seeds.hedges_g)},                                   \
    {"cliff_delta", NULL, OF(seeds.cliff_delta)},                             \
    {"verdict", "verdict", COLUMN(struct compare_line, verdict),              \
     .show = verdict},                                                        \
    {"as", NULL, OF(as)},                                                     \
    {"test", NULL, OF(test)},                                                 \
    {"least_p", NULL, OF(floor)},                                             \
    {"more_seeds", NULL, OF(more)}

const struct column compare_columns[] = {MEASURES, {.type = COLUMN_END}};

const struct column compare_columns_stores[] = {
    {"task", "task", COLUMN(struct compare_line, task)},
    {"scale", NULL, COLUMN(struct compare_line, scale)},
    {"row", "row", COLUMN(struct compare_line, name)},
    {"seeds", "seeds", COLUMN(struct compare_line, pairs)},
    MEASURES,
    {"changed", NULL, COLUMN(struct compare_line, changed)},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct compare_line, synthetic)},
    {.type = COLUMN_END}};

struct compare_line *compare_lines(const struct comparison *c,
                                   const char *scope, struct arena *a)
{
    struct compare_line *all = arena_zero(a, ((size_t)c->rows + 1) *
                                                 sizeof *all);

    for (int i = 0; i < c->rows; i++)
        all[i] = (struct compare_line){
            .is = c->row[i], .scope = scope,
            .better = c->row[i].better > 0 ? "higher" : "lower",
            .verdict = compare_verdict(c, &c->row[i])};
    return all;
}

const char *compare_headline(const struct compare_line *l, struct arena *a)
{
    const char *word = verdict(l, a), *between = interval(l, a);

    if (!strcmp(l->verdict, "better") || !strcmp(l->verdict, "worse"))
        return arena_format(a, "B is %s by %.4g in %s%s; B - A: %s",
                            l->verdict, fabs(l->is.difference), l->is.metric,
                            l->scope, between);
    return arena_format(a, "%s: %s; B - A: %+.4g (%s)", l->is.metric, word,
                        l->is.difference, between);
}
