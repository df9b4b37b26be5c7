/*
 * verify signature: checks whether a store reproduces a signature.  JSON:
 *
 *     {"rows": [{"subject": "d", "property": "data", "measured": value in the
 *      store, "bound": value in the signature, "verdict"}], "failed",
 *      "signature", "store_signature"}
 */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/print/sheet.h"
#include "harness/report/signature.h"
#include "harness/verify/facts.h"

#include <string.h>

enum { DIFFERS = 3 };

struct given { const char *store, *format; };

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

/* A field: its values in the store and in the signature. */
struct row {
    const char  *key, *what, *measured, *bound;
    enum verdict verdict;
};

static const struct column columns[] = {
    {"subject", "", COLUMN(struct row, key)},
    {"property", "field", COLUMN(struct row, what)},
    {"verdict", "verdict", COLUMN_AS(COLUMN_ENUM, struct row, verdict),
     .words = verdict_text},
    {"bound", "signature", COLUMN(struct row, bound)},
    {"measured", "store", COLUMN(struct row, measured)},
    {.type = COLUMN_END}};

/* Compares the signature `given` with the store and prints the result.  Sets
 * *differ to the number of fields that differ. */
static int compare(int *differ, const struct signature *given,
                   const struct report *r, const char *format)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct row row[SIGNED_FIELDS];
    struct signature measured;

    PASS(signature_again(&measured, given, r, s->memory));
    for (int f = 0; f < SIGNED_FIELDS; f++) {
        const char *is = signature_value(&measured, f, s->memory);
        const char *was = signature_value(given, f, s->memory);
        int differs = strcmp(was, is) != 0;

        *differ += differs;
        row[f] = (struct row){signed_word[f].key, signed_word[f].what, is, was,
                              differs ? VERDICT_FAIL : VERDICT_PASS};
    }
    const char *text = signature_text(&measured, s->memory);
    sheet_relation(s, &(struct relation){"rows", columns, row, sizeof *row,
                                         SIGNED_FIELDS});
    sheet_put(s, PART_LINE, "%d same, %d differ", SIGNED_FIELDS - *differ,
              *differ);
    if (*differ)
        sheet_put(s, PART_LINE, "the store has %s", text);
    sheet_fact(s, "failed", json_integer(*differ));
    sheet_fact(s, "signature", json_string(signature_text(given, s->memory)));
    sheet_fact(s, "store_signature", json_string(text));
    return sheet_print(s, format, NULL);
}

/* If the store has damaged cells and does not reproduce the signature, reports
 * the damage instead of the differences. */
static int run_verify_signature(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(arena_free) struct arena *memory = arena_new();
    OWNED(report_close) struct report *r = NULL;
    struct signature signature;
    int differ = 0;

    PASS(signature_read(&signature, args->of[0], memory));
    if (!g->store)
        return err_set(ERR_USAGE, "verify signature: specify the store with "
                                  "--store DIR");
    PASS(report_open(&r, g->store));
    int rc = compare(&differ, &signature, r, g->format);
    PASS(rc == ERR_EMPTY && r->damaged ? OK : rc);
    if (rc == OK && !differ)
        return OK;
    int damage = report_damage(r);
    return damage ? damage : DIFFERS;
}

const struct command verify_signature = {
    .name = "signature",
    .summary = "Check a row's signature against a store",
    .args = "'SB|...' --store STORE",
    .doc = "A signature, as `synthbench table --all` prints for each row, "
           "holds task, scale, variant, seeds and metrics, digests of settings "
           "and data, the numerics version and the commit. Each field is "
           "checked and printed; exit code 3 if one differs, 7 if the store "
           "has no such cells.",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_signature, 1, 1)};
