/* repair: quarantines damaged files of a store (verify/store/repair.h). */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/verify/store/repair.h"

#include <stdio.h>

struct given {
    const char *store;
    int         dry;
};

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {"--dry-run", 'n', NULL, opt_flag, OPT_AT(dry),
     .doc = "Print what would be done, and do nothing"},
    {.name = NULL}};

static void print_line(const char *line) { put_harmless("%s\n", line); }

static int run_repair(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(repair_close) struct repair r = {.path = NULL};

    (void)args;
    if (!g->store)
        return err_set(ERR_USAGE, "repair: specify the store with --store "
                                  "DIR");
    PASS(repair_store(&r, g->store, g->dry, print_line));
    if (!r.mended)
        printf("nothing to repair\n");
    else if (!r.dry && file_exists(r.aside))
        put_harmless("quarantined in %s\n", r.aside);
    return OK;
}

const struct command command_repair = {
    .name = "repair",
    .summary = "Quarantine damaged files of a store for `run` to replace",
    .args = "--store STORE",
    .doc = "Moves damaged files, and cells that are not part of the store's "
           "experiment, to STORE/quarantine/DATE; nothing is deleted. The "
           "index and damaged lines of the journal are rebuilt from the "
           "cells; `run` then trains the missing cells.",
    COMMAND_RUNS(run_repair, 0, 0)};
