/* explain: adds all details of one claim to a sheet.  claims_sheet and the
 * pages of a report (site/claim.c) call claims_explain. */
#include "harness/claims/claims.h"
#include "harness/claims/judge.h"
#include "harness/print/sheet.h"

#include "harness/base/text.h"

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

/* Returns the verdict on an expectation, or "" if it is unknown: a file of
 * claims_load has the verdicts of cases only, and no bounds. */
static const char *verdict_on(const struct claim_expect *e,
                              const struct claim_case *of, enum claim_kind kind)
{
    if (!e)
        return "";
    if (of->line && kind != CLAIM_TRAINED)
        return claim_verdicts[expect_said(e, of, kind)];
    return of->line || of->expects == 1 || of->verdict == CLAIM_HOLDS
               ? claim_case_word(of) : "";
}

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
                     claim_measured_text(c, m, 1, a));
            if (c->kind == CLAIM_TRAINED)
                grid_whose(g, m->measure, of->rows.task);
            grid_add(g, "%s\t%s", e ? e->text : "",
                     verdict_on(e, of, c->kind));
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
                  of->said ? "; published: " : "", of->said ? of->said : "");
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
    for (int i = 0; c->check && c->check->measure[i].name; i++)
        sheet_put(s, PART_ITEM, "%s: %s", c->check->measure[i].name,
                  c->check->measure[i].what);
    for (int i = 0; i < c->cases; i++)
        put_origin(s, c, &c->of[i]);
    put_commands(s, c);
}
