/*
 * claims_file: writes judged claims as JSON and CSV (claims_put_json), and
 * reads this JSON back (claims_load), so that every format can be printed again
 * without a store.  The contents of the file are not trusted.  Values that
 * follow from the cases (the verdict of a claim, its conditions, the counts)
 * are not read but computed again.  JSON:
 *
 *     {"claims": [{"id", "section", "source", "text", "kind", "verdict",
 *        "if": the conditions under which the claim holds, "why",
 *        "measured": [{"case", "measure", "value", "error", "low", "high",
 *           "expected", "verdict", "meaning": only for measures of a check}],
 *        "published", "needs": number of additional seeds,
 *        "synthetic": true if synthetic examples decide a case,
 *        "universal": true if one failing case refutes the claim,
 *        "command", "reasoning", "formula",
 *        "cases": [{"if", "verdict", "why", "published", "needs",
 *           "synthetic", "command",
 *           "measures": number of entries of "measured" that belong to the
 *              case; the entries are in the order of the cases,
 *           "a", "b": rows, if a measure is the difference a minus b}]}],
 *      "counts": {verdict: number of claims}}
 *
 * Fields that a case lacks are null.  CSV has one line per measure.
 */
#include "harness/claims/judge.h"

#include "harness/base/err.h"
#include "harness/base/relation.h"
#include "harness/base/text.h"
#include "harness/print/sheet.h"

#include <math.h>

enum { MOST_CLAIMS = 4096, MOST_CASES = 4096 };

static const struct column case_columns[] = {
    {"if", NULL, COLUMN(struct claim_case, when), .flags = COLUMN_NULLABLE},
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct claim_case, verdict),
     .words = claim_verdicts},
    {"why", NULL, COLUMN(struct claim_case, why)},
    {"published", NULL, COLUMN(struct claim_case, published),
     .flags = COLUMN_NULLABLE},
    {"needs", NULL, COLUMN(struct claim_case, needs)},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct claim_case, synthetic),
     .flags = COLUMN_LATER},
    {"command", NULL, COLUMN(struct claim_case, command),
     .flags = COLUMN_NULLABLE},
    {"measures", NULL, COLUMN(struct claim_case, measures),
     .most = CLAIM_MEASURES},
    {"a", NULL, COLUMN(struct claim_case, rows.a), .flags = COLUMN_SPARSE},
    {"b", NULL, COLUMN(struct claim_case, rows.b), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static const struct column claim_columns[] = {
    {"id", NULL, COLUMN(struct claim, id)},
    {"section", NULL, COLUMN(struct claim, section)},
    {"source", NULL, COLUMN(struct claim, source)},
    {"text", NULL, COLUMN(struct claim, text)},
    {"kind", NULL, COLUMN_AS(COLUMN_ENUM, struct claim, kind),
     .words = claim_kinds},
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct claim, verdict),
     .words = claim_verdicts, .flags = COLUMN_DERIVED},
    {"if", NULL, COLUMN(struct claim, when), .flags = COLUMN_DERIVED},
    {"why", NULL, COLUMN_AS(COLUMN_WORD, struct claim, why),
     .flags = COLUMN_DERIVED},
    {"published", NULL, COLUMN(struct claim, published),
     .flags = COLUMN_DERIVED},
    {"needs", NULL, COLUMN_AS(COLUMN_COUNT, struct claim, needs),
     .flags = COLUMN_DERIVED},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct claim, synthetic),
     .flags = COLUMN_DERIVED},
    {"universal", NULL, COLUMN_AS(COLUMN_BOOL, struct claim, universal),
     .flags = COLUMN_LATER},
    {"command", NULL, COLUMN(struct claim, command), .flags = COLUMN_DERIVED},
    {"reasoning", NULL, COLUMN(struct claim, reasoning),
     .flags = COLUMN_NULLABLE},
    {"formula", NULL, COLUMN(struct claim, formula), .flags = COLUMN_NULLABLE},
    {.type = COLUMN_END}};

/* A line of CSV has the columns of a claim, the columns below, and
 * "case_verdict". */
static const struct column measure_columns[] = {
    {"case", NULL, COLUMN(struct claim_measured, when),
     .flags = COLUMN_DERIVED},
    {"measure", NULL, COLUMN(struct claim_measured, measure)},
    {"value", NULL, COLUMN(struct claim_measured, value)},
    {"error", NULL, COLUMN(struct claim_measured, error)},
    {"low", NULL, COLUMN(struct claim_measured, between.low)},
    {"high", NULL, COLUMN(struct claim_measured, between.high)},
    {"expected", NULL, COLUMN(struct claim_measured, expected),
     .flags = COLUMN_NULLABLE},
    {.type = COLUMN_END}};

/* The other members of "measured" in JSON. */
static const struct column meaning_columns[] = {
    {"verdict", NULL, COLUMN(struct claim_measured, verdict),
     .flags = COLUMN_DERIVED},
    {"meaning", NULL, COLUMN(struct claim_measured, what),
     .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

/* ---- writing ---- */

static void add_line(struct sheet *s, const struct claim *c,
                     const struct claim_measured *m)
{
    json_t *line = relation_object(claim_columns, c, s->memory);

    relation_put(line, measure_columns, m, s->memory);
    json_object_set_new(line, "case_verdict", json_string(m->verdict));
    json_array_append_new(s->records, line);
}

static json_t *claim_json(struct sheet *s, const struct claim *c)
{
    static const struct claim_measured none = {
        .value = NAN, .error = NAN, .between = {NAN, NAN}};
    struct arena *a = s->memory;
    json_t *one = relation_object(claim_columns, c, a), *all = json_array();

    for (int i = 0; i < c->cases; i++)
        for (int k = 0; k < c->of[i].measures; k++) {
            const struct claim_measured *m = &c->of[i].measured[k];
            json_t *measured = relation_object(measure_columns, m, a);

            relation_put(measured, meaning_columns, m, a);
            json_array_append_new(all, measured);
            add_line(s, c, m);
        }
    if (!json_array_size(all))
        add_line(s, c, &none);
    json_object_set_new(one, "cases", relation_json(&(struct relation){
                            "cases", case_columns, c->of, sizeof *c->of,
                            c->cases}, a));
    json_object_set_new(one, "measured", all);
    return one;
}

void claims_put_json(struct sheet *s, const struct claims *c)
{
    json_t *all = json_array(), *counts = json_object();

    s->records = json_array();
    for (int i = 0; i < c->n; i++)
        if (c->claim[i].wanted)
            json_array_append_new(all, claim_json(s, &c->claim[i]));
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        json_object_set_new(counts, claim_verdicts[v],
                            json_integer(claims_count(c, v)));
    sheet_fact(s, "claims", all);
    sheet_fact(s, "counts", counts);
}

/* ---- reading ---- */

static void check_case(struct relation_reader *r, json_t *j, void *row)
{
    struct claim_case *of = row;

    (void)j;
    if (of->verdict == CLAIM_ONLY_IF)
        relation_wrong(r, "verdict", "the verdict of a case");
    if (of->synthetic) /* earlier versions wrote "published" */
        of->published = NULL;
}

static void check_measure(struct relation_reader *r, json_t *j, void *row)
{
    relation_read(r, j, meaning_columns, row);
}

/* Reads the expectations of a case.  Those of trained claims are only shown. */
static void take_expectations(struct relation_reader *r, struct claim_case *of,
                              enum claim_kind kind)
{
    const char *names[CLAIM_MEASURES + 1] = {NULL};

    for (int k = 0; k < of->measures; k++)
        names[k] = of->measured[k].measure;
    for (int k = 0; k < of->measures; k++) {
        const struct claim_measured *m = &of->measured[k];
        struct claim_expect *e = &of->expect[of->expects];

        if (!m->expected)
            continue;
        of->expects++;
        if (kind == CLAIM_TRAINED)
            *e = (struct claim_expect){.measure = m->measure,
                                       .text = m->expected};
        else if (expect_text(e, m->measure, m->expected, names) < 0)
            relation_wrong(r, "measured",
                           "expectations such as 1, \"0.9 to 1.1\" or "
                           "\"> 0.5\"");
    }
}

/* Reads the cases and measures of a claim, and assigns to each case, in order,
 * the number of measures that the case states. */
static void take_cases(struct relation_reader *r, struct claim *c, json_t *j)
{
    int measures, next = 0;

    c->of = relation_read_rows(r, j, "cases", MOST_CASES, &c->cases,
                               case_columns, sizeof *c->of, check_case);
    struct claim_measured *all = relation_read_rows(
        r, j, "measured", MOST_CASES * CLAIM_MEASURES, &measures,
        measure_columns, sizeof *all, check_measure);

    for (int i = 0; i < c->cases; i++) {
        struct claim_case *of = &c->of[i];

        if (of->measures > measures - next) {
            relation_wrong(r, "measured", "as many as the cases have");
            of->measures = measures - next;
        }
        for (int k = 0; k < of->measures; k++)
            of->measured[k] = all[next++];
        take_expectations(r, of, c->kind);
    }
    if (next < measures)
        relation_wrong(r, "measured", "as many as the cases have");
}

static void check_claim(struct relation_reader *r, json_t *j, void *row)
{
    struct claim *c = row;

    c->wanted = 1;
    if (c->kind == CLAIM_UNTESTABLE) {
        const char *why = json_string_value(json_object_get(j, "why"));

        if (!why)
            relation_wrong(r, "why", "a string");
        c->reason = arena_text(r->memory, why ? why : "");
    }
    take_cases(r, c, j);
    claim_settle(c, r->memory);
}

static int holds_table(const char *path)
{
    OWNED(free) char *word = text_quoted(path);

    return err_set(ERR_USAGE, "%s: holds a table, not claims: `synthbench "
                   "table --from %s` prints it", path, word);
}

int claims_load(struct claims **out, const char *path)
{
    struct arena *memory = arena_new();
    OWNED(claims_close) struct claims *c = arena_zero(memory, sizeof *c);
    struct relation_reader r = {
        .path = path, .writer = "synthbench claims --format json",
        .memory = memory, .rc = OK};
    OWNED(json_decref) json_t *root = NULL;

    *out = NULL;
    c->memory = memory;
    c->path = arena_text(memory, path);
    PASS(relation_open(&root, &r));
    if (json_object_get(root, "table"))
        return holds_table(path);
    c->claim = relation_read_rows(&r, root, "claims", MOST_CLAIMS, &c->n,
                                  claim_columns, sizeof *c->claim,
                                  check_claim);
    PASS(r.rc);
    return MOVE_OUT(out, c);
}
