#include "harness/plan/table1.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The paper's base shape.  The task is classification, because any variant can
 * be the encoder of a classifier. */
static const struct assign base[] = {
    {"variant", "vanilla", ""}, {"task", "agnews", ""}, {"layers", "1", ""},
    {"d", "512", ""},           {"heads", "8", ""},     {"ff", "2048", ""},
    {"N", "256", ""},           {"rank", "8", ""}};

enum { BASE = sizeof base / sizeof *base };

static const struct table1_published published[TABLE1_COLUMNS] = {
    {"wmt14_ende", "quick", "Table 2, translation",
     "Counts are additive: a mixture has the parameters of its parts and "
     "one scalar per part. Rows that cannot match contradict this, whatever "
     "else is assumed.",
     1, 0},
    {"lm1b", "quick", "Table 2, LM1B",
     "Variants differ from the Transformer in the parameters of the scores "
     "only, but most published counts differ from its count by much more, so "
     "they are not counts of one standard model.", 1, 0},
    {"c4", "table4", "Table 4 and Narang et al. 2021, C4", NULL, 0, 1}};

/* ---- a layer of each variant ---- */

static double flops_only(const struct model_config *c,
                         const struct variant *v)
{
    struct layer_cost cost = layer_cost(c, v);

    return (isnan(cost.scores) ? 0 : cost.scores) + cost.mixing;
}

struct question {
    const struct model_config *c;
    const struct variant      *v, *dot;
    double (*measure)(const struct model_config *c, const struct variant *v);
};

static int is_cheaper(const struct question *q, int n)
{
    struct model_config c = *q->c;

    c.N = n;
    c.a = c.c = 0; /* 0 means the divisors nearest to sqrt(N) */
    return q->measure(&c, q->v) < q->measure(&c, q->dot);
}

/* Returns the first N at which the answer of is_cheaper differs from the answer
 * at SHORTEST.  To find out whether there is such an N, first tests powers of
 * two, and a prime, which is no product of two factors a and c near sqrt(N). */
static struct break_even search(const struct question *q)
{
    enum { SHORTEST = 2, LONGEST = 65536, PRIME = 65521 };
    int first = is_cheaper(q, SHORTEST), changes = 0, n = SHORTEST;

    for (int at = SHORTEST; at <= LONGEST && !changes; at *= 2)
        changes = is_cheaper(q, at) != first;
    if (!changes && is_cheaper(q, PRIME) == first)
        return (struct break_even){first ? CHEAPER_ALWAYS : CHEAPER_NEVER, 0};
    while (is_cheaper(q, n) == first)
        n++;
    return (struct break_even){first ? CHEAPER_BELOW : CHEAPER_FROM, n};
}

static int count_layers(struct table1 *t, const struct assigns *set)
{
    int n = BASE + set->n;
    struct assign *all = arena_take(t->memory, (size_t)n * sizeof *all);
    const struct variant *dot;

    memcpy(all, base, sizeof base);
    if (set->n)
        memcpy(all + BASE, set->a, (size_t)set->n * sizeof *all);
    for (int i = 0; i < set->n; i++)
        if (settings_is_axis(set->a[i].key))
            return err_set(ERR_USAGE, "-S %s: not a setting of a layer",
                           set->a[i].key);
    PASS(settings_resolve(&t->config, all, n));
    PASS(variant_find(&dot, t->config.variant));
    while (variant_all[t->rows])
        t->rows++;
    t->row = arena_zero(t->memory, (size_t)t->rows * sizeof *t->row);
    for (int i = 0; i < t->rows; i++) {
        const struct model_config *c = &t->config.model;
        const struct variant *v = variant_all[i];
        struct mix one = {1, {v}};
        const char *fault = model_fault(c, &one);

        if (fault)
            return err_set(ERR_USAGE, "%s: %s", v->name, fault);
        t->row[i] = (struct table1_row){
            v, layer_cost(c, v),
            search(&(struct question){c, v, dot, layer_cost_params}),
            search(&(struct question){c, v, dot, flops_only})};
    }
    return OK;
}

/* ---- the published columns ---- */

static const char *judge(const struct table1_column *c, struct count *k,
                         struct arena *a)
{
    char text[32];

    if (k->residual_equal == 0)
        return "match";
    if (k->residual_code == 0)
        return "match with heads: code";
    if (!c->of->free)
        return "no match";
    if (count_possible(k, c->row, 0) || count_possible(k, c->row, 1))
        return "match at another vocabulary";
    k->cannot = 1;
    return arena_format(a, "no vocabulary gives both this count and the "
                           "Transformer's %s",
                        count_printed(&c->row[0].claim, text));
}

static int fill_column(struct table1 *t, struct table1_column *c)
{
    const char *first = t->config.variant, *task = c->of->task;
    struct plan_of of = {.experiment = c->of->experiment,
                         .choice = {.scale = "full", .seeds = 1}};

    PASS(plan_open(&c->plan, &of));
    c->row = arena_zero(t->memory, (size_t)c->plan->n * sizeof *c->row);
    for (int i = 0; i < c->plan->n; i++) {
        struct count *k = &c->row[c->n];

        if (strcmp(c->plan->cell[i].config.task, task))
            continue;
        count_cell(k, &c->plan->cell[i], t->published);
        c->n += k->claim.value > 0;
    }
    if (!c->n || strcmp(c->row[0].cell->config.variant, first))
        return err_set(ERR_USAGE, "experiment %s: %s on %s must be the first "
                       "of the variants with published counts", of.experiment,
                       first, task);
    char *found = arena_zero(t->memory, (size_t)c->n + 1);
    if (c->of->free)
        c->matches = count_fit(&c->fit, c->row, c->n, c->of->code, found);
    for (int i = 0; i < c->n && c->of->free; i++)
        count_pieces(&c->row[i], c->fit.low - c->row[i].cell->config.vocab);
    for (int i = 0; i < c->n; i++)
        c->row[i].verdict = judge(c, &c->row[i], t->memory);
    return OK;
}

int table1_fill(struct table1 **out, const struct assigns *set)
{
    struct arena *a = arena_new();
    OWNED(table1_close) struct table1 *t = arena_zero(a, sizeof *t);

    *out = NULL;
    t->memory = a;
    PASS(published_open(&t->published));
    PASS(count_layers(t, set));
    for (int i = 0; i < TABLE1_COLUMNS; i++) {
        struct table1_column *c = &t->column[i];

        c->of = &published[i];
        PASS(fill_column(t, c));
    }
    return MOVE_OUT(out, t);
}

void table1_close(struct table1 *t)
{
    if (!t)
        return;
    for (int i = 0; i < TABLE1_COLUMNS; i++)
        plan_close(t->column[i].plan);
    published_close(t->published);
    arena_free(t->memory);
}
