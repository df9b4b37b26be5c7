/*
 * forest: paired differences with their intervals, one picture for each task, a
 * line for each pair.  The pairs are each variant against vanilla with the same
 * settings ("random,tuned" against "vanilla,tuned") and the pairs of the
 * paper's tables; or the contrasts of the experiment, if it has any.  The pairs
 * with the same settings come first.  Both kinds of pairs are sorted by
 * difference, the best first.  There is a panel for the cross-entropy and one
 * for the first metric of the task that the paper publishes.  All lines of a
 * picture are one family of tests (stats/verdict.h): their intervals hold
 * jointly with 95 %, and no interval contradicts its verdict.
 *
 * A variant has no line if the loss of one of its seeds is not sane
 * (SELECT_WORST).
 */
#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/metric.h"
#include "harness/report/evidence.h"
#include "harness/report/outcomes.h"
#include "plots/metric_columns.h"
#include "plots/figure.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS = 2, HEAD = 112, LINE = 26, FOOT = 112 }; /* pixels */
enum { NUMBERS = 205 }; /* least width of the text beside a panel */
static const double LETTER = 7.8; /* width of a letter of this text */

static const char BASE[] = "vanilla";

/* known: a difference is known; same: both have the same settings, or are a
 * contrast of the experiment; gain: by how much a is better in the first panel
 * in which the difference is known. */
struct pair { const char *a, *b; int known, same; double gain; };

struct row {
    int         panel, line;           /* from 1                           */
    const char *a, *b, *metric;
    double      difference, low, high; /* a - b, and its interval          */
    const char *verdict;               /* on a                             */
    int         seeds, examples;       /* 0 examples: not used             */
    const char *text, *by_seed;        /* text beside the line; difference of
                                          each seed, "-": none             */
};

static const struct column columns[] = {
    {"panel", NULL, COLUMN(struct row, panel)},
    {"line", NULL, COLUMN(struct row, line)},
    {"a", NULL, COLUMN(struct row, a)},
    {"b", NULL, COLUMN(struct row, b)},
    {"metric", NULL, COLUMN(struct row, metric)},
    {"difference", NULL, COLUMN(struct row, difference)},
    {"low", NULL, COLUMN(struct row, low)},
    {"high", NULL, COLUMN(struct row, high)},
    {"verdict", NULL, COLUMN(struct row, verdict)},
    {"seeds", NULL, COLUMN(struct row, seeds)},
    {"examples", NULL, COLUMN(struct row, examples)},
    {"text", NULL, COLUMN(struct row, text)},
    {"by_seed", NULL, COLUMN(struct row, by_seed)},
    {.type = COLUMN_END}};

struct forest {
    const struct report *report;
    const char          *task;
    struct evidence     *evidence;
    const char          *loss_unit;
    enum select_lost    *lost; /* one for each cell of the report */
    int                  pairs, panels, uncompared;
    int                  letters; /* of the longest text beside a panel */
    size_t               room;
    struct pair         *pair;
    struct table_column  panel[PANELS];
    size_t               tests;         /* tests in the family          */
    double               most[PANELS];  /* largest difference of a pair
                                           with `same`                  */
    double               reach[PANELS]; /* largest bound or difference  */
    int                  seeds;         /* maximum over the lines       */
};

static void forest_close(struct forest *f)
{
    evidence_close(f->evidence);
    free(f->pair);
}
OWNER_OF_VALUE(forest_close, struct forest)

/* ---- which pairs ---- */

static int is_pair(const struct pair *p, const char *a, const char *b)
{
    return !strcmp(p->a, a) && !strcmp(p->b, b);
}

/* Adds a pair, unless the list has it in this or the reverse order. */
static void add_pair(struct forest *f, const char *a, const char *b, int same)
{
    for (int i = 0; i < f->pairs; i++)
        if (is_pair(&f->pair[i], a, b) || is_pair(&f->pair[i], b, a))
            return;
    ARRAY_ROOM(f->pair, f->pairs, f->room);
    f->pair[f->pairs++] = (struct pair){a, b, 0, same, NAN};
}

/* Returns "vanilla,tuned" for "random,tuned", or NULL for "vanilla,tuned"
 * itself. */
static const char *base_of(const struct forest *f, const char *variant)
{
    const char *settings = strchr(variant, ',');
    const char *base = arena_format(f->report->memory, "%s%s", BASE,
                                    settings ? settings : "");

    return strcmp(base, variant) ? base : NULL;
}

static void take_contrasts(struct forest *f)
{
    for (int i = 0; i < f->report->contrasts; i++)
        if (!strcmp(f->report->contrast[i].task, f->task))
            add_pair(f, f->report->contrast[i].a, f->report->contrast[i].b, 1);
}

static void take_pairs(struct forest *f)
{
    for (const char *const *v = select_variants(f->report); *v; v++)
        if (base_of(f, *v))
            add_pair(f, *v, base_of(f, *v), 1);
    for (int i = 0; table_all[i]; i++)
        for (const struct contrast_named *p = table_all[i]->pair; p && p->task;
             p++)
            if (!strcmp(p->task, f->task))
                add_pair(f, p->a, p->b, 0);
}

/* Selects the metrics of the panels: cross-entropy, and the first metric that
 * the paper publishes and that the test of cross-entropy does not decide. */
static void take_panels(struct forest *f)
{
    const struct table_column *c = metric_column_all(f->report, f->task);

    f->panel[f->panels++] = (struct table_column){
        f->task, "ce", "", "cross-entropy", f->loss_unit, -1, 3, NULL};
    for (; c->task && f->panels < PANELS; c++)
        if (c->published && !strcmp(c->published, c->metric) &&
            strcmp(measure_test(c->metric), "ce"))
            f->panel[f->panels++] = *c;
}

/* ---- the differences of pairs ---- */

static int contrast(struct contrast *out, struct forest *f, const struct pair
                    *p, int panel, size_t tests)
{
    return evidence_contrast(out, f->evidence, p->a, p->b,
                             f->panel[panel].metric, tests);
}

static int is_lost(const struct forest *f, const struct pair *p)
{
    return select_has_lost(f->report, f->task, p->a, f->lost) ||
           select_has_lost(f->report, f->task, p->b, f->lost);
}

static int is_known(const struct contrast *c)
{
    return isfinite(c->difference) && isfinite(c->verdict.between.low);
}

/* Marks the pairs with a known difference and sets f->tests.  A difference
 * without an interval is not a test. */
static int count_tests(struct forest *f)
{
    for (int i = 0; i < f->pairs; i++)
        for (int k = 0; k < f->panels; k++) {
            struct contrast c;

            if (is_lost(f, &f->pair[i]))
                continue;
            PASS(contrast(&c, f, &f->pair[i], k, 1));
            f->pair[i].known |= isfinite(c.difference) != 0;
            if (isnan(f->pair[i].gain))
                f->pair[i].gain = f->panel[k].better * c.difference;
            f->tests += (size_t)is_known(&c);
            if (f->pair[i].same && isfinite(c.difference))
                f->most[k] = fmax(f->most[k], fabs(c.difference));
        }
    f->tests = report_family(f->report, f->tests + !f->tests);
    return OK;
}

/* Orders pairs for qsort.  Equal ones are in alphabetical order. */
static int by_gain(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;

    if (p->same != q->same)
        return q->same - p->same;
    if (p->gain != q->gain && !isnan(p->gain) && !isnan(q->gain))
        return p->gain < q->gain ? 1 : -1;
    if (isnan(p->gain) != isnan(q->gain))
        return isnan(p->gain) - isnan(q->gain);
    int order = strcmp(p->a, q->a);
    return order ? order : strcmp(p->b, q->b);
}

static int is_judged(const struct forest *f, const struct pair *p, int panel)
{
    return report_judges(f->report, &(struct contrast_named){
                                        f->task, f->panel[panel].metric, p->a,
                                        p->b});
}

static const char *verdict_text(const struct forest *f, const struct pair *p,
                                const struct contrast *c, int panel)
{
    if (f->uncompared)
        return withheld_text[WITHHELD_UNCOMPARED];
    if (!is_judged(f, p, panel))
        return withheld_text[WITHHELD_CONTRASTS];
    if (c->unsettled)
        return withheld_text[WITHHELD_LEARNING];
    return verdict_word(&c->verdict, f->panel[panel].better);
}

/* ---- the picture ---- */

/* Extends the range of a panel by a difference and its interval.  The axis
 * shows every interval, but reaches at most three times the largest difference
 * with the same settings.  An interval beyond the axis ends in an arrow; its
 * numbers are printed in full. */
static void widen(struct forest *f, int panel, const struct contrast *c)
{
    const struct interval *i = &c->verdict.between;
    double most = fabs(c->difference);

    if (isfinite(i->low) && isfinite(i->high))
        most = fmax(most, fmax(fabs(i->low), fabs(i->high)));
    f->reach[panel] = fmax(f->reach[panel], most);
}

/* Returns the length of the axis on either side of zero. */
static double reach(const struct forest *f, int panel)
{
    double x = fmin(1.1 * f->reach[panel], 3 * f->most[panel]);

    return x > 0 ? x : 1;
}

/* Returns 1 if an interval reaches beyond its axis. */
static int has_arrow(const struct forest *f)
{
    for (int k = 0; k < f->panels; k++)
        if (f->reach[k] > reach(f, k))
            return 1;
    return 0;
}

/* Returns `decimals`, or more if x would have fewer significant digits than
 * `digits`. */
static int decimals_for(double x, int digits, int decimals)
{
    return isfinite(x) && x
               ? (int)fmax(decimals, digits - 1 - floor(log10(fabs(x))))
               : decimals;
}

/* Returns the number of decimals: the same for all lines of a panel, unless
 * the difference or a bound needs more to have one significant digit. */
static int decimals_of(const struct forest *f, int panel,
                       const struct contrast *d)
{
    const struct interval *i = &d->verdict.between;
    int n = decimals_for(3 * f->most[panel], 3, f->panel[panel].decimals);

    return decimals_for(i->low, 1, decimals_for(i->high, 1, decimals_for(
                                       d->difference, 1, n)));
}

/* Formats a number; zero gets no minus sign. */
static const char *number(struct arena *a, double x, int decimals, int sign)
{
    enum { MOST = 5 };

    return decimals <= MOST && fabs(x) < 1e6
               ? arena_format(a, sign ? "%+.*f" : "%.*f", decimals, x + 0.0)
               : arena_format(a, sign ? "%+.2g" : "%.2g", x + 0.0);
}

/* Returns a difference and its interval: "-0.025 [-0.031, -0.019]" or "-2.1e-07
 * [-4e-07, -3.5e-08]". */
static const char *difference_text(const struct forest *f, int panel,
                        const struct contrast *d)
{
    const struct interval *i = &d->verdict.between;
    struct arena *a = f->report->memory;
    int n = decimals_of(f, panel, d);
    const char *x = number(a, d->difference, n, 1);

    if (isfinite(i->low))
        return arena_format(a, "%s [%s, %s]", x, number(a, i->low, n, 0),
                            number(a, i->high, n, 0));
    return d->more ? arena_format(a, "%s, needs %zu more seed%s", x, d->more,
                                  d->more == 1 ? "" : "s")
                   : arena_format(a, "%s, no interval", x);
}

/* Returns the difference of each seed that both variants have, or "-" if there
 * are fewer than two. */
static const char *seeds_text(const struct forest *f, const struct pair *p,
                              const char *metric, size_t seeds)
{
    struct arena *a = f->report->memory;
    struct text t = {0};
    struct result_by_seed *x;
    int n = evidence_by_seed(&x, f->evidence, p->a, p->b, metric, a);

    for (int i = 0; seeds > 1 && i < n; i++)
        if (isfinite(x[i].a - x[i].b))
            text_format(&t, "%s%.9g", t.n ? " " : "", x[i].a - x[i].b);
    return t.n ? text_keep(&t, a) : "-";
}

static int put_line(struct picture *p, struct forest *f,
                    const struct pair *pair, int line)
{
    picture_text_i(p, "pair", line, "%s - %s", pair->a, pair->b);
    for (int k = 0; k < f->panels; k++) {
        struct contrast c;

        PASS(contrast(&c, f, pair, k, f->tests));
        if (!isfinite(c.difference))
            continue;
        struct row row = {
            k + 1, line, pair->a, pair->b, f->panel[k].metric, c.difference,
            c.verdict.between.low, c.verdict.between.high,
            verdict_text(f, pair, &c, k), c.seeds ? (int)c.seeds : 1,
            (int)c.examples, difference_text(f, k, &c),
            seeds_text(f, pair, f->panel[k].metric, c.seeds)};
        picture_row(p, columns, &row);
        widen(f, k, &c);
        f->letters = (int)fmax(f->letters, (double)strlen(row.text));
        f->seeds = (int)fmax(f->seeds, (double)c.seeds);
    }
    return OK;
}

static void put_panels(struct picture *p, struct forest *f)
{
    for (int k = 0; k < f->panels; k++) {
        picture_number_i(p, "reach", k + 1, reach(f, k));
        picture_number_i(p, "better", k + 1, f->panel[k].better);
        picture_text_i(p, "axis", k + 1, "difference in %s, %s",
                       f->panel[k].what,
                     strcmp(f->panel[k].unit, "%") ? f->panel[k].unit
                                                   : "points");
    }
    picture_number(p, "panels", f->panels);
}

static void put_words(struct picture *p, const struct forest *f, int lines)
{
    picture_number(p, "lines", lines);
    picture_number(p, "seeds", f->seeds);
    picture_number(p, "height", HEAD + LINE * lines + FOOT);
    picture_number(p, "head", HEAD);
    picture_number(p, "foot", FOOT);
    picture_number(p, "numbers", fmax(NUMBERS, LETTER * f->letters + 24));
    picture_text(p, "title", "%s", select_title(f->report, "Paired differences",
                                                f->task));
    picture_text(p, "note", "a - b, its interval, the verdict on a%s; all "
                 "intervals of the %zu tests in this figure hold jointly with "
                 "95 %% (each with %.2f %%)%s%s", f->seeds < 2
                     ? " (this seed only)" : "", f->tests,
                 100 * (1 - STATS_LEVEL / (double)f->tests),
                 f->seeds < 2 ? "" : "; dots: seeds",
                 has_arrow(f) ? "; arrows: beyond the axis" : "");
    picture_text(p, "absent", "%s", select_absent(f->report, f->task, f->lost));
}

static int draw_forest(struct forest *f, const struct output *to)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("forest_%s", f->task);
    int lines = 0;

    PASS(picture_begin(&p, to, name));
    picture_head(&p, columns);
    for (int i = 0; i < f->pairs; i++)
        if (f->pair[i].known)
            PASS(put_line(&p, f, &f->pair[i], ++lines));
    if (!lines)
        return FIGURE_NONE;
    put_panels(&p, f);
    put_words(&p, f, lines);
    return picture_end(&p, "forest");
}

static int draw(const struct figure *figure, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(forest_close) struct forest f = {
        .report = r, .task = task, .uncompared = report_uncompared(r, task)};

    (void)figure;
    PASS(evidence_open(&f.evidence, r, task, metric_all));
    PASS(select_losses(&f.lost, r, task));
    PASS(select_loss_unit(&f.loss_unit, r, task));
    if (r->contrasts)
        take_contrasts(&f);
    else
        take_pairs(&f);
    take_panels(&f);
    PASS(count_tests(&f));
    if (f.pairs)
        qsort(f.pair, (size_t)f.pairs, sizeof *f.pair, by_gain);
    return draw_forest(&f, to);
}

const struct figure figure_forest = {
    .name = "forest",
    .title = "Each variant compared with vanilla: differences, intervals, "
             "verdicts",
    .none = "no variant has the same settings as vanilla",
    .draw = draw,
};
