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

/* ---- rows ---- */

static const char *metric_of(const void *row, struct arena *a)
{
    const char *metric = ((const struct judged *)row)->metric;
    const char *slash = strchr(metric, '/');

    (void)a;
    return slash ? slash + 1 : metric;
}

static const char *show_difference(const void *row, struct arena *a)
{
    const struct judged *r = row;

    return isnan(r->difference) ? ""
           : arena_format(a, r->relative ? "%+.3g %%" : "%+.3g", r->difference);
}

static const char *show_margin(const void *row, struct arena *a)
{
    const struct judged *r = row;

    return isnan(r->margin) ? ""
           : arena_format(a, r->relative ? "%.2g %%" : "%.2g", r->margin);
}

static const char *between(const void *row, struct arena *a)
{
    const struct judged *r = row;

    return isnan(r->between.low)
               ? ""
               : arena_format(a, "%+.3g to %+.3g%s", r->between.low,
                              r->between.high, r->relative ? " %" : "");
}

static const char *p_text(const void *row, struct arena *a)
{
    double p = ((const struct judged *)row)->p;
    char text[24];

    return isnan(p)  ? ""
           : p < 1e-6 ? "<1e-6"
                      : arena_text(a, verdict_p(p, text));
}

#define OF(member) COLUMN(struct judged, member)
static const struct column columns[] = {
    {"verdict", "verdict", COLUMN_AS(COLUMN_ENUM, struct judged, verdict),
     .words = judge_word},
    {"cell", "cell", OF(cell)},
    {"metric", "metric", OF(metric), .show = metric_of},
    {"units", NULL, OF(units)},
    {"stage", NULL, OF(stage)},
    {"percent", NULL, COLUMN_AS(COLUMN_BOOL, struct judged, relative)},
    {"baseline", "baseline", OF(old), "%.5g"},
    {"now", "now", OF(new), "%.5g"},
    {"difference", "now - baseline", OF(difference), .show = show_difference},
    {NULL, "interval", COLUMN_SHOWN, .show = between},
    {"low", NULL, OF(between.low)},
    {"high", NULL, OF(between.high)},
    {"margin", "margin", OF(margin), .show = show_margin},
    {"p", "p", OF(p), .show = p_text},
    {"why", "details", OF(why)},
    {.type = COLUMN_END}};

/* Adds all rows but those of bit-identical cells, the worst first. */
static void put_rows(struct sheet *s, const struct judgement *j)
{
    const struct judged **row = arena_zero(s->memory, ((size_t)j->n + 1) *
                                                          sizeof *row);
    int n = 0;

    for (int v = JUDGE_KINDS - 1; v > JUDGE_SAME; v--)
        for (int i = 0; i < j->n; i++)
            if (j->row[i].verdict == (enum judge_verdict)v)
                row[n++] = &j->row[i];
    sheet_relation(s, &(struct relation){"rows", columns, row, 0, n});
}

/* ---- the parts of the sheet ---- */

/* The outcomes of the gate, the best first, and the JUnit element of a row that
 * causes them (NULL: the row passes). */
enum { PASSED, UNDECIDED, INCOMPLETE, FAILED };
static const struct outcome {
    const char *headline, *junit;
    int         exit_code;
} outcome[] = {[PASSED] = {"PASS", NULL, 0},
               [UNDECIDED] = {"UNDECIDED", "error", 4},
               [INCOMPLETE] = {"INCOMPLETE", "error", 1},
               [FAILED] = {"FAIL", "failure", 3}};

static const struct outcome *outcome_of(enum judge_verdict v)
{
    switch (v) {
    case JUDGE_WORSE:
    case JUDGE_CHANGED: return &outcome[FAILED];
    case JUDGE_MISSING: return &outcome[INCOMPLETE];
    case JUDGE_UNDECIDED: return &outcome[UNDECIDED];
    default: return &outcome[PASSED];
    }
}

/* Returns the outcome of the worst row. */
static const struct outcome *worst(const struct judgement *j)
{
    const struct outcome *all = &outcome[PASSED];

    for (int i = 0; i < j->n; i++)
        if (outcome_of(j->row[i].verdict) > all)
            all = outcome_of(j->row[i].verdict);
    return all;
}

int gate_exit_code(const struct judgement *j) { return worst(j)->exit_code; }

/* What a row is about. */
enum about { CELLS, VALUES, COSTS, ABOUTS };

/* Returns the number of each verdict among the rows about `of`, the worst
 * first, such as ". Values: 3 worse, 1 equal within the margin"; or "". */
static const char *counts(const struct judgement *j, enum about of,
                          struct arena *a)
{
    static const char *const title[] = {"Cells", "Values", "Costs"};
    const char *all = "";

    for (int v = JUDGE_KINDS - 1; v > JUDGE_SAME; v--) {
        int n = 0;

        for (int i = 0; i < j->n; i++) {
            const struct judged *r = &j->row[i];

            n += r->verdict == (enum judge_verdict)v &&
                 of == (!*r->metric                ? CELLS
                        : !strcmp(r->stage, "cost") ? COSTS
                                                    : VALUES);
        }
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
              "bit-identical to baseline %s%s", worst(j)->headline,
              *j->settings ? "the settings differ: " : "", j->settings,
              *j->settings ? ". " : "", judge_count(j, JUDGE_SAME), j->cells,
              old->name, all);
    if (j->untrained)
        sheet_put(s, PART_PARAGRAPH, "%d cell%s of the experiment %s in "
                  "neither the baseline nor the store", j->untrained,
                  j->untrained == 1 ? "" : "s",
                  j->untrained == 1 ? "is" : "are");
}

static void put_facts(struct sheet *s, const struct judgement *j,
                      const char *baseline, const char *commit)
{
    json_t *count = json_object();

    for (int v = 0; v < JUDGE_KINDS; v++)
        json_object_set_new(count, judge_word[v],
                            json_integer(judge_count(j, v)));
    sheet_fact(s, "baseline", json_string(baseline));
    sheet_fact(s, "commit", json_string(commit));
    sheet_fact(s, "cells", json_integer(j->cells));
    sheet_fact(s, "same", json_integer(judge_count(j, JUDGE_SAME)));
    sheet_fact(s, "tests", json_integer(j->tests));
    sheet_fact(s, "builds", json_string(j->builds));
    sheet_fact(s, "settings", json_string(j->settings));
    sheet_fact(s, "count", count);
}

void gate_sheet(struct sheet *s, const struct judgement *j,
                const struct baseline *old, const struct baseline *new)
{
    const char *was = baseline_fact(old, "commit");
    const char *is = baseline_fact(new, "commit");
    int differs = j->n > judge_count(j, JUDGE_SAME);

    put_facts(s, j, old->name, was);
    put_sum(s, j, old);
    put_rows(s, j);
    if (j->tests > 1)
        sheet_put(s, PART_PARAGRAPH, "%d tests: p-values are corrected for "
                  "all of them (Bonferroni), and all intervals hold "
                  "simultaneously with 95 %% confidence", j->tests);
    if (differs && *j->builds)
        sheet_put(s, PART_PARAGRAPH, "Differences in build and machine: %s",
                  j->builds);
    if (differs && was && is && strcmp(was, is))
        sheet_put(s, PART_PARAGRAPH, "See `git log %.12s..%.12s`", was, is);
}

/* ---- JUnit ---- */

/* Adds an attribute with XML escapes.  Control characters are removed, because
 * XML 1.0 cannot represent them, not even escaped. */
static void put_attribute(struct text *to, const char *name, const char *value)
{
    static const char *const escapes[][2] = {
        {"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {NULL}};
    OWNED(free) char *clean = str_harmless(str_copy(value), "");

    text_format(to, " %s=\"", name);
    text_swap(to, clean, escapes);
    text_put(to, "\"");
}

static void put_case(struct text *to, struct arena *a, const struct judged *r)
{
    const char *bad = outcome_of(r->verdict)->junit, *why = r->why;

    text_put(to, "  <testcase");
    put_attribute(to, "classname", r->cell);
    put_attribute(to, "name", *r->metric ? metric_of(r, a) : r->stage);
    if (!bad) {
        text_put(to, "/>\n");
        return;
    }
    if (!isnan(r->old) && !isnan(r->new))
        why = arena_format(a, "%.6g, now %.6g %s (%+.3g%s, %s; p %s): %s",
                           r->old, r->new, r->units, r->difference,
                           r->relative ? " %" : "", between(r, a),
                           p_text(r, a), r->why);
    text_format(to, "><%s", bad);
    put_attribute(to, "type", judge_word[r->verdict]);
    put_attribute(to, "message", why);
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
        const char *how = outcome_of(j->row[i].verdict)->junit;

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
