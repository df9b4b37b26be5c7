/* sheet: makes the sheet of judged claims that the command `claims` prints
 * (claims_sheet), and the texts for verdicts and measures. */
#include "harness/claims/claims.h"
#include "harness/claims/judge.h"
#include "harness/print/sheet.h"

#include "harness/base/str.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

/* Formats a value and its error, both with the decimals that show two
 * significant digits of the unrounded error. */
static const char *with_error(double x, double error, struct arena *a)
{
    int digits = 1 - (int)floor(log10(error));

    if (digits > 6)
        return arena_format(a, "%.4g +- %.1g", x, error);
    digits = digits < 0 ? 0 : digits;
    return arena_format(a, "%.*f +- %.*f", digits, x, digits, error);
}

static const double WHOLE = 1e15; /* whole numbers below it are exact */

/* Formats a whole number with all its digits, and any other number with
 * four. */
static const char *exactly(double x, struct arena *a)
{
    return arena_format(a, x == floor(x) && fabs(x) < WHOLE ? "%.0f" : "%.4g",
                        x + 0.0);
}

/* Formats the value and its bounds with 4 digits or, if these do not
 * distinguish the bounds from the value, with up to 9. */
static const char *with_bounds(const struct claim_measured *m, struct arena *a)
{
    const char *x, *low, *high;
    int digits = 4;

    if (isnan(m->between.low))
        return arena_format(a, "%s%s", exactly(m->value, a),
                            isnan(m->value)   ? ""
                            : isnan(m->error) ? " [interval unknown]"
                                              : " [too few seeds]");
    if (m->between.low == m->between.high)
        return exactly(m->value, a);
    do {
        x = arena_format(a, "%.*g", digits, m->value);
        low = arena_format(a, "%.*g", digits, m->between.low);
        high = arena_format(a, "%.*g", digits, m->between.high);
    } while (digits++ < 9 && (!strcmp(x, low) || !strcmp(x, high)));
    return arena_format(a, "%s [%s, %s]", x, low, high);
}

const char *claim_measured_text(const struct claim *c,
                                const struct claim_measured *m, int number,
                                struct arena *a)
{
    int errs = c->kind == CLAIM_COMPUTED && m->error > 0 && isfinite(m->error);
    const char *text = errs ? with_error(m->value, m->error, a)
                            : with_bounds(m, a);

    return number ? text : arena_format(a, "%s %s", m->measure, text);
}

/* ---- the verdict ---- */

const char claim_outside[] = "outside the contrasts of the experiment";

const char *claim_case_word(const struct claim_case *of)
{
    return of->verdict == CLAIM_UNDECIDED && !strcmp(of->why, claim_outside)
               ? "not tested" : claim_verdicts[of->verdict];
}

static int count_holding(const struct claim *c)
{
    int n = 0;

    for (int i = 0; i < c->cases; i++)
        n += c->of[i].verdict == CLAIM_HOLDS;
    return n;
}

const char *claim_verdict_text(const struct claim *c, struct arena *a)
{
    const char *word = c->printed == CLAIM_NOT_TESTED
                           ? "not tested" : claim_verdicts[c->verdict];
    const char *of = c->synthetic ? ", on SYNTHETIC DATA" : "";
    const char *fails = claim_conditions(c, CLAIM_FAILS, a);

    if (c->verdict == CLAIM_ONLY_IF && count_holding(c) > 1)
        return arena_format(a, "holds only in these cases: %s%s",
                            c->when, of);
    if (c->verdict == CLAIM_ONLY_IF)
        return arena_format(a, "%s %s%s", word, c->when, of);
    if (c->verdict == CLAIM_UNDECIDED)
        return arena_format(a, "%s (%s)%s%s%s%s%s", word, c->why,
                            c->when ? "; holds if " : "",
                            c->when ? c->when : "", fails ? "; fails if " : "",
                            fails ? fails : "", of);
    return arena_format(a, "%s%s", word, of);
}

/* ---- items ---- */

static int is_expected(const struct claim_case *of, const char *measure)
{
    for (int i = 0; i < of->expects; i++)
        if (!strcmp(of->expect[i].measure, measure) ||
            (of->expect[i].than && !strcmp(of->expect[i].than, measure)))
            return 1;
    return 0;
}

/* Returns 1 if a published value is outside the claimed range, but the case
 * holds because the interval of values that are rounded to it overlaps the
 * range. */
static int is_rounded(const struct claim *c, const struct claim_case *of,
                      const struct claim_measured *m)
{
    char *rest;

    if (c->kind != CLAIM_PUBLISHED || of->verdict != CLAIM_HOLDS ||
        !m->expected)
        return 0;
    double low = strtod(m->expected, &rest), high = low;
    double slip = 1e-9 * fabs(low);

    if (rest == m->expected) /* a comparison */
        return 0;
    if (!strncmp(rest, " to ", strlen(" to ")))
        high = strtod(rest + strlen(" to "), NULL);
    return m->value < low - slip || m->value > high + slip;
}

/* Returns the description of a measure, or its name if it has none. */
static const char *meaning(const struct claim_case *of, const char *measure)
{
    for (int i = 0; i < of->measures; i++)
        if (of->measured[i].what && !strcmp(of->measured[i].measure, measure))
            return of->measured[i].what;
    return measure;
}

/* Returns a measure as text, with its name: "vanilla - random, ce: 0.48 [0.40,
 * 0.56]".  For a published number, omits the interval of the values that are
 * rounded to it, unless this interval decides the case. */
static const char *figure(const struct claim *c, const struct claim_case *of,
                          const struct claim_measured *m, struct arena *a)
{
    static const char in[] = "difference in ";
    size_t n = strncmp(m->measure, in, sizeof in - 1) ? 0 : sizeof in - 1;

    if (c->kind == CLAIM_TRAINED && of->measures > 2)
        return arena_format(a, "%s - %s, %s: %s", of->measured[0].measure,
                            of->measured[1].measure, m->measure + n,
                            claim_measured_text(c, m, 1, a));
    if (c->kind == CLAIM_COMPUTED)
        return arena_format(a, "%s = %s", meaning(of, m->measure),
                            claim_measured_text(c, m, 1, a));
    return is_rounded(c, of, m)
               ? claim_measured_text(c, m, 0, a)
               : arena_format(a, "%s %.4g", m->measure, m->value);
}

/* Appends a case: " Published: bleu 23.89 (required 27.27)."  or " Case "QR"
 * holds: ...". */
static void add_case(struct text *t, const struct claim *c,
                     const struct claim_case *of, struct arena *a)
{
    const char *word = of->verdict <= CLAIM_FAILS
                           ? claim_verdicts[of->verdict]
                       : of->verdict == CLAIM_UNDECIDED &&
                               strcmp(of->why, claim_outside)
                           ? "is undecided" : "is not tested";
    int n = 0;

    for (int i = 0; i < of->measures; i++) {
        const struct claim_measured *m = &of->measured[i];
        const struct claim_expect *e = expect_of(of, m->measure);

        if (!is_expected(of, m->measure))
            continue;
        if (!n++ && of->when && c->cases > 1)
            text_format(t, " Case \"%s\" %s: ", of->when, word);
        else
            text_put(t, n > 1                        ? "; "
                        : c->kind == CLAIM_PUBLISHED ? " Published: "
                                                     : " Measured: ");
        text_put(t, figure(c, of, m, a));
        if (e && e->than)
            text_format(t, " (required %.*s%s)",
                        (int)strspn(e->text, "<>= "), e->text,
                        meaning(of, e->than));
        else if (e && e->text)
            text_format(t, " (required %s)", e->text);
    }
    if (n)
        text_put(t, ".");
}

/* Adds an item about a claim, with the values of one case of each verdict.  The
 * command `claims ID` prints all cases. */
static void put_line(struct sheet *s, const struct claim *c)
{
    OWNED(text_free) struct text t = {0};
    int trains = c->kind == CLAIM_TRAINED && c->decisive &&
                 c->decisive->verdict == CLAIM_NOT_HERE;
    int seen[CLAIM_VERDICTS] = {0};

    text_put(&t, "");
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        for (int i = 0; i < c->cases && !seen[v]; i++)
            if (c->of[i].verdict == (enum claim_verdict)v && !seen[v]++)
                add_case(&t, c, &c->of[i], s->memory);
    if (c->verdict == CLAIM_NOT_HERE)
        text_format(&t, " Reason: %s.", c->why);
    sheet_put(s, PART_ITEM, "%s %s. Claim: %s.%s%s%s", c->id,
              claim_verdict_text(c, s->memory), c->text, t.s,
              !c->command ? "" : trains ? " To test it: " : " More: ",
              c->command ? c->command : "");
}

/* ---- counts ---- */

int claims_count(const struct claims *c, enum claim_verdict v)
{
    int n = 0;

    for (int i = 0; i < c->n; i++)
        n += c->claim[i].wanted && c->claim[i].verdict == v;
    return n;
}

int claims_printed(const struct claims *c, int printed)
{
    int n = 0;

    for (int i = 0; i < c->n; i++)
        n += c->claim[i].wanted && c->claim[i].printed == printed;
    return n;
}

const char *claim_verdict_word(int printed, int n)
{
    static const char *const one[] = {
        "holds", "fails", "holds only under a condition", "undecided",
        "not testable here", "not tested (outside the contrasts)"};
    static const char *const several[] = {
        "hold", "fail", "hold only under conditions", "undecided",
        "not testable here", "not tested (outside the contrasts)"};

    return n == 1 ? one[printed] : several[printed];
}

/* Returns 1 if the claim is about trained models and can be tested. */
static int is_trained(const struct claim *c)
{
    return c->kind == CLAIM_TRAINED && c->verdict != CLAIM_NOT_HERE;
}

static int has(const struct claims *c, int (*is)(const struct claim *c))
{
    for (int i = 0; i < c->n; i++)
        if (c->claim[i].wanted && is(&c->claim[i]))
            return 1;
    return 0;
}

static int is_synthetic(const struct claim *c) { return c->synthetic; }

/* Returns 1 if a number of the claim is printed with its standard error. */
static int has_error(const struct claim *c)
{
    for (int i = 0; c->kind == CLAIM_COMPUTED && i < c->cases; i++)
        for (int k = 0; k < c->of[i].measures; k++)
            if (c->of[i].measured[k].error > 0)
                return 1;
    return 0;
}

/* Returns 1 if a case of the claim holds only because the printed numbers are
 * rounded. */
static int has_rounded(const struct claim *c)
{
    for (int i = 0; i < c->cases; i++)
        for (int k = 0; k < c->of[i].measures; k++)
            if (is_rounded(c, &c->of[i], &c->of[i].measured[k]))
                return 1;
    return 0;
}

static void put_counts(struct sheet *s, const struct claims *c)
{
    OWNED(text_free) struct text t = {0};
    int all = 0;

    for (int v = 0; v < CLAIM_PRINTED; v++) {
        int n = claims_printed(c, v);

        all += n;
        if (n)
            text_format(&t, "%s%d %s", t.n ? ", " : "", n,
                        claim_verdict_word(v, n));
    }
    sheet_put(s, PART_PARAGRAPH, "%d claim%s: %s", all, all == 1 ? "" : "s",
              t.s);
}

static void put_notes(struct sheet *s, const struct claims *c)
{
    sheet_put(s, PART_GAP, "%s", "");
    if (has(c, has_rounded))
        sheet_put(s, PART_PARAGRAPH, "%s", claims_rounding);
    if (has(c, is_trained))
        sheet_put(s, PART_PARAGRAPH, "%s", claims_scale);
    if (has(c, is_synthetic))
        sheet_put(s, PART_WARNING, "%s", claims_synthetic);
    if (has(c, has_error))
        sheet_put(s, PART_PARAGRAPH, "+-: one standard error");
}

/* ---- the brief form ---- */

enum { SCREEN = 25 }; /* maximum number of claims printed one by one */

/* Adds the verdict and the ids of the claims that have it. */
static void put_ids(struct sheet *s, const struct claims *c, int v)
{
    OWNED(text_free) struct text t = {0};

    for (int i = 0; i < c->n; i++)
        if (c->claim[i].wanted && c->claim[i].printed == v)
            text_format(&t, " %s", c->claim[i].id);
    if (t.n)
        sheet_put(s, PART_ITEM, "%s:%s", claim_verdict_word(v, 2), t.s);
}

static int is_failing(const struct claim *c)
{
    return c->verdict == CLAIM_FAILS && c->kind != CLAIM_TRAINED;
}

/* Adds the ids of all claims by verdict, and a line for each claim that fails
 * or is about trained models. */
static void put_brief(struct sheet *s, const struct claims *c)
{
    static const int order[CLAIM_PRINTED] = {
        CLAIM_FAILS, CLAIM_UNDECIDED, CLAIM_ONLY_IF, CLAIM_HOLDS,
        CLAIM_NOT_TESTED, CLAIM_NOT_HERE};

    for (int v = 0; v < CLAIM_PRINTED; v++)
        put_ids(s, c, order[v]);
    if (has(c, is_failing))
        sheet_put(s, PART_HEADING, "Claims about formulas or published "
                  "numbers that fail");
    for (int i = 0; i < c->n; i++)
        if (c->claim[i].wanted && is_failing(&c->claim[i]))
            sheet_put(s, PART_ITEM, "%s: %s", c->claim[i].id, c->claim[i].text);
    if (has(c, is_trained))
        sheet_put(s, PART_HEADING, "Claims about trained models");
    for (int i = 0; i < c->n; i++)
        if (c->claim[i].wanted && is_trained(&c->claim[i]))
            sheet_put(s, PART_ITEM, "%s %s: %s", c->claim[i].id,
                      claim_verdict_word(c->claim[i].printed, 1),
                      c->claim[i].text);
    sheet_put(s, PART_GAP, "%s", "");
    sheet_put(s, PART_PARAGRAPH, "`--all` prints the numbers of every claim, "
              "`claims ID` explains one.");
    if (has(c, is_trained))
        sheet_put(s, PART_PARAGRAPH, "%s", claims_scale);
    if (has(c, is_synthetic))
        sheet_put(s, PART_WARNING, "%s", claims_synthetic);
}

/* ---- all ---- */

static void put_list(struct sheet *s, const struct claims *c)
{
    const char *section = "";

    for (int i = 0; i < c->n; i++) {
        const struct claim *one = &c->claim[i];

        if (!one->wanted)
            continue;
        if (strcmp(section, one->section))
            sheet_put(s, PART_HEADING, "%s", section = one->section);
        put_line(s, one);
    }
    put_notes(s, c);
}

struct sheet *claims_sheet(const struct claims *c, enum claims_detail detail)
{
    struct sheet *s = sheet_new();
    int n = 0;

    for (int i = 0; i < c->n; i++)
        n += c->claim[i].wanted;
    if (detail == CLAIMS_EXPLAIN) {
        for (int i = 0; i < c->n; i++)
            if (c->claim[i].wanted)
                claims_explain(s, &c->claim[i]);
        if (has(c, has_error))
            sheet_put(s, PART_PARAGRAPH, "+-: one standard error");
    } else {
        put_counts(s, c);
        if (detail == CLAIMS_BRIEF && n > SCREEN)
            put_brief(s, c);
        else
            put_list(s, c);
    }
    claims_put_json(s, c);
    return s;
}
