#include "harness/claims/judge.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <math.h>
#include <string.h>

const char *const claim_verdicts[] = {"holds", "fails", "holds only if",
                                      "undecided", "not testable here", NULL};

/* Half-width of a 95 % interval, in standard errors. */
static const double REACH = 1.96;

/* ---- expectations ---- */

/* Reads the operand of a comparison: a number, or the name of a measure. */
static int operand(struct claim_expect *out, const char *text, double *x,
                   const char *const *measures)
{
    *x = 0;
    if (str_to_real(text, x) == 0)
        return OK;
    int i = names_find("measure", text, measures);
    PASS(i);
    out->than = measures[i];
    return OK;
}

static int comparison(struct claim_expect *out, const char *text,
                      const char *const *measures)
{
    int more = *text == '>', equal = text[1] == '=';
    const char *rest = text + 1 + equal;
    double x;

    rest += strspn(rest, " ");
    PASS(operand(out, rest, &x, measures));
    out->compares = 1;
    out->open = !equal;
    out->low = more ? x : -INFINITY;
    out->high = more ? INFINITY : x;
    return OK;
}

static int range(struct claim_expect *out, const char *text)
{
    const char *to = strstr(text, " to ");
    OWNED(free) char *low = to ? str_format("%.*s", (int)(to - text), text)
                               : str_copy(text);

    return str_to_real(low, &out->low) ||
                   str_to_real(to ? to + strlen(" to ") : low, &out->high) ||
                   out->low > out->high
               ? err_set(ERR_USAGE, "%s: '%s': expected a number, two numbers "
                         "with the smaller one first, such as [0.9, 1.1], or a "
                         "comparison, such as \"> 0.5\"", out->measure, text)
               : OK;
}

int expect_text(struct claim_expect *out, const char *measure, const char *text,
                const char *const *measures)
{
    *out = (struct claim_expect){.measure = measure, .text = text};
    return *text && strchr("<>", *text) ? comparison(out, text, measures)
                                        : range(out, text);
}

int expect_read(struct claim_expect *out, const struct node *n,
                const char *const *measures, struct arena *a)
{
    const struct node *low = n->child, *high = low ? low->next : NULL;
    const char *text = n->kind == NODE_TEXT ? n->text : "";

    if (high && !high->next && low->kind == NODE_TEXT &&
        high->kind == NODE_TEXT)
        text = strcmp(low->text, high->text)
                   ? arena_format(a, "%s to %s", low->text, high->text)
                   : low->text;
    return expect_text(out, n->key, text, measures);
}

/* ---- comparison with the measured values ---- */

const struct claim_measured *expect_measured(const struct claim_case *of,
                                             const char *measure)
{
    int i = 0;

    while (i < of->measures && strcmp(of->measured[i].measure, measure))
        i++;
    REQUIRE(i < of->measures, "%s was not measured", measure);
    return &of->measured[i];
}

/* Returns the value that the expectation restricts: the measure, or its
 * difference from the other measure, `than`. */
static struct claim_measured wanted(const struct claim_expect *e,
                                    const struct claim_case *of)
{
    struct claim_measured x = *expect_measured(of, e->measure);

    if (!e->than)
        return x;
    const struct claim_measured *y = expect_measured(of, e->than);
    double reach = hypot(x.between.high - x.value, y->between.high - y->value);

    x.value -= y->value;
    x.between = (struct interval){x.value - reach, x.value + reach};
    return x;
}

/* Returns the tolerance for comparisons with `x`, because decimal numbers such
 * as 27.67 have no exact double. */
static double slip(double x) { return 1e-9 * fmax(1, fabs(x)); }

static int above(const struct claim_expect *e, double x)
{
    return e->open ? x > e->low : x >= e->low - slip(e->low);
}

static int below(const struct claim_expect *e, double x)
{
    return e->open ? x < e->high : x <= e->high + slip(e->high);
}

/* Returns the verdict on an expectation: CLAIM_HOLDS, CLAIM_FAILS or
 * CLAIM_UNDECIDED. */
static enum claim_verdict verdict_on(const struct claim_expect *e,
                                     const struct claim_case *of, int printed)
{
    struct claim_measured x = wanted(e, of);

    int inside = above(e, x.between.low) && below(e, x.between.high);
    int meets = above(e, x.between.high) && below(e, x.between.low);

    return inside || (meets && printed && !e->compares) ? CLAIM_HOLDS
           : meets                                      ? CLAIM_UNDECIDED
                                                        : CLAIM_FAILS;
}

enum claim_verdict expect_all(const struct claim_case *of, int printed)
{
    enum claim_verdict all = CLAIM_HOLDS;

    for (int i = 0; i < of->expects; i++) {
        enum claim_verdict v = verdict_on(&of->expect[i], of, printed);

        if (v == CLAIM_FAILS)
            return v;
        all = v == CLAIM_UNDECIDED ? v : all;
    }
    return all;
}

const struct claim_expect *expect_of(const struct claim_case *of,
                                     const char *measure)
{
    for (int i = 0; i < of->expects; i++)
        if (!strcmp(of->expect[i].measure, measure))
            return &of->expect[i];
    return NULL;
}

int expect_uses(const struct claim_case *of, const char *measure)
{
    for (int i = 0; i < of->expects; i++)
        if (!strcmp(of->expect[i].measure, measure) ||
            (of->expect[i].than && !strcmp(of->expect[i].than, measure)))
            return 1;
    return 0;
}

enum claim_verdict expect_verdict(const struct claim_expect *e,
                               const struct claim_case *of,
                               enum claim_kind kind)
{
    return kind == CLAIM_TRAINED
               ? of->verdict
               : verdict_on(e, of, kind == CLAIM_PUBLISHED);
}

/* ---- cases ---- */

static int measure_check(struct claim_case *of)
{
    struct check_out out;

    PASS(check_run(&out, &of->args));
    for (int i = 0; i < out.n; i++) {
        const struct check_result *r = &out.result[i];
        double reach = REACH * r->error;

        of->measured[of->measures++] = (struct claim_measured){
            .measure = r->measure, .value = r->value, .error = r->error,
            .between = {r->value - reach, r->value + reach},
            .what = r->what};
    }
    return OK;
}

static int measure_numbers(struct claim_case *of, const struct published *p)
{
    for (int i = 0; i < of->numbers; i++) {
        struct number x;

        PASS(number_of(&x, of->number[i].text, p));
        of->measured[of->measures++] = (struct claim_measured){
            .measure = of->number[i].name, .value = x.value,
            .between = x.between};
    }
    return OK;
}

static int judge_case(const struct claims *c, const struct claim *claim,
                      struct claim_case *of, const struct published *p)
{
    int printed = claim->kind == CLAIM_PUBLISHED;
    int rc = printed ? measure_numbers(of, p) : measure_check(of);

    if (rc < 0)
        return err_wrap(rc, "%s:%d", c->path, of->line);
    of->verdict = expect_all(of, printed);
    of->why = of->verdict == CLAIM_UNDECIDED
                  ? "a bound of the claim is inside the interval"
                  : "";
    of->command = arena_format(c->memory, "synthbench claims %s", claim->id);
    return OK;
}

/* ---- the claim ---- */

static int count(const struct claim *c, enum claim_verdict v)
{
    int n = 0;

    for (int i = 0; i < c->cases; i++)
        n += c->of[i].verdict == v;
    return n;
}

const char *claim_conditions(const struct claim *c, enum claim_verdict v,
                             struct arena *a)
{
    struct text t = {0};

    for (int i = 0; i < c->cases; i++)
        if (c->of[i].verdict == v && c->of[i].when)
            text_format(&t, "%s%s", t.n ? "; " : "", c->of[i].when);
    return t.n ? text_keep(&t, a) : NULL;
}

static enum claim_verdict verdict_of(const struct claim *c)
{
    int holds = count(c, CLAIM_HOLDS), fails = count(c, CLAIM_FAILS);

    if (c->kind == CLAIM_UNTESTABLE || count(c, CLAIM_NOT_HERE) == c->cases)
        return CLAIM_NOT_HERE;
    if (c->universal && fails)
        return CLAIM_FAILS;
    if (holds && fails)
        return CLAIM_ONLY_IF;
    if (holds + fails < c->cases)
        return CLAIM_UNDECIDED;
    return holds ? CLAIM_HOLDS : CLAIM_FAILS;
}

/* Returns the first case that determines the verdict of the claim, or NULL. */
static const struct claim_case *decisive(const struct claim *c)
{
    for (int i = 0; i < c->cases; i++)
        if (c->of[i].verdict == c->verdict)
            return &c->of[i];
    for (int i = 0; c->verdict == CLAIM_UNDECIDED && i < c->cases; i++)
        if (c->of[i].verdict == CLAIM_NOT_HERE)
            return &c->of[i];
    return NULL;
}

static void settle_case(struct claim *c, struct claim_case *of)
{
    c->published = c->published ? c->published : of->published;
    c->needs = of->needs > c->needs ? of->needs : c->needs;
    c->synthetic |= of->synthetic;
    for (int k = 0; k < of->measures; k++) {
        struct claim_measured *m = &of->measured[k];
        const struct claim_expect *e = expect_of(of, m->measure);

        m->when = of->when;
        m->verdict = claim_verdicts[of->verdict];
        m->expected = e ? e->text : NULL;
    }
}

void claim_settle(struct claim *c, struct arena *a)
{
    int outside = 0;

    c->verdict = verdict_of(c);
    c->when = claim_conditions(c, CLAIM_HOLDS, a);
    for (int i = 0; i < c->cases; i++) {
        settle_case(c, &c->of[i]);
        outside += c->of[i].verdict == CLAIM_UNDECIDED &&
                   !strcmp(c->of[i].why, claim_outside);
    }
    const struct claim_case *of = c->decisive = decisive(c);
    c->command = of ? of->command : c->cases ? c->of[0].command : NULL;
    c->why = c->kind == CLAIM_UNTESTABLE        ? c->reason
             : !of || c->verdict == CLAIM_HOLDS ? ""
                                                : of->why;
    c->printed = outside && outside + count(c, CLAIM_NOT_HERE) == c->cases
                     ? CLAIM_NOT_TESTED : (int)c->verdict;
}

/* Returns 1 if a case of such a claim is judged by itself: without a store and
 * without a file of times. */
static int judges_alone(enum claim_kind kind)
{
    return kind == CLAIM_COMPUTED || kind == CLAIM_PUBLISHED;
}

int claims_judge(struct claims *c, const struct claims_by *by)
{
    OWNED(stage_end) struct stage stage = {.what = "claims judged"};
    OWNED(published_close) struct published *p = NULL;
    int trained = 0;

    stage_show(&stage, 0, c->n);
    PASS(published_open(&p));
    for (int i = 0; i < c->n; i++)
        trained |= c->claim[i].wanted && c->claim[i].kind == CLAIM_TRAINED;
    if (trained)
        PASS(trained_judge(c, by));
    PASS(timed_judge(c, by->speed));
    for (int i = 0; i < c->n; i++) {
        struct claim *one = &c->claim[i];

        if (!one->wanted)
            continue;
        stage_show(&stage, i, c->n);
        for (int k = 0; judges_alone(one->kind) && k < one->cases; k++)
            PASS(judge_case(c, one, &one->of[k], p));
        claim_settle(one, c->memory);
    }
    return OK;
}
