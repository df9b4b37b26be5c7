/* verify metrics: checks every case of a folder of reference vectors. */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
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
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

enum { VERDICTS = 3 };

struct tally { int count[VERDICTS]; long compared; };

struct folder { const char *name; struct tally tally; }; /* of one metric */

struct unfit { const char *why, *cases; };

struct verifying {
    struct tally    all;
    struct folder  *folder;
    struct unfit   *skipped;
    int             n, reasons; /* folders; reasons for skipping */
    size_t          folder_cap, skipped_cap;
    struct sheet   *sheet;
    const char     *failures;   /* messages, one per line; or NULL */
    json_t         *rows;       /* one object per case           */
};

static void verifying_close(struct verifying *v)
{
    free(v->folder);
    free(v->skipped);
    sheet_close(v->sheet);
    json_decref(v->rows);
}
OWNER_OF_VALUE(verifying_close, struct verifying)

/* Notes that the case `name` is skipped for the reason `why`. */
static void skip(struct verifying *v, const char *name, const char *why)
{
    int i = 0;

    while (i < v->reasons && strcmp(v->skipped[i].why, why))
        i++;
    if (i == v->reasons) {
        ARRAY_ROOM(v->skipped, v->reasons, v->skipped_cap);
        v->skipped[v->reasons++] = (struct unfit){
            arena_text(v->sheet->memory, why), NULL};
    }
    const char **cases = &v->skipped[i].cases;
    *cases = arena_format(v->sheet->memory, "%s%s%s", *cases ? *cases : "",
                          *cases ? ", " : "", name);
}

/* Returns the tally of `folder`, and adds the folder if it is new.  Cases of a
 * folder are consecutive. */
static struct tally *tally_of(struct verifying *v, const char *folder)
{
    if (!v->n || strcmp(v->folder[v->n - 1].name, folder)) {
        ARRAY_ROOM(v->folder, v->n, v->folder_cap);
        v->folder[v->n++] = (struct folder){
            .name = arena_text(v->sheet->memory, folder)};
    }
    return &v->folder[v->n - 1].tally;
}

/* Adds the lines of a message.  The message about a mismatch has one line for
 * each of the two values. */
static void put_lines(struct sheet *to, const char *message)
{
    OWNED(free) char *own = str_copy(message), *rest = own, *line;

    while ((line = strsep(&rest, "\n")))
        sheet_put(to, PART_LINE, "%s", line);
}

static void note(void *arg, const char *folder, const char *name,
                 const struct vector_outcome *o)
{
    struct verifying *v = arg;
    struct tally *t = tally_of(v, folder);
    enum verdict k = o->verdict;

    t->count[k]++;
    t->compared += o->compared;
    v->all.count[k]++;
    v->all.compared += o->compared;
    if (k == VERDICT_FAIL && t->count[k] == 1) /* first failure of the folder */
        v->failures = arena_format(v->sheet->memory, "%s%s%s",
                                   v->failures ? v->failures : "",
                                   v->failures ? "\n" : "", o->message);
    if (k == VERDICT_NONE)
        skip(v, name, o->message);
    json_array_append_new(
        v->rows,
        json_pack("{s:s, s:s, s:I, s:s?, s:s, s:s}", "subject", name,
                  "property", "equals the reference tool", "measured",
                  (json_int_t)o->compared, "message", o->message, "bound",
                  "every value, 1e-9 relative or as the case states",
                  "verdict", verdict_text[k]));
}

/* ---- output ---- */

/* Adds the totals below the mismatches. */
static void print_text(const struct verifying *v)
{
    static const char *const head[] = {"metric", "passed", "failed", "skipped",
                                       "values"};
    const int *n = v->all.count;
    struct grid *g;

    sheet_put(v->sheet, PART_LINE, "%d passed, %d failed, %d skipped; %ld "
              "values compared", n[0], n[1], n[2], v->all.compared);
    sheet_put(v->sheet, PART_GAP, "%s", "");
    g = sheet_listing(v->sheet, "<>>>>", head);
    for (int i = 0; i < v->n; i++) {
        const struct tally *t = &v->folder[i].tally;

        grid_add(g, "%s\t%d\t%d\t%d\t%ld", v->folder[i].name,
                 t->count[VERDICT_PASS], t->count[VERDICT_FAIL],
                 t->count[VERDICT_NONE], t->compared);
    }
    if (v->failures)
        put_lines(v->sheet, v->failures);
    for (int i = 0; i < v->reasons; i++) {
        sheet_put(v->sheet, PART_GAP, "%s", "");
        sheet_put(v->sheet, PART_LINE, "skipped: %s", v->skipped[i].why);
        sheet_put(v->sheet, PART_LINE, "  %s", v->skipped[i].cases);
    }
}

static json_t *object_of(const struct verifying *v)
{
    const int *n = v->all.count;

    return json_pack("{s:O, s:I, s:i, s:i, s:i}", "rows", v->rows, "compared",
                     (json_int_t)v->all.compared, "passed", n[0], "failed",
                     n[1], "skipped", n[2]);
}

static int run_verify_metrics(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(verifying_close) struct verifying v = {.sheet = sheet_new(),
                                                 .rows = json_array()};
    OWNED(free) char *own = NULL;

    (void)args;
    if (!g->vectors)
        PASS(datadir_find(&own, "tests/data/metrics"));
    const char *vectors = g->vectors ? g->vectors : own;
    PASS(vectors_verify(vectors, g->data, note, &v));
    if (!v.all.count[0] && !v.all.count[1] && !v.all.count[2])
        return err_set(ERR_EMPTY, "%s: no case: there is no expected.json",
                       vectors);
    print_text(&v);
    v.sheet->object = object_of(&v);
    PASS(sheet_print(v.sheet, g->format, NULL));
    return v.all.count[VERDICT_FAIL] ? 1 : OK;
}

const struct command verify_metrics = {
    .name = "metrics",
    .summary = "Compare every metric with the output of the field's tools",
    .args = "",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_metrics, 0, 0)};
