#include "harness/gate/gate_report.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/print/sheet.h"
#include "harness/stats/verdict.h"

#include <math.h>
#include <string.h>

static const char *metric_of(const struct judged *r)
{
    const char *slash = strchr(r->metric, '/');

    return slash ? slash + 1 : r->metric;
}

static const char *between(struct arena *a, const struct judged *r)
{
    const char *of = r->relative ? " %" : "";

    return isnan(r->between.low)
               ? ""
               : arena_format(a, "%+.3g to %+.3g%s", r->between.low,
                              r->between.high, of);
}

static const char *p_text(struct arena *a, double p)
{
    char text[24];

    return isnan(p)  ? ""
           : p < 1e-6 ? "<1e-6"
                      : arena_text(a, verdict_p(p, text));
}

static void put_row(struct grid *g, struct arena *a, const struct judged *r)
{
    grid_add(g, "%s", judge_word[r->verdict]);
    grid_add(g, "%s", r->cell);
    grid_add(g, "%s", metric_of(r));
    grid_number(g, "%.5g", r->old, "");
    grid_number(g, "%.5g", r->new, "");
    grid_number(g, r->relative ? "%+.3g %%" : "%+.3g", r->difference, "");
    grid_add(g, "%s", between(a, r));
    grid_number(g, r->relative ? "%.2g %%" : "%.2g", r->margin, "");
    grid_add(g, "%s", p_text(a, r->p));
    grid_add(g, "%s", r->why);
}

/* ---- the parts of the sheet ---- */

static void put_rows(struct sheet *s, const struct judgement *j)
{
    static const char *const head[] = {
        "verdict", "cell", "metric", "baseline", "now", "difference",
        "interval", "margin", "p", "details", NULL};
    struct grid *g = NULL;

    for (int v = JUDGE_KINDS - 1; v > JUDGE_SAME; v--)
        for (int i = 0; i < j->n; i++)
            if (j->row[i].verdict == (enum judge_verdict)v) {
                g = g ? g : sheet_listing(s, "<<<>>>>>><", head);
                put_row(g, s->memory, &j->row[i]);
            }
}

/* Returns the JUnit element of a verdict, "failure" or "error", or NULL if it
 * passes. */
static const char *outcome(enum judge_verdict v)
{
    switch (v) {
    case JUDGE_WORSE:
    case JUDGE_OUTSIDE:
    case JUDGE_CHANGED: return "failure";
    case JUDGE_MISSING:
    case JUDGE_UNDECIDED: return "error";
    default: return NULL;
    }
}

static const char *headline(const struct judgement *j)
{
    for (int v = 0; v < JUDGE_KINDS; v++)
        if (j->count[v] && outcome(v) && !strcmp(outcome(v), "failure"))
            return "FAIL";
    return j->count[JUDGE_MISSING]     ? "INCOMPLETE"
           : j->count[JUDGE_UNDECIDED] ? "UNDECIDED"
                                       : "PASS";
}

/* What a row is about. */
enum about { CELLS, VALUES, COSTS, ABOUTS };

static enum about about_of(const struct judged *r)
{
    return !*r->metric                ? CELLS
           : !strcmp(r->stage, "cost") ? COSTS
                                       : VALUES;
}

/* Returns the number of each verdict among the rows about `of`, the worst
 * first, such as ". Values: 3 worse, 1 equal within the margin"; or "". */
static const char *counts(const struct judgement *j, enum about of,
                          struct arena *a)
{
    static const char *const title[] = {"Cells", "Values", "Costs"};
    const char *all = "";

    for (int v = JUDGE_KINDS - 1; v > JUDGE_SAME; v--) {
        int n = 0;

        for (int i = 0; i < j->n; i++)
            n += about_of(&j->row[i]) == of &&
                 j->row[i].verdict == (enum judge_verdict)v;
        if (n)
            all = arena_format(a, "%s%s %d %s%s", all, *all ? "," : "", n,
                               judge_word[v], v == JUDGE_EQUAL && of != CELLS
                                                  ? " within the margin" : "");
    }
    return *all ? arena_format(a, ". %s:%s", title[of], all) : "";
}

static void put_sum(struct sheet *s, const struct judgement *j,
                    const struct baseline *old)
{
    const char *all = "";

    for (int of = 0; of < ABOUTS; of++)
        all = arena_format(s->memory, "%s%s", all,
                           counts(j, (enum about)of, s->memory));
    sheet_put(s, PART_PARAGRAPH, "%s: %s%s%s%d of %d compared cells are "
              "bit-identical to baseline %s%s", headline(j),
              *j->settings ? "the settings differ: " : "", j->settings,
              *j->settings ? ". " : "", j->same, j->cells, old->name, all);
    if (j->untrained)
        sheet_put(s, PART_PARAGRAPH, "%d cell%s of the experiment %s in "
                  "neither the baseline nor the store", j->untrained,
                  j->untrained == 1 ? "" : "s",
                  j->untrained == 1 ? "is" : "are");
}

static int any_but_same(const struct judgement *j)
{
    return j->n > j->count[JUDGE_SAME];
}

/* ---- the JSON object ---- */

static json_t *object_of(const struct judgement *j, const struct baseline *old)
{
    json_t *rows = json_array(), *count = json_object();

    for (int v = 0; v < JUDGE_KINDS; v++)
        json_object_set_new(count, judge_word[v], json_integer(j->count[v]));
    for (int i = 0; i < j->n; i++) {
        const struct judged *r = &j->row[i];

        if (r->verdict == JUDGE_SAME)
            continue;
        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:f, s:f, "
                            "s:f, s:f, s:f, s:f, s:f}", "cell", r->cell,
                            "metric", r->metric, "units", r->units, "verdict",
                            judge_word[r->verdict], "stage", r->stage, "why",
                            r->why, "percent", r->relative, "baseline",
                            r->old, "now", r->new, "difference", r->difference,
                            "low", r->between.low, "high", r->between.high,
                            "margin", r->margin, "p", r->p));
    }
    return json_pack("{s:s, s:s?, s:i, s:i, s:i, s:s, s:s, s:s, s:o, s:o}",
                     "baseline", old->name, "commit",
                     baseline_fact(old, "commit"), "cells", j->cells, "same",
                     j->same, "tests", j->tests, "bands", j->bands, "builds",
                     j->builds, "settings", j->settings, "count", count,
                     "rows", rows);
}

void gate_sheet(struct sheet *s, const struct judgement *j,
                const struct baseline *old, const struct baseline *new)
{
    const char *was = baseline_fact(old, "commit");
    const char *is = baseline_fact(new, "commit");

    put_sum(s, j, old);
    put_rows(s, j);
    if (j->tests > 1)
        sheet_put(s, PART_PARAGRAPH, "%d tests: p-values are corrected for "
                  "all of them (Bonferroni), and all intervals hold "
                  "simultaneously with 95 %% confidence", j->tests);
    if (*j->bands)
        sheet_put(s, PART_PARAGRAPH, "%s", j->bands);
    if (any_but_same(j) && *j->builds)
        sheet_put(s, PART_PARAGRAPH, "Differences in build and machine: %s",
                  j->builds);
    if (any_but_same(j) && was && is && strcmp(was, is))
        sheet_put(s, PART_PARAGRAPH, "See `git log %.12s..%.12s`", was, is);
    s->object = object_of(j, old);
}

/* ---- JUnit ---- */

/* Adds a text with XML escapes.  Control characters are removed, because XML
 * 1.0 cannot represent them, not even escaped. */
static void put_escaped(struct text *to, const char *s)
{
    OWNED(free) char *clean = str_harmless(str_copy(s), "");

    for (const char *c = clean; *c; c++)
        switch (*c) {
        case '&': text_put(to, "&amp;"); break;
        case '<': text_put(to, "&lt;"); break;
        case '>': text_put(to, "&gt;"); break;
        case '"': text_put(to, "&quot;"); break;
        default: text_add(to, c, 1);
        }
}

static void put_attribute(struct text *to, const char *name, const char *value)
{
    text_format(to, " %s=\"", name);
    put_escaped(to, value);
    text_put(to, "\"");
}

static const char *in_words(struct arena *a, const struct judged *r)
{
    return isnan(r->old) || isnan(r->new)
               ? r->why
               : arena_format(a, "%.6g, now %.6g %s (%+.3g%s, %s; p %s): %s",
                              r->old, r->new, r->units, r->difference,
                              r->relative ? " %" : "", between(a, r),
                              p_text(a, r->p), r->why);
}

static void put_case(struct text *to, struct arena *a, const struct judged *r)
{
    const char *bad = outcome(r->verdict);

    text_put(to, "  <testcase");
    put_attribute(to, "classname", r->cell);
    put_attribute(to, "name", *r->metric ? metric_of(r) : r->stage);
    if (!bad) {
        text_put(to, "/>\n");
        return;
    }
    text_format(to, "><%s", bad);
    put_attribute(to, "type", judge_word[r->verdict]);
    put_attribute(to, "message", in_words(a, r));
    text_format(to, "/></testcase>\n");
}

/* Writes the beginning of the file, up to the first test case. */
static void open_suite(struct text *to, const char *baseline, int tests,
                       int failures, int errors)
{
    OWNED(free) char *name = str_format("synthbench gate %s", baseline);

    text_put(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
    put_attribute(to, "name", name);
    text_format(to, " tests=\"%d\" failures=\"%d\" errors=\"%d\">\n", tests,
                failures, errors);
}

int gate_junit(const char *path, const struct judgement *j,
               const struct baseline *old)
{
    OWNED(text_free) struct text xml = {0};
    int bad[2] = {0, 0}; /* number of failures; of errors */

    for (int i = 0; i < j->n; i++) {
        const char *how = outcome(j->row[i].verdict);

        if (how)
            bad[*how == 'e']++;
    }
    open_suite(&xml, old->name, j->n, bad[0], bad[1]);
    for (int i = 0; i < j->n; i++)
        put_case(&xml, j->memory, &j->row[i]);
    text_put(&xml, "</testsuite>\n");
    return file_output(path, xml.s, xml.n);
}

int gate_junit_error(const char *path, const char *baseline, const char *why)
{
    OWNED(text_free) struct text xml = {0};

    open_suite(&xml, baseline, 1, 0, 1);
    text_put(&xml, "  <testcase classname=\"gate\" name=\"verdict\"><error "
             "type=\"no verdict\"");
    put_attribute(&xml, "message", why);
    text_put(&xml, "/></testcase>\n</testsuite>\n");
    return file_output(path, xml.s, xml.n);
}
