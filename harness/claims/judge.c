#include "harness/claims/claims.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/claims/expect.h"
#include "harness/claims/number.h"
#include "harness/claims/trained.h"

#include <string.h>

const char *const claim_verdicts[] = {"holds", "fails", "holds only if",
                                      "undecided", "not testable here", NULL};

/* Half-width of a 95 % interval, in standard errors. */
static const double REACH = 1.96;

/* ---- cases ---- */

static int is_same_check(const struct check_args *a,
                         const struct check_args *b)
{
    int same = a->of == b->of && a->n == b->n;

    for (int i = 0; same && i < a->n; i++)
        same = !strcmp(a->given[i].name, b->given[i].name) &&
               !strcmp(a->given[i].text, b->given[i].text);
    return same;
}

/* Returns a measured case with the same check and arguments as `of`, or
 * NULL. */
static const struct claim_case *measured_case(const struct claims *c,
                                              const struct claim_case *of)
{
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->claim[i].cases; k++) {
            const struct claim_case *x = &c->claim[i].of[k];

            if (x->measures && is_same_check(&x->args, &of->args))
                return x;
        }
    return NULL;
}

/* Measures a case, or copies the measures of an earlier case with the same
 * check and arguments, because a check depends only on its arguments. */
static int measure_check(const struct claims *c, struct claim_case *of)
{
    const struct claim_case *same = measured_case(c, of);
    struct check_out out;

    if (same) {
        of->measures = same->measures;
        memcpy(of->measured, same->measured, sizeof of->measured);
        return OK;
    }
    PASS(check_run(&out, &of->args));
    for (int i = 0; i < out.n; i++) {
        const struct check_said *s = &out.said[i];
        double reach = REACH * s->error;

        of->measured[of->measures++] = (struct claim_measured){
            .measure = s->measure, .value = s->value, .error = s->error,
            .between = {s->value - reach, s->value + reach},
            .what = s->what};
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
    int rc = printed ? measure_numbers(of, p) : measure_check(c, of);

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
    c->said = c->said ? c->said : of->said;
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

int claims_judge(struct claims *c, const struct claims_by *by)
{
    OWNED(published_close) struct published *p = NULL;
    int trained = 0;

    PASS(published_open(&p));
    for (int i = 0; i < c->n; i++)
        trained |= c->claim[i].wanted && c->claim[i].kind == CLAIM_TRAINED;
    if (trained)
        PASS(trained_judge(c, by));
    for (int i = 0; i < c->n; i++) {
        struct claim *one = &c->claim[i];

        if (!one->wanted)
            continue;
        if (by->begin)
            by->begin(by->arg, one);
        for (int k = 0; one->kind != CLAIM_TRAINED && k < one->cases; k++)
            PASS(judge_case(c, one, &one->of[k], p));
        claim_settle(one, c->memory);
    }
    return OK;
}
