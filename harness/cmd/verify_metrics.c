/* verify metrics: checks every case of a folder of reference vectors. */
#include "harness/cmd/command.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/datadir.h"
#include "harness/base/map.h"
#include "harness/print/sheet.h"
#include "harness/verify/metrics/vectors.h"

#include <stdlib.h>
#include <string.h>

struct given { const char *vectors, *data, *format; }; /* data: may be NULL */

static const struct opt options[] = {
    {"--vectors", 0, "DIR", opt_folder, OPT_AT(vectors),
     .doc = "Folder of test cases: of all metrics, of one metric, or a single "
            "case (default: the program's own)"},
    {"--data", 0, "DIR", opt_folder, OPT_AT(data),
     .doc = "Word lists that some metrics need and that cannot be shipped "
            "(default: the folder third_party next to the test cases, if it "
            "exists, else $SYNTHBENCH_METRIC_DATA)"},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

enum { VERDICTS = 3 };

struct outcome {
    const char  *folder, *name, *message; /* message: NULL if it passed */
    const char  *property, *bound;
    long long    compared;                /* number of values          */
    enum verdict verdict;
};

static const struct column outcome_columns[] = {
    {"subject", NULL, COLUMN(struct outcome, name)},
    {"property", NULL, COLUMN(struct outcome, property)},
    {"measured", NULL, COLUMN(struct outcome, compared)},
    {"message", NULL, COLUMN(struct outcome, message)},
    {"bound", NULL, COLUMN(struct outcome, bound)},
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct outcome, verdict),
     .words = verdict_text},
    {.type = COLUMN_END}};

/* The numbers of all cases, or of those of one folder. */
struct tally { const char *folder; int count[VERDICTS]; long long compared; };

static const struct column tally_columns[] = {
    {NULL, "metric", COLUMN(struct tally, folder)},
    {NULL, "passed", COLUMN(struct tally, count[VERDICT_PASS])},
    {NULL, "failed", COLUMN(struct tally, count[VERDICT_FAIL])},
    {NULL, "skipped", COLUMN(struct tally, count[VERDICT_NONE])},
    {NULL, "values", COLUMN(struct tally, compared)},
    {.type = COLUMN_END}};

struct verifying { struct outcome *row; int n; size_t room; struct arena *a; };

static void note(void *arg, const char *folder, const char *name,
                 const struct vector_outcome *o)
{
    struct verifying *v = arg;

    ARRAY_ROOM(v->row, v->n, v->room);
    v->row[v->n++] = (struct outcome){
        arena_text(v->a, folder), arena_text(v->a, name),
        o->message ? arena_text(v->a, o->message) : NULL,
        "equals the reference tool",
        "every value, 1e-9 relative or as the case states", o->compared,
        o->verdict};
}

/* ---- output ---- */

static void count(struct tally *t, const struct outcome *o)
{
    t->folder = o->folder;
    t->count[o->verdict]++;
    t->compared += o->compared;
}

/* Adds a grid with a row for each folder.  Cases of a folder are
 * consecutive. */
static void put_folders(struct sheet *s, const struct verifying *v)
{
    struct tally *t = arena_zero(v->a, ((size_t)v->n + 1) * sizeof *t);
    int n = 0;

    for (int i = 0; i < v->n; i++) {
        n += !i || strcmp(v->row[i].folder, v->row[i - 1].folder) != 0;
        count(&t[n - 1], &v->row[i]);
    }
    sheet_grid_of(s, &(struct relation){NULL, tally_columns, t, sizeof *t, n});
}

/* Adds the message of the first failure of each folder.  The message about a
 * mismatch has one line for each of the two values. */
static void put_failures(struct sheet *s, const struct verifying *v)
{
    const char *last = "";

    for (int i = 0; i < v->n; i++) {
        const struct outcome *o = &v->row[i];

        if (o->verdict != VERDICT_FAIL || !strcmp(o->folder, last))
            continue;
        last = o->folder;
        for (char *line, *rest = arena_text(v->a, o->message);
             (line = strsep(&rest, "\n"));)
            sheet_put(s, PART_LINE, "%s", line);
    }
}

/* Adds each reason for skipping cases once, with the names of the cases. */
static void put_skipped(struct sheet *s, const struct verifying *v)
{
    OWNED(map_free) struct map *seen = map_new();

    for (int i = 0; i < v->n; i++) {
        const struct outcome *o = &v->row[i];
        const char *names = "";

        if (o->verdict != VERDICT_NONE || !map_add(seen, o->message, i))
            continue;
        for (const struct outcome *k = o; k < v->row + v->n; k++)
            if (k->verdict == VERDICT_NONE && !strcmp(k->message, o->message))
                names = arena_format(v->a, "%s%s%s", names, *names ? ", " : "",
                                     k->name);
        sheet_put(s, PART_GAP, "%s", "");
        sheet_put(s, PART_LINE, "skipped: %s", o->message);
        sheet_put(s, PART_LINE, "  %s", names);
    }
}

static int run_verify_metrics(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(free) struct outcome *row = NULL;
    OWNED(free) char *own = NULL;
    struct verifying v = {.a = s->memory};
    struct tally all = {.compared = 0};

    (void)args;
    if (!g->vectors)
        PASS(datadir_find(&own, "tests/data/metrics"));
    const char *vectors = g->vectors ? g->vectors : own;
    int rc = vectors_verify(vectors, g->data, note, &v);
    row = v.row;
    PASS(rc);
    if (!v.n)
        return err_set(ERR_EMPTY, "%s: no case: there is no expected.json",
                       vectors);
    for (int i = 0; i < v.n; i++)
        count(&all, &row[i]);
    const int *n = all.count;
    sheet_put(s, PART_LINE, "%d passed, %d failed, %d skipped; %lld values "
              "compared", n[VERDICT_PASS], n[VERDICT_FAIL], n[VERDICT_NONE],
              all.compared);
    sheet_put(s, PART_GAP, "%s", "");
    put_folders(s, &v);
    put_failures(s, &v);
    put_skipped(s, &v);
    sheet_relation(s, &(struct relation){"rows", outcome_columns, row,
                                         sizeof *row, v.n});
    sheet_fact(s, "compared", json_integer(all.compared));
    sheet_fact(s, "passed", json_integer(n[VERDICT_PASS]));
    sheet_fact(s, "failed", json_integer(n[VERDICT_FAIL]));
    sheet_fact(s, "skipped", json_integer(n[VERDICT_NONE]));
    PASS(sheet_print(s, g->format, NULL));
    return n[VERDICT_FAIL] ? 1 : OK;
}

const struct command verify_metrics = {
    .name = "metrics",
    .summary = "Compare every metric with the output of the field's tools",
    .args = "",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_metrics, 0, 0)};
