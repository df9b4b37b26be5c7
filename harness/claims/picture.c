/*
 * picture: draws the measured and the claimed values of a claim
 * (plots/interval_plot.h).  The command `claims` and the pages of a report
 * (site/claim.c) call claims_draw.  A panel holds the values that can share an
 * axis: a measure in all cases that have an expectation of it, the measures
 * with which these expectations compare it, and measures with the same
 * expectation.  A panel is omitted if every value in it equals the claimed
 * number exactly.
 */
#include "harness/claims/claims.h"
#include "harness/claims/judge.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/metrics/metric.h"
#include "plots/interval_plot.h"
#include "plots/unit.h"

#include <math.h>
#include <string.h>

struct item { /* a measure of a case */
    const struct claim_case     *of;
    const struct claim_measured *m;
    const struct claim_expect   *e; /* NULL: others compare with `m` */
    int                          panel;
};

struct items {
    const struct claim *claim;
    struct arena       *memory;
    int                 n;
    struct item        *item;
};

/* ---- selection ---- */

/* Adds the measures of a case that have an expectation, or with which an
 * expectation compares. */
static void take_case(struct items *t, const struct claim_case *of)
{
    for (int i = 0; i < of->measures; i++) {
        const struct claim_measured *m = &of->measured[i];

        if (isfinite(m->value) && expect_uses(of, m->measure)) {
            t->item[t->n] = (struct item){of, m, expect_of(of, m->measure),
                                          t->n};
            t->n++;
        }
    }
}

/* ---- panels ---- */

static int is_than(const struct item *x, const struct item *y)
{
    return x->of == y->of && x->e && x->e->than &&
           !strcmp(x->e->than, y->m->measure);
}

/* Returns 1 if two items can share an axis.  Items of a trained claim are
 * differences between rows; they can if they have the same metric. */
static int is_alike(const struct items *t, const struct item *x,
                    const struct item *y)
{
    if (t->claim->kind == CLAIM_TRAINED)
        return !strcmp(x->of->rows.metric, y->of->rows.metric);
    return !strcmp(x->m->measure, y->m->measure) || is_than(x, y) ||
           is_than(y, x) || (x->e && y->e && !strcmp(x->e->text, y->e->text));
}

/* Joins the panels of items that can share an axis. */
static void share_panels(struct items *t)
{
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < i; k++) {
            int panel = t->item[k].panel, other = t->item[i].panel;

            if (!is_alike(t, &t->item[k], &t->item[i]))
                continue;
            for (int x = 0; x < t->n; x++)
                if (t->item[x].panel == other)
                    t->item[x].panel = panel;
        }
}

static int is_claimed_number(const struct item *x)
{
    return x->e && x->e->low == x->e->high && x->m->value == x->e->low;
}

/* ---- lines ---- */

/* Returns the expectation as text, in the unit of the panel. */
static const char *claim_text(const struct claim_expect *e, struct unit u,
                              struct arena *a)
{
    if (!e || u.of == 1)
        return e ? e->text : "";
    if (isinf(e->low) || isinf(e->high))
        return arena_format(a, "%.*s %.6g", (int)strspn(e->text, "<>="),
                            e->text, (isinf(e->low) ? e->high : e->low) / u.of);
    return e->low == e->high ? arena_format(a, "%.6g", e->low / u.of)
                             : arena_format(a, "%.6g to %.6g", e->low / u.of,
                                            e->high / u.of);
}

/* Returns the name of a line: the condition of the case, followed by the
 * measure if the panel has several measures.  If the case has no condition, the
 * name is the measure or, for a trained claim, the rows. */
static const char *name_of(const struct items *t, const struct item *x,
                           int several)
{
    const char *when = x->of->when, *measure = x->m->measure;

    if (t->claim->kind == CLAIM_TRAINED)
        return when ? when
                    : arena_format(t->memory, "%s - %s on %s", x->of->rows.a,
                                   x->of->rows.b, x->of->rows.task);
    if (when && several)
        return arena_format(t->memory, "%s: %s", when, measure);
    return when ? when : measure;
}

static struct interval_line line_of(const struct items *t, const struct item *x,
                                    int several, struct unit u)
{
    struct arena *a = t->memory;
    const struct claim_expect *e = x->e;
    struct interval claimed = {NAN, NAN};
    double from = 0;

    if (e && e->than)
        from = expect_measured(x->of, e->than)->value;
    if (e)
        claimed = (struct interval){e->low + from, e->high + from};
    return (struct interval_line){
        .of = x->of->when ? x->of->when : "", .measure = x->m->measure,
        .name = name_of(t, x, several), .value = x->m->value,
        .between = x->m->between, .claimed = claimed,
        .verdict = e ? claim_verdicts[expect_said(e, x->of, t->claim->kind)]
                     : "",
        .measured = u.of > 1 ? arena_format(a, "%.6g", x->m->value / u.of)
                             : claim_measured_text(t->claim, x->m, 1, a),
        .claim = claim_text(e, u, a)};
}

/* ---- titles and units ---- */

/* Returns 1 if item i is the first of its measure in its panel. */
static int is_first(const struct items *t, int i)
{
    int k = 0;

    while (t->item[k].panel != t->item[i].panel ||
           strcmp(t->item[k].m->measure, t->item[i].m->measure))
        k++;
    return k == i;
}

/* Returns the check's description of the measure.  For published numbers,
 * returns the arithmetic that computes the measure if it is the same in all
 * cases, else NULL. */
static const char *words_of(const struct claim *c,
                            const struct claim_measured *m)
{
    const char *text = m->what;

    for (int i = 0; !m->what && i < c->cases; i++)
        for (const struct claim_number *n = c->of[i].number; n->name; n++) {
            if (strcmp(n->name, m->measure))
                continue;
            if (text && strcmp(text, n->text))
                return NULL;
            text = n->text;
        }
    return text;
}

/* Returns a title such as "difference in token cross-entropy, nats/token, lower
 * is better", or with the meaning of the measure. */
static const char *measure_title(const struct items *t, const struct item *x,
                                 const char *unit)
{
    const struct claim_rows *r = &x->of->rows;
    const char *words = words_of(t->claim, x->m);

    for (const struct metric *const *m = metric_all;
         t->claim->kind == CLAIM_TRAINED && *m; m++)
        if (!strcmp((*m)->name, r->metric))
            return arena_format(t->memory, "difference in %s%s%s, %s is better",
                                (*m)->title, strcmp((*m)->unit, "1") ? ", "
                                : "", strcmp((*m)->unit, "1") ? (*m)->unit : "",
                                r->better > 0 ? "higher" : "lower");
    return arena_format(t->memory, "%s%s%s%s%s", x->m->measure, !words ? "" :
                        t->claim->check ? ": " : " = ", words ? words : "",
                        *unit ? ", " : "", unit);
}

static struct interval_panel panel_of(const struct items *t, int panel)
{
    struct arena *a = t->memory;
    size_t room = (size_t)t->n + 1;
    struct interval_line *line = arena_zero(a, room * sizeof *line);
    const char **title = arena_zero(a, room * sizeof *title);
    double least = INFINITY;
    int n = 0, titles = 0, measures = 0;

    for (int i = 0; i < t->n; i++)
        if (t->item[i].panel == panel) {
            least = fmin(least, fabs(t->item[i].m->value));
            measures += is_first(t, i);
        }
    /* If all values are at least one million, such as the parameters of whole
     * models, the unit scales them. */
    struct unit u = unit_of(isfinite(least) && least >= 1e6 ? least : 1);
    for (int i = 0; i < t->n; i++) {
        if (t->item[i].panel != panel)
            continue;
        if (is_first(t, i))
            title[titles++] = measure_title(t, &t->item[i], u.word);
        line[n++] = line_of(t, &t->item[i], measures > 1, u);
    }
    return (struct interval_panel){title, u.of, n, line};
}

int claims_draw(const struct claim *c, const struct output *to)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct items t = {.claim = c, .memory = a};
    struct interval_plot r = {.panels = 0};

    t.item = arena_zero(a, ((size_t)c->cases * CLAIM_MEASURES + 1) *
                               sizeof *t.item);
    for (int i = 0; i < c->cases; i++)
        take_case(&t, &c->of[i]);
    share_panels(&t);
    struct interval_panel *panel = arena_zero(a, ((size_t)t.n + 1) *
                                                  sizeof *panel);
    r.panel = panel;
    for (int p = 0; p < t.n; p++) {
        int shown = 0; /* 1: an item is not exactly the claimed number */

        for (int i = 0; i < t.n; i++)
            shown |= t.item[i].panel == p && !is_claimed_number(&t.item[i]);
        if (shown)
            panel[r.panels++] = panel_of(&t, p);
    }
    if (!r.panels)
        return err_set(ERR_EMPTY, "%s: %s", c->id,
                       t.n ? "no picture: all numbers equal the claimed ones"
                           : "no picture: nothing was measured");
    r.title = arena_format(a, "%s  %s", c->id, c->text);
    r.verdict = claim_verdict_text(c, a);
    return interval_plot(&r, to, arena_format(a, "claim_%s", c->id));
}
