/*
 * trained: judges claims of kind `trained`.  claims_judge calls trained_judge.
 * Let d be the amount by which row a is better than row b (report/evidence.h),
 * and m the `margin` of the case, the smallest difference that matters:
 *
 *   better    holds    d is significantly above 0, and its interval above m
 *             fails    d is significantly below 0, or its interval below m
 *   as good   holds    the interval of d is above -m
 *             fails    the interval of d is below -m
 *
 * Otherwise the claim is undecided, and report/power.h estimates how many more
 * seeds would distinguish the observed d from m (for "as good": from -m).
 *
 * A difference is significant if p is below 0.05, so that 0 is outside the
 * interval.  p and the interval are corrected for the number of all trained
 * cases in the file, whichever stores are given and whichever cases they can
 * decide.  So all intervals hold jointly with 95 % confidence
 * (stats/verdict.h).  If an experiment has contrasts (store/contrast.h), these
 * are the family of its tests instead, and claims about other pairs of its rows
 * are undecided.
 *
 * A case is decided only by stores of the experiments that it names.
 *
 * Whatever its numbers, a case is undecided if the experiment does not compare
 * rows on the case's task, or if no variant beats the model-free baseline on
 * the task.  It is also undecided if a row has one seed or has not converged
 * (report/learning.h).  There is one exception to convergence.  Let the drift
 * be the amount by which another tenth of training would change d.  "As good"
 * by ce (cross-entropy) is decided, even if a row has not converged, if adding
 * or subtracting the drift changes no verdict.
 */
#include "harness/claims/judge.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/config/experiment.h"
#include "harness/metrics/metric.h"
#include "harness/report/evidence.h"
#include "harness/report/result_table.h"
#include "harness/report/power.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double POWER = 0.8; /* power that the seeds must reach */

struct trial { /* a case and the store that decides it */
    struct claim_case   *of;
    const struct report *in;
    struct contrast      contrast;
    size_t               family;   /* number of tests corrected together  */
    int                  apart;    /* 1: rows with different test data    */
    const char          *column;   /* why the metric is not ranked; or NULL */
    const char          *withheld; /* why it is not judged; NULL: it is     */
};

struct trials {
    struct published *published;
    int               n;
    size_t            room;
    struct trial     *trial;
};

static void trials_close(struct trials *t)
{
    free(t->trial);
    published_close(t->published);
}
OWNER_OF_VALUE(trials_close, struct trials)

/* ---- stores that have the rows ---- */

/* Returns 1 if the cell `id` was trained for `steps` steps, or if `steps` is 0.
 * Returns 0 if the file of the cell cannot be read; the code that reads the
 * results reports the error. */
static int has_steps(const struct report *r, const char *id, long long steps)
{
    OWNED(cell_close) struct cell_reader *c = NULL;
    long long has;

    return !steps || (report_read(&c, r, id) == OK &&
                      cell_get_int(c, "config", "steps", &has) == OK &&
                      has == steps);
}

static int is_done(const struct report *in, const struct claim_rows *r,
                   const char *row, int synthetic)
{
    for (int i = 0; i < in->n; i++) {
        const struct report_cell *c = &in->cell[i];

        if (c->state == CELL_DONE && !strcmp(c->task, r->task) &&
            !strcmp(c->variant, row) && c->synthetic == synthetic &&
            has_steps(in, c->id, r->steps))
            return 1;
    }
    return 0;
}

/* Returns 1 if the case names the experiment of the store. */
static int is_named(const struct report *in, const struct claim_rows *r,
                    struct arena *a)
{
    for (const char *const *e = r->experiment; *e; e++)
        if (!strcmp(experiment_name(*e, a), in->name))
            return 1;
    return 0;
}

/* Returns the first store with finished cells of both rows, or NULL.  First
 * searches all stores for cells with real text, then for cells with synthetic
 * examples; sets *synthetic to 1 if it returns a store for the latter. */
static const struct report *store_of(int *synthetic, const struct claims_by *by,
                                     const struct claim_rows *r,
                                     struct arena *a)
{
    for (*synthetic = 0; *synthetic < 2; ++*synthetic)
        for (int i = 0; i < by->reports; i++)
            if (is_named(by->report[i], r, a) &&
                is_done(by->report[i], r, r->a, *synthetic) &&
                is_done(by->report[i], r, r->b, *synthetic))
                return by->report[i];
    *synthetic = 0;
    return NULL;
}

static void lacks(struct claim_case *of, struct arena *a)
{
    const struct claim_rows *r = &of->rows;
    OWNED(free) char *first = text_quoted(r->experiment[0]);
    const char *all = r->experiment[0];

    for (const char *const *e = r->experiment + 1; *e; e++)
        all = arena_format(a, "%s or %s", all, *e);
    of->verdict = CLAIM_NOT_HERE;
    of->why = arena_format(a, "no store of experiment %s has the rows %s and "
                              "%s on %s", all, r->a, r->b, r->task);
    if (r->steps)
        of->why = arena_format(a, "%s after %lld steps", of->why, r->steps);
    of->command = arena_format(a, file_exists(r->experiment[0])
                                      ? "synthbench run %s"
                                      : "synthbench run experiments/%s.yaml",
                               first);
}

static void find_trials(struct trials *t, struct claims *c,
                        const struct claims_by *by)
{
    size_t family = 0; /* number of trained cases in the file */

    for (int i = 0; i < c->n; i++)
        family += c->claim[i].kind == CLAIM_TRAINED ? (size_t)c->claim[i].cases
                                                    : 0;
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->claim[i].cases; k++) {
            struct claim_case *of = &c->claim[i].of[k];
            const struct report *in;

            if (c->claim[i].kind != CLAIM_TRAINED)
                continue;
            in = store_of(&of->synthetic, by, &of->rows, c->memory);
            if (!in) {
                lacks(of, c->memory);
                continue;
            }
            ARRAY_ROOM(t->trial, t->n, t->room);
            t->trial[t->n++] = (struct trial){
                .of = of, .in = in, .family = report_family(in, family)};
        }
}

/* ---- results ---- */

static int measure(struct trial *t, struct evidence *e)
{
    struct claim_case *of = t->of;
    const struct claim_rows *r = &of->rows;
    const struct contrast *c = &t->contrast;
    struct estimate a, b;

    PASS(evidence_of(&a, e, r->a, r->metric));
    PASS(evidence_of(&b, e, r->b, r->metric));
    PASS(evidence_contrast(&t->contrast, e, r->a, r->b, r->metric, t->family));
    t->apart = evidence_set(e, r->a) != evidence_set(e, r->b);
    of->measures = 3;
    of->measured[0] = (struct claim_measured){
        .measure = r->a, .value = a.value, .error = NAN, .between = a.between};
    of->measured[1] = (struct claim_measured){
        .measure = r->b, .value = b.value, .error = NAN, .between = b.between};
    of->measured[2] = (struct claim_measured){
        .measure = of->expect[0].measure, .value = c->difference,
        .error = c->mean.parts ? two_way_error(&c->mean) : NAN,
        .between = c->verdict.between};
    return OK;
}

/* Sets *why to the reason why a table of only this task and metric is not
 * ranked, or to NULL if it is ranked. */
static int read_column(const char **why, const struct report *in,
                         const struct claim_rows *r)
{
    const struct table_task task[] = {{r->task, r->task, NULL}, {.task = NULL}};
    const struct table_column column[] = {
        {r->task, r->metric, r->metric, r->metric, "", r->better, 3, NULL},
        {.task = NULL}};
    const struct table table = {.name = "claims", .title = "", .cite = "",
                                .task = task, .column = column};
    OWNED(result_close) struct result_table *s = NULL;

    PASS(result_fill(&s, &table, in, metric_all));
    *why = s->withheld[0] == WITHHELD_UNCOMPARED
               ? "the experiment does not compare the task"
           : s->withheld[0] == WITHHELD_UNINFORMATIVE
               ? "no variant beats the model-free baseline"
               : NULL;
    return OK;
}

/* ---- the verdict ---- */

/* Returns the amount by which row `a` is better than row `b`, with its
 * interval. */
static struct claim_measured advantage(const struct trial *t)
{
    struct claim_measured d = t->of->measured[2];

    if (t->of->rows.better < 0) {
        d.value = -d.value;
        d.between = (struct interval){-d.between.high, -d.between.low};
    }
    return d;
}

static enum claim_verdict of_better(const struct trial *t)
{
    struct claim_measured d = advantage(t);
    double margin = t->of->rows.margin;
    int significant = t->contrast.verdict.sign != 0;

    if (significant && d.between.low > margin)
        return CLAIM_HOLDS;
    return (significant && d.value < 0) || d.between.high < margin ? CLAIM_FAILS
                                                            : CLAIM_UNDECIDED;
}

/* Returns the verdict on an "as good" claim.  `shift` is the amount by which
 * more training may change the difference, in either direction. */
static enum claim_verdict of_as_good(const struct trial *t, double shift)
{
    struct claim_measured d = advantage(t);
    double margin = t->of->rows.margin;

    return d.between.low - shift > -margin   ? CLAIM_HOLDS
           : d.between.high + shift < -margin ? CLAIM_FAILS
                                              : CLAIM_UNDECIDED;
}

static const char *withheld_pair(const struct trial *t)
{
    const struct contrast *c = &t->contrast;
    const struct claim_rows *r = &t->of->rows;
    const struct contrast_named named = {r->task, r->metric, r->a, r->b};
    /* "As good" by ce is decided in spite of rows that have not converged, if
     * the drift, which is in units of ce, does not change the verdict. */
    int lasting = r->as_good && !strcmp(r->metric, "ce") &&
                  of_as_good(t, c->drift) != CLAIM_UNDECIDED;

    if (t->apart)
        return "the rows were tested on different data";
    if (!report_judges(t->in, &named))
        return claim_outside;
    if (isnan(c->difference))
        return "a row does not have the metric";
    if (c->seeds < 2)
        return "one seed";
    return c->unsettled && !lasting ? "not converged" : NULL;
}

/* Sets the reason why trial `i` is not judged, or NULL.  A reason that holds
 * for the whole metric is read once for each store, task and metric. */
static int read_withheld(struct trials *t, int i)
{
    struct trial *x = &t->trial[i];
    const struct claim_rows *r = &x->of->rows;
    int k = 0;

    while (t->trial[k].in != x->in || strcmp(t->trial[k].of->rows.task, r->task)
           || strcmp(t->trial[k].of->rows.metric, r->metric))
        k++;
    x->column = t->trial[k].column;
    if (k == i)
        PASS(read_column(&x->column, x->in, r));
    x->withheld = x->column ? x->column : withheld_pair(x);
    return OK;
}

/* Measures all trials that have the store and task of trial `first`. */
static int judge_task(struct trials *t, int first)
{
    const struct trial *of = &t->trial[first];
    const char *task = of->of->rows.task;
    OWNED(evidence_close) struct evidence *e = NULL;

    PASS(evidence_open(&e, of->in, task, metric_all));
    for (int i = first; i < t->n; i++) {
        struct trial *x = &t->trial[i];

        if (x->in != of->in || strcmp(x->of->rows.task, task))
            continue;
        PASS(measure(x, e));
        PASS(read_withheld(t, i));
    }
    return OK;
}

/* ---- explanation ---- */

/* Sets the reason of an undecided case, such as "needs 3 more seeds, 95 %
 * interval 1 to 40", and the number of seeds.  If test examples cause most of
 * the variance, the reason also states how many examples would decide the
 * case. */
static void ask_for_seeds(struct trial *t, struct arena *a)
{
    /* If the observed difference is the true one, the seeds must detect its
     * distance from the margin. */
    double margin = t->of->rows.as_good ? -t->of->rows.margin
                                        : t->of->rows.margin;
    struct power p = power_of(&t->contrast, fabs(advantage(t).value - margin),
                              STATS_LEVEL / (double)t->family, POWER);
    size_t have = t->contrast.seeds;
    const char *examples = "";

    if (p.share > 0.5 && p.examples)
        examples = arena_format(a, "; %.0f %% of the variance is due to the "
                                "%zu test examples, %zu would decide it",
                                100 * p.share, t->contrast.examples,
                                p.examples);
    if (!p.seeds) {
        t->of->why = arena_format(a, "no number of seeds is known to decide "
                                  "it: %s%s", p.why, examples);
        return;
    }
    t->of->needs = p.seeds > have ? p.seeds - have : 1;
    t->of->why = arena_format(
        a, "needs %zu more seed%s, 95 %% interval %zu to %s%s", t->of->needs,
        t->of->needs == 1 ? "" : "s", p.least > have ? p.least - have : 1,
        p.most > have ? arena_format(a, "%zu", p.most - have) : "over 10000",
        examples);
}

/* Returns the reason for a verdict that holds or fails, with the p-value. */
static const char *reason(const struct trial *t, struct arena *a)
{
    const char *what = "";
    char p[24];

    if (t->of->verdict == CLAIM_FAILS && t->of->rows.as_good)
        what = "worse by more than the margin";
    else if (t->of->verdict == CLAIM_FAILS)
        what = t->contrast.verdict.sign && advantage(t).value < 0
                   ? "worse" : "not better by the margin";
    return isnan(t->contrast.verdict.p)
               ? what
               : arena_format(a, "%s%sp %s", what, *what ? ", " : "",
                              verdict_p(t->contrast.verdict.p, p));
}

/* Returns "STORE#ROW/TASK", which names the row for `compare`, quoted.  The
 * caller frees it. */
static char *row_word(const struct trial *t, const char *row)
{
    OWNED(free) char *cells = str_format("%s#%s/%s", t->in->store, row,
                                         t->of->rows.task);

    return text_quoted(cells);
}

static void decide(struct trial *t, struct arena *a)
{
    struct claim_case *of = t->of;
    OWNED(free) char *one = row_word(t, of->rows.a);
    OWNED(free) char *other = row_word(t, of->rows.b);

    of->command = arena_format(a, "synthbench compare %s %s", one, other);
    of->verdict = CLAIM_UNDECIDED;
    of->why = t->withheld;
    if (t->withheld)
        return;
    of->verdict = of->rows.as_good ? of_as_good(t, 0) : of_better(t);
    if (of->verdict == CLAIM_UNDECIDED)
        ask_for_seeds(t, a);
    else
        of->why = reason(t, a);
}

/* ---- published values of the same rows ---- */

static int published_of(double *out, const struct published *p,
                        const struct claim_rows *r, const char *row)
{
    OWNED(free) char *variant = str_format("%.*s", (int)strcspn(row, ","), row);
    struct published_value v = {.value = NAN};
    int found = published_find(p, &v, variant, r->task, r->metric);

    *out = v.value;
    return found;
}

static void describe_published(struct claim_case *of, const struct published *p,
                          struct arena *a)
{
    const struct claim_rows *r = &of->rows;
    double x, y;

    /* published values are for the full training on real text */
    if (r->steps || of->synthetic || !published_of(&x, p, r, r->a) ||
        !published_of(&y, p, r, r->b))
        return;
    of->published = arena_format(
        a, "%g against %g: %s", x, y,
        x == y                    ? "equal"
        : r->better * (x - y) > 0 ? "better"
                                  : "worse");
}

int trained_judge(struct claims *c, const struct claims_by *by)
{
    OWNED(trials_close) struct trials t = {.n = 0};

    PASS(published_open(&t.published));
    find_trials(&t, c, by);
    for (int i = 0; i < t.n; i++)
        if (!t.trial[i].of->measures) /* the first of its store and task */
            PASS(judge_task(&t, i));
    for (int i = 0; i < t.n; i++)
        decide(&t.trial[i], c->memory);
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->claim[i].cases; k++)
            if (c->claim[i].kind == CLAIM_TRAINED)
                describe_published(&c->claim[i].of[k], t.published, c->memory);
    return OK;
}
