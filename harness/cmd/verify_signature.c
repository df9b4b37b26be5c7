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
#include "harness/report/signing.h"
#include "harness/verify/facts.h"

#include <string.h>

enum { DIFFERS = 3 };

struct given { const char *store, *format; };

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* ---- output ---- */

struct answer {
    const struct signature *says, *gives;
    struct arena           *memory;
    int                     differ; /* number of fields */
};

static void put_field(struct sheet *s, struct grid *g, json_t *rows,
                      struct answer *of, enum signed_field f)
{
    const struct signed_word *word = &signed_word[f];
    const char *says = signature_value(of->says, f, s->memory);
    const char *gives = signature_value(of->gives, f, s->memory);
    int differs = strcmp(says, gives) != 0;

    of->differ += differs;
    grid_add(g, "%s\t%s\t%s\t%s", word->key, word->what,
             differs ? "differs" : "same", says);
    if (differs)
        grid_add(g, "\t\tthe store\t%s", gives);
    json_array_append_new(
        rows, json_pack("{s:s, s:s, s:s, s:s, s:s}", "subject", word->key,
                        "property", word->what, "measured", gives, "bound",
                        says, "verdict",
                        verdict_text[differs ? VERDICT_FAIL : VERDICT_PASS]));
}

static int print(struct answer *of, const char *format)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct grid *g = sheet_listing(s, "<<<<", NULL);
    json_t *rows = json_array();
    const char *gives = signature_text(of->gives, s->memory);

    for (int f = 0; f < SIGNED_FIELDS; f++)
        put_field(s, g, rows, of, (enum signed_field)f);
    if (of->differ)
        sheet_put(s, PART_LINE, "the store has %s", gives);
    sheet_put(s, PART_LINE, "%d same, %d differ", SIGNED_FIELDS - of->differ,
              of->differ);
    s->object = json_pack("{s:o, s:i, s:s, s:s}", "rows", rows, "failed",
                          of->differ, "signature",
                          signature_text(of->says, s->memory),
                          "store_signature", gives);
    return sheet_print(s, format, NULL);
}

/* ---- the command ---- */

static int answer(struct answer *of, const struct report *r,
                  const char *format)
{
    struct signature gives;

    PASS(signing_again(&gives, of->says, r, of->memory));
    of->gives = &gives;
    return print(of, format);
}

/* If the store lacks the cells or differs from the signature, and cells are
 * damaged, reports the damage instead. */
static int run_verify_signature(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(arena_free) struct arena *memory = arena_new();
    OWNED(report_close) struct report *r = NULL;
    struct signature says;
    struct answer a = {.says = &says, .memory = memory};

    PASS(signature_read(&says, args->of[0], memory));
    if (!g->store)
        return err_set(ERR_USAGE, "verify signature: specify the store with "
                                  "--store DIR");
    PASS(report_open(&r, g->store));
    int rc = answer(&a, r, g->format);
    PASS(rc == ERR_EMPTY && r->damaged ? OK : rc);
    if (rc == OK && !a.differ)
        return OK;
    int damage = report_damage(r);
    return damage ? damage : DIFFERS;
}

const struct command verify_signature = {
    .name = "signature",
    .summary = "Check a row's signature against a store",
    .args = "'SB|...' --store STORE",
    .doc = "A signature, as `synthbench table` prints for each row, holds "
           "task, scale, variant, seeds and metrics, digests of settings "
           "and data, the numerics version and the commit. Each field is "
           "checked and printed; exit code 3 if one differs, 7 if the store "
           "has no such cells.",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_signature, 1, 1)};
