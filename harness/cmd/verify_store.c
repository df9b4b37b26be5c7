/* verify store: checks that the files of a store are intact. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/verify/store/audit.h"
#include "harness/verify/facts.h"

#include <string.h>

struct given { const char *store, *format; };

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

static void add_row(struct facts *f, const struct audit_row *r,
                    const char *store)
{
    OWNED(free) char *subject = str_format(
        "%s%s", strcmp(r->store, store) ? "speed/" : "", r->subject);

    facts_add(f, r->verdict, subject, r->property, r->verdict == VERDICT_FAIL,
              0, "%s", r->remark);
}

static int run_verify_store(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(facts_close) struct facts *f = facts_new();
    OWNED(audit_close) struct audit *a = NULL;

    (void)args;
    if (!g->store)
        return err_set(ERR_USAGE, "verify store: specify the store with "
                                  "--store DIR");
    PASS(audit_store(&a, g->store));
    for (int i = 0; i < a->n; i++)
        add_row(f, &a->row[i], g->store);
    PASS(facts_print(f, g->format));
    if (!facts_count(f, VERDICT_FAIL))
        return OK;
    OWNED(free) char *store = text_quoted(g->store);
    say("`synthbench repair --store %s` quarantines what is damaged and "
        "prints the next steps", store);
    return -ERR_STORE;
}

const struct command verify_store = {
    .name = "store",
    .summary = "Check whether a store is intact",
    .args = "--store STORE",
    .doc = "Exit code 5 if a file is damaged; `synthbench repair --store "
           "STORE` quarantines it. Properties: journal entry (a line of the "
           "journal is undamaged; a cell may have several), integrity (the "
           "checksum of a file), experiment (the file belongs to a cell of "
           "the experiment), checksum (of experiment.json), weights (they "
           "are those that the cell stored), start (the cell started from the "
           "present weights of its parent), links (the index lists the "
           "cells), other file (not checked, for the reason given).",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_store, 0, 0)};
