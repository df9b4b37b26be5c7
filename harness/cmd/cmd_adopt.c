/* adopt: checks, evaluates and stores a cell that another program trained. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/lend/lend.h"

struct given {
    const char      *store;
    struct lend_data data;
};

static const struct opt options[] = {
    {"--store", 0, "DIR", opt_text, OPT_AT(store), .doc = "Results folder",
     .initial = "results/adopted"},
    {.group = opts_cache, .at = OPT_AT(data.cache)},
    {.group = opts_files, .at = OPT_AT(data.files)},
    {.name = NULL}};

static int run_adopt(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(contract_close) struct contract k = {.memory = NULL};
    char id[SETTINGS_ID];

    PASS(file_named(args->of[0], 1));
    PASS(contract_read(&k, args->of[0]));
    PASS(adopt_cell(&k, g->store, &g->data, id));
    OWNED(free) char *store = text_quoted(g->store);
    say("adopted %s as %s" CELL_EXTERNAL "/%s/%llu; `synthbench show %s#%s` "
        "prints it", args->of[0], k.row, k.config.task,
        (unsigned long long)k.config.seed, store, id);
    return OK;
}

const struct command command_adopt = {
    .name = "adopt",
    .summary = "Check, evaluate and store a cell that another program trained",
    .args = "DIR",
    .doc = "DIR was written by `synthbench lend`, and DIR/trained by the "
           "trainer (docs/trainer-protocol.md). Checks the trainer's trace, "
           "the weights and the last loss; then evaluates the weights and "
           "stores the cell as trainer: external, in a row of its own. If a "
           "check fails, nothing is stored.",
    COMMAND_RUNS(run_adopt, 1, 1)};
