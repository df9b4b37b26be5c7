/* lend: writes a folder from which another program trains a cell. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/lend/lend.h"

struct given {
    const char      *store, *output, *ids;
    struct lend_data data;
};

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {"--output", 'o', "DIR", opt_text, OPT_AT(output),
     .doc = "The folder to write"},
    {"--ids", 0, "FILE", opt_file, OPT_AT(ids),
     .doc = "Refer to this data.h5 of an earlier lend of the same data "
            "instead of writing the ids again"},
    {.group = opts_cache, .at = OPT_AT(data.cache)},
    {.group = opts_files, .at = OPT_AT(data.files)},
    {.name = NULL}};

static int run_lend(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(plan_close) struct plan *p = NULL;
    const struct cell *c = NULL;

    if (!g->output)
        return err_set(ERR_USAGE, "lend: specify the folder with -o DIR");
    if (target_group(args->of[0]))
        return err_set(ERR_USAGE, "%s: specify one cell, with its seed",
                       args->of[0]);
    PASS(target_open(&p, args->of[0], g->store));
    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected)
            c = &p->cell[i];
    PASS(lend_cell(p, c, g->output, g->ids, &g->data));
    OWNED(free) char *folder = text_quoted(g->output);
    OWNED(free) char *store = text_quoted(p->store);
    say("lent %s/%s/%llu to %s; the trainer writes %s/trained, then "
        "`synthbench adopt %s --store %s` checks and stores it", c->row,
        c->config.task, (unsigned long long)c->config.seed, g->output,
        g->output, folder, store);
    return OK;
}

const struct command command_lend = {
    .name = "lend",
    .summary = "Write what another program needs to train a cell",
    .args = "STORE#CELL",
    .doc = "Writes the configuration, the start weights, the token ids, the "
           "rows of every step and a trace of three steps to -o DIR, as "
           "docs/trainer-protocol.md describes. CELL is six or more digits of "
           "a cell id, or variant/task/seed; it need not be trained.",
    COMMAND_RUNS(run_lend, 1, 1)};
