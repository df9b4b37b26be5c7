#include "harness/claims/expect.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <math.h>
#include <string.h>

static int bounds(struct claim_expect *out, const struct node *n,
                  struct arena *a)
{
    const struct node *low = n->child, *high = low ? low->next : NULL;

    if (!high || high->next || low->kind != NODE_TEXT ||
        high->kind != NODE_TEXT || str_to_real(low->text, &out->low) ||
        str_to_real(high->text, &out->high) || out->low > out->high)
        return err_set(ERR_USAGE, "%s: expected two numbers, the smaller "
                       "first, such as [0.9, 1.1]", n->key);
    out->text = out->low == out->high
                    ? low->text
                    : arena_format(a, "%s to %s", low->text, high->text);
    return OK;
}

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

int expect_read(struct claim_expect *out, const struct node *n,
                const char *const *measures, struct arena *a)
{
    *out = (struct claim_expect){.measure = n->key, .text = n->text};
    if (n->kind == NODE_LIST)
        return bounds(out, n, a);
    if (n->kind != NODE_TEXT || !*n->text)
        return err_set(ERR_USAGE, "%s must be [0.9, 1.1], 1, or \"> 0.5\"",
                       n->key);
    if (strchr("<>", *n->text))
        return comparison(out, n->text, measures);
    if (str_to_real(n->text, &out->low))
        return err_set(ERR_USAGE, "%s: %s: expected [0.9, 1.1], a number, or a "
                       "comparison, \"> 0.5\"", n->key, n->text);
    out->high = out->low;
    return OK;
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

enum claim_verdict expect_verdict(const struct claim_expect *e,
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
        enum claim_verdict v = expect_verdict(&of->expect[i], of, printed);

        if (v == CLAIM_FAILS)
            return v;
        all = v == CLAIM_UNDECIDED ? v : all;
    }
    return all;
}

/* ---- output ---- */

const struct claim_expect *expect_of(const struct claim_case *of,
                                     const char *measure)
{
    for (int i = 0; i < of->expects; i++)
        if (!strcmp(of->expect[i].measure, measure))
            return &of->expect[i];
    return NULL;
}

enum claim_verdict expect_said(const struct claim_expect *e,
                               const struct claim_case *of,
                               enum claim_kind kind)
{
    return kind == CLAIM_TRAINED
               ? of->verdict
               : expect_verdict(e, of, kind == CLAIM_PUBLISHED);
}
