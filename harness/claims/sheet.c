/* sheet: makes the sheet of judged claims that the command `claims` prints
 * (claims_sheet), the details of one claim (claims_explain), and the texts for
 * verdicts and measures. */
#include "harness/claims/claims.h"
#include "harness/claims/judge.h"
#include "harness/print/sheet.h"

#include "harness/base/map.h"
#include "harness/base/text.h"

#include <math.h>
#include <string.h>

const char claims_rounding[] =
    "The interval of a published number contains all values that round to it. "
    "A claimed range holds if it overlaps this interval.";

const char claims_scale[] =
    "Claims about trained models are judged by the models in the stores, at "
    "their size and on their text. The verdicts say nothing about larger "
    "models.";
const char claims_synthetic[] =
    "SYNTHETIC DATA: a generator made the examples of the verdicts marked so. "
    "They say nothing about real text, or about claims about real text.";

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

/* Returns the value of a measure as text, such as "0.2498 +- 0.0008". */
static const char *value_text(const struct claim *c,
                              const struct claim_measured *m, struct arena *a)
{
    int errs = c->kind == CLAIM_COMPUTED && m->error > 0 && isfinite(m->error);

    return errs ? with_error(m->value, m->error, a) : with_bounds(m, a);
}

/* ---- the verdict ---- */

const char claim_outside[] = "outside the contrasts of the experiment";

static const char *claim_case_word(const struct claim_case *of)
{
    return of->verdict == CLAIM_UNDECIDED && !strcmp(of->why, claim_outside)
               ? "not tested" : claim_verdicts[of->verdict];
}

const char *claim_verdict_text(const struct claim *c, struct arena *a)
{
    const char *word = c->printed == CLAIM_NOT_TESTED
                           ? "not tested" : claim_verdicts[c->verdict];
    const char *of = c->synthetic ? ", on SYNTHETIC DATA" : "";
    const char *fails = claim_conditions(c, CLAIM_FAILS, a);
    int holding = 0;

    for (int i = 0; i < c->cases; i++)
        holding += c->of[i].verdict == CLAIM_HOLDS;
    if (c->verdict == CLAIM_ONLY_IF && holding > 1)
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

/* Returns 1 if a published value is outside the claimed range, but the case
 * holds because the interval of values that are rounded to it overlaps the
 * range. */
static int is_rounded(const struct claim *c, const struct claim_case *of,
                      const struct claim_measured *m)
{
    const struct claim_expect *e = expect_of(of, m->measure);

    if (c->kind != CLAIM_PUBLISHED || of->verdict != CLAIM_HOLDS || !e ||
        e->compares)
        return 0;
    double slip = 1e-9 * fabs(e->low);
    return m->value < e->low - slip || m->value > e->high + slip;
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
                            value_text(c, m, a));
    if (c->kind == CLAIM_COMPUTED || c->kind == CLAIM_TIMED)
        return arena_format(a, "%s = %s", meaning(of, m->measure),
                            value_text(c, m, a));
    return is_rounded(c, of, m)
               ? arena_format(a, "%s %s", m->measure, value_text(c, m, a))
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

        if (!expect_uses(of, m->measure))
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
        int n = 0;

        for (int i = 0; i < c->n; i++)
            n += c->claim[i].wanted && c->claim[i].printed == v;
        all += n;
        if (n)
            text_format(&t, "%s%d %s", t.n ? ", " : "", n,
                        claim_verdict_word(v, n));
    }
    sheet_put(s, PART_PARAGRAPH, "%d claim%s: %s", all, all == 1 ? "" : "s",
              t.s);
}

static void put_error(struct sheet *s, const struct claims *c)
{
    if (has(c, has_error))
        sheet_put(s, PART_PARAGRAPH, "+-: one standard error");
}

static void put_scale(struct sheet *s, const struct claims *c)
{
    if (has(c, is_trained))
        sheet_put(s, PART_PARAGRAPH, "%s", claims_scale);
    if (has(c, is_synthetic))
        sheet_put(s, PART_WARNING, "%s", claims_synthetic);
}

/* ---- the brief form ---- */

enum { SCREEN = 25 }; /* maximum number of claims printed one by one */

static int is_failing(const struct claim *c)
{
    return c->verdict == CLAIM_FAILS && c->kind != CLAIM_TRAINED;
}

/* Adds a heading and the claims for which `is` returns 1, with their verdicts
 * if `verdicts` is 1. */
static void put_texts(struct sheet *s, const struct claims *c,
                      const char *heading, int (*is)(const struct claim *c),
                      int verdicts)
{
    if (has(c, is))
        sheet_put(s, PART_HEADING, "%s", heading);
    for (int i = 0; i < c->n; i++) {
        const struct claim *one = &c->claim[i];

        if (one->wanted && is(one))
            sheet_put(s, PART_ITEM, "%s%s%s: %s", one->id, verdicts ? " " : "",
                      verdicts ? claim_verdict_word(one->printed, 1) : "",
                      one->text);
    }
}

/* Adds the ids of all claims by verdict, and a line for each claim that fails
 * or is about trained models. */
static void put_brief(struct sheet *s, const struct claims *c)
{
    static const int order[CLAIM_PRINTED] = {
        CLAIM_FAILS, CLAIM_UNDECIDED, CLAIM_ONLY_IF, CLAIM_HOLDS,
        CLAIM_NOT_TESTED, CLAIM_NOT_HERE};

    for (int v = 0; v < CLAIM_PRINTED; v++) {
        OWNED(text_free) struct text ids = {0};

        for (int i = 0; i < c->n; i++)
            if (c->claim[i].wanted && c->claim[i].printed == order[v])
                text_format(&ids, " %s", c->claim[i].id);
        if (ids.n)
            sheet_put(s, PART_ITEM, "%s:%s", claim_verdict_word(order[v], 2),
                      ids.s);
    }
    put_texts(s, c, "Claims about formulas or published numbers that fail",
              is_failing, 0);
    put_texts(s, c, "Claims about trained models", is_trained, 1);
    sheet_put(s, PART_GAP, "%s", "");
    sheet_put(s, PART_PARAGRAPH, "`--all` prints the numbers of every claim, "
              "`claims ID` explains one.");
    put_scale(s, c);
}

/* ---- one claim in detail ---- */

/* If `claimed` is 1, adds the measures that have an expectation, else the
 * measures that have none. */
static void add_measures(struct grid *g, const struct claim *c, int claimed,
                         struct arena *a)
{
    for (int i = 0; i < c->cases; i++) {
        const struct claim_case *of = &c->of[i];
        const char *when = of->when ? of->when : "";

        for (int k = 0; k < of->measures; k++) {
            const struct claim_measured *m = &of->measured[k];
            const struct claim_expect *e = expect_of(of, m->measure);

            if (claimed != (e != NULL))
                continue;
            grid_add(g, "%s\t%s\t%s", m->measure, when,
                     value_text(c, m, a));
            if (c->kind == CLAIM_TRAINED)
                grid_whose(g, m->measure, of->rows.task);
            grid_add(g, "%s\t%s", e ? e->text : "",
                     !e                         ? ""
                     : c->kind == CLAIM_TRAINED ? claim_case_word(of)
                     : claim_verdicts[expect_verdict(e, of, c->kind)]);
        }
        if (claimed && !of->measures)
            grid_add(g, "-\t%s\t\t\t%s", when, claim_case_word(of));
    }
}

static void put_cases(struct sheet *s, const struct claim *c)
{
    const char *const head[] = {
        "measure", "case",
        c->kind == CLAIM_PUBLISHED ? "published" : "measured", "required",
        "verdict", NULL};
    struct grid *g = sheet_listing(s, "<<<<<", head);

    add_measures(g, c, 1, s->memory);
    add_measures(g, c, 0, s->memory);
}

/* Explains the measures of a check, each one once. */
static void put_meanings(struct sheet *s, const struct claim *c)
{
    OWNED(map_free) struct map *seen = map_new();

    for (int i = 0; i < c->cases; i++)
        for (int k = 0; k < c->of[i].measures; k++) {
            const struct claim_measured *m = &c->of[i].measured[k];

            if (m->what && map_add(seen, m->measure, 1))
                sheet_put(s, PART_ITEM, "%s: %s", m->measure, m->what);
        }
}

/* Adds the origin of the numbers of a case: the arguments of its check, its
 * formulas or its rows. */
static void put_origin(struct sheet *s, const struct claim *c,
                       const struct claim_case *of)
{
    OWNED(text_free) struct text t = {0};
    const char *lead = of->when && c->cases > 1
                           ? arena_format(s->memory, "%s: ", of->when) : "";

    for (int i = 0; i < of->args.n; i++)
        text_format(&t, "%s%s = %s", i ? ", " : "", of->args.given[i].name,
                    of->args.given[i].text);
    if (of->args.n)
        sheet_put(s, PART_ITEM, "%swith %s", lead, t.s);
    for (int i = 0; i < of->numbers; i++)
        sheet_put(s, PART_ITEM, "%s%s = %s", lead, of->number[i].name,
                  of->number[i].text);
    if (of->line && c->kind == CLAIM_TRAINED)
        lead = arena_format(s->memory, "%s%s on %s: ", lead, of->rows.metric,
                            of->rows.task);
    if (!of->line || c->kind == CLAIM_TRAINED)
        sheet_put(s, PART_ITEM, "%s%s%s%s%s%s", lead, claim_case_word(of),
                  *of->why ? ": " : "", of->why,
                  of->published ? "; published: " : "",
                  of->published ? of->published : "");
    else if (*of->why)
        sheet_put(s, PART_ITEM, "%s%s: %s", lead, claim_verdicts[of->verdict],
                  of->why);
}

static void put_commands(struct sheet *s, const struct claim *c)
{
    const char *last = "";

    for (int i = 0; i < c->cases && c->of[i].command; i++) {
        int before = 0;

        while (before < i && strcmp(c->of[before].command, c->of[i].command))
            before++;
        if (before < i || c->kind != CLAIM_TRAINED)
            continue;
        const char *lead = c->of[i].verdict == CLAIM_NOT_HERE ? "To test it:"
                                                              : "More:";
        if (strcmp(lead, last))
            sheet_put(s, PART_PARAGRAPH, "%s", last = lead);
        sheet_put(s, PART_CODE, "%s", c->of[i].command);
    }
}

void claims_explain(struct sheet *s, const struct claim *c)
{
    if (s->parts)
        sheet_put(s, PART_GAP, "%s", "");
    sheet_put(s, PART_TITLE, "%s %s", c->id, claim_verdict_text(c, s->memory));
    sheet_put(s, PART_PARAGRAPH, "Claim: %s.", c->text);
    if (c->universal)
        sheet_put(s, PART_PARAGRAPH, "The claim is about all cases: one that "
                  "fails refutes it.");
    sheet_put(s, PART_PARAGRAPH, "Source: %s.", c->source);
    if (c->formula)
        sheet_put(s, PART_PARAGRAPH, "Formula: %s", c->formula);
    if (c->reasoning)
        sheet_put(s, PART_PARAGRAPH, "Reasoning: %s", c->reasoning);
    if (c->reason)
        sheet_put(s, PART_PARAGRAPH, "Not testable: %s", c->reason);
    if (c->check)
        sheet_put(s, PART_PARAGRAPH, "Check: %s, %s.", c->check->name,
                  c->check->what);
    if (c->kind == CLAIM_PUBLISHED)
        sheet_put(s, PART_PARAGRAPH, "%s", claims_rounding);
    if (c->kind == CLAIM_TRAINED)
        sheet_put(s, PART_PARAGRAPH, "%s", claims_scale);
    if (c->synthetic)
        sheet_put(s, PART_WARNING, "%s", claims_synthetic);
    if (c->cases)
        put_cases(s, c);
    put_meanings(s, c);
    for (int i = 0; i < c->cases; i++)
        put_origin(s, c, &c->of[i]);
    put_commands(s, c);
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
    sheet_put(s, PART_GAP, "%s", "");
    if (has(c, has_rounded))
        sheet_put(s, PART_PARAGRAPH, "%s", claims_rounding);
    put_scale(s, c);
    put_error(s, c);
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
        put_error(s, c);
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
