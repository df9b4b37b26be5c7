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
#include "harness/claims/claims.h"

#include "harness/base/err.h"
#include "harness/base/relation.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/claims/expect.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <string.h>

enum { MOST_CLAIMS = 4096, MOST_CASES = 4096 };

/* ---- writing ---- */

struct case_record {
    struct claim_case of;
    const char       *why; /* never NULL */
};

static const struct column case_columns[] = {
    {"if", NULL, COLUMN(struct case_record, of.when),
     .flags = COLUMN_NULLABLE},
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct case_record, of.verdict),
     .words = claim_verdicts},
    {"why", NULL, COLUMN(struct case_record, why)},
    {"published", NULL, COLUMN(struct case_record, of.said),
     .flags = COLUMN_NULLABLE},
    {"needs", NULL, COLUMN(struct case_record, of.needs)},
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct case_record,
                                  of.synthetic), .flags = COLUMN_LATER},
    {"command", NULL, COLUMN(struct case_record, of.command),
     .flags = COLUMN_NULLABLE},
    {"measures", NULL, COLUMN(struct case_record, of.measures),
     .most = CLAIM_MEASURES},
    {"a", NULL, COLUMN(struct case_record, of.rows.a), .flags = COLUMN_SPARSE},
    {"b", NULL, COLUMN(struct case_record, of.rows.b), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

struct record {
    struct claim          of;
    const char           *why, *published, *command;
    size_t                needs;
    int                   synthetic;
    /* The remaining fields describe one measure: one line of CSV. */
    const char           *when, *expected;
    struct claim_measured measured;
    const char           *verdict;
};

#define CLAIM_COLUMNS                                                         \
    {"id", NULL, COLUMN(struct record, of.id)},                               \
    {"section", NULL, COLUMN(struct record, of.section)},                     \
    {"source", NULL, COLUMN(struct record, of.source)},                       \
    {"text", NULL, COLUMN(struct record, of.text)},                           \
    {"kind", NULL, COLUMN_AS(COLUMN_ENUM, struct record, of.kind),            \
     .words = claim_kinds},                                                   \
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct record, of.verdict),      \
     .words = claim_verdicts, .flags = COLUMN_DERIVED},                       \
    {"if", NULL, COLUMN(struct record, of.when), .flags = COLUMN_DERIVED},    \
    {"why", NULL, COLUMN_AS(COLUMN_WORD, struct record, why),                 \
     .flags = COLUMN_DERIVED},                                                \
    {"published", NULL, COLUMN(struct record, published),                     \
     .flags = COLUMN_DERIVED},                                                \
    {"needs", NULL, COLUMN_AS(COLUMN_COUNT, struct record, needs),            \
     .flags = COLUMN_DERIVED},                                                \
    {"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct record, synthetic),     \
     .flags = COLUMN_DERIVED},                                                \
    {"universal", NULL, COLUMN_AS(COLUMN_BOOL, struct record, of.universal),  \
     .flags = COLUMN_LATER},                                                  \
    {"command", NULL, COLUMN(struct record, command),                         \
     .flags = COLUMN_DERIVED},                                                \
    {"reasoning", NULL, COLUMN(struct record, of.reasoning),                  \
     .flags = COLUMN_NULLABLE},                                               \
    {"formula", NULL, COLUMN(struct record, of.formula),                      \
     .flags = COLUMN_NULLABLE}

#define MEASURE_COLUMNS                                                       \
    {"case", NULL, COLUMN(struct record, when), .flags = COLUMN_DERIVED},     \
    {"measure", NULL, COLUMN(struct record, measured.measure)},               \
    {"value", NULL, COLUMN(struct record, measured.value)},                   \
    {"error", NULL, COLUMN(struct record, measured.error)},                   \
    {"low", NULL, COLUMN(struct record, measured.between.low)},               \
    {"high", NULL, COLUMN(struct record, measured.between.high)},             \
    {"expected", NULL, COLUMN(struct record, expected),                       \
     .flags = COLUMN_NULLABLE}

static const struct column claim_columns[] = {CLAIM_COLUMNS,
                                              {.type = COLUMN_END}};

static const struct column measure_columns[] = {
    MEASURE_COLUMNS,
    {"verdict", NULL, COLUMN(struct record, verdict), .flags = COLUMN_DERIVED},
    {"meaning", NULL, COLUMN(struct record, measured.what),
     .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static const struct column line_columns[] = {
    CLAIM_COLUMNS, MEASURE_COLUMNS,
    {"case_verdict", NULL, COLUMN(struct record, verdict)},
    {.type = COLUMN_END}};

static size_t most_needs(const struct claim *c)
{
    size_t most = 0;

    for (int i = 0; i < c->cases; i++)
        most = c->of[i].needs > most ? c->of[i].needs : most;
    return most;
}

static const char *first_published(const struct claim *c)
{
    for (int i = 0; i < c->cases; i++)
        if (c->of[i].said)
            return c->of[i].said;
    return NULL;
}

static struct record record_of(const struct claim *c)
{
    return (struct record){
        .of = *c, .why = claim_why(c), .published = first_published(c),
        .command = claim_command(c), .needs = most_needs(c),
        .synthetic = claim_synthetic(c),
        .measured = {NULL, NAN, NAN, {NAN, NAN}}};
}

static json_t *case_json(const struct claim_case *of, struct arena *a)
{
    struct case_record r = {*of, of->why ? of->why : ""};

    return relation_object(case_columns, &r, a);
}

static void add_claim(struct sheet *s, json_t *all, const struct claim *c)
{
    struct record r = record_of(c);
    json_t *one = relation_object(claim_columns, &r, s->memory);
    json_t *cases = json_array(), *measured = json_array();

    for (int i = 0; i < c->cases; i++) {
        const struct claim_case *of = &c->of[i];

        json_array_append_new(cases, case_json(of, s->memory));
        r.when = of->when;
        r.verdict = claim_verdicts[of->verdict];
        for (int k = 0; k < of->measures; k++) {
            const struct claim_expect *e =
                expect_of(of, of->measured[k].measure);

            r.measured = of->measured[k];
            r.expected = e ? e->text : NULL;
            json_array_append_new(measured, relation_object(measure_columns, &r,
                                                            s->memory));
            json_array_append_new(s->records, relation_object(line_columns, &r,
                                                              s->memory));
        }
    }
    if (!json_array_size(measured)) {
        r = record_of(c);
        json_array_append_new(s->records, relation_object(line_columns, &r,
                                                          s->memory));
    }
    json_object_set_new(one, "cases", cases);
    json_object_set_new(one, "measured", measured);
    json_array_append_new(all, one);
}

void claims_put_json(struct sheet *s, const struct claims *c)
{
    json_t *all = json_array(), *counts = json_object();

    s->records = json_array();
    for (int i = 0; i < c->n; i++)
        if (c->claim[i].wanted)
            add_claim(s, all, &c->claim[i]);
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        json_object_set_new(counts, claim_verdicts[v],
                            json_integer(claims_count(c, v)));
    sheet_fact(s, "claims", all);
    sheet_fact(s, "counts", counts);
}

/* ---- reading ---- */

/* Returns the name in a comparison such as "< other", or NULL if `text` is not
 * a comparison or compares with a number. */
static const char *than_of(const char *text)
{
    const char *rest = text + strspn(text, "<>= ");
    double x;

    return rest > text && str_to_real(rest, &x) ? rest : NULL;
}

static void check_case(struct relation_reader *r, json_t *j, void *row)
{
    const struct case_record *c = row;

    (void)j;
    if (c->of.verdict == CLAIM_ONLY_IF)
        relation_wrong(r, "verdict", "the verdict of a case");
}

static void take_measure(struct claim_case *of, const struct record *from)
{
    of->measured[of->measures++] = from->measured;
    if (from->expected)
        of->expect[of->expects++] = (struct claim_expect){
            .measure = from->measured.measure, .text = from->expected,
            .than = than_of(from->expected)};
}

/* Reads the cases and measures of a claim, and assigns to each case, in order,
 * the number of measures that the case states. */
static void take_cases(struct relation_reader *r, struct claim *c, json_t *j)
{
    int measures, next = 0;
    struct case_record *of = relation_read_rows(
        r, j, "cases", MOST_CASES, &c->cases, case_columns, sizeof *of,
        check_case);
    struct record *all = relation_read_rows(
        r, j, "measured", MOST_CASES * CLAIM_MEASURES, &measures,
        measure_columns, sizeof *all, NULL);

    c->of = arena_zero(r->memory, ((size_t)c->cases + 1) * sizeof *c->of);
    for (int i = 0; i < c->cases; i++) {
        int n = of[i].of.measures;

        c->of[i] = of[i].of;
        c->of[i].why = of[i].why;
        c->of[i].measures = 0;
        if (c->of[i].synthetic) /* earlier versions wrote "published" */
            c->of[i].said = NULL;
        for (int k = 0; k < n && next < measures; k++)
            take_measure(&c->of[i], &all[next++]);
        next += c->of[i].measures < n; /* makes the test below fail */
    }
    if (next != measures)
        relation_wrong(r, "measured", "as many as the cases have");
}

static void check_claim(struct relation_reader *r, json_t *j, void *row)
{
    struct claim *c = &((struct record *)row)->of;

    c->place = r->path;
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
    PASS(json_read(&root, path));
    if (json_object_get(root, "table"))
        return holds_table(path);
    struct record *all = relation_read_rows(&r, root, "claims", MOST_CLAIMS,
                                            &c->n, claim_columns, sizeof *all,
                                            check_claim);
    PASS(r.rc);
    c->claim = arena_zero(memory, ((size_t)c->n + 1) * sizeof *c->claim);
    for (int i = 0; i < c->n; i++)
        c->claim[i] = all[i].of;
    return MOVE_OUT(out, c);
}
