/* show: everything known of one cell. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/cmd/describe.h"
#include "harness/cmd/samples.h"
#include "harness/plan/target.h"

#include <stdio.h>

struct given {
    const char *store, *format;
    int         samples; /* 0: not asked for */
};

static const struct opt options[] = {
    {.group = opts_store, .at = OPT_AT(store)},
    {"--samples", 0, "N", opt_count, OPT_AT(samples),
     .doc = "N test examples, evenly spread: source, reference, output",
     .most = 1000000},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *cell = args->of[0];
    OWNED(plan_close) struct plan *p = NULL;

    if (target_group(cell))
        return err_set(ERR_USAGE, "%s: which seed? name one cell, "
                       "VARIANT/TASK/SEED", cell);
    PASS(target_open(&p, cell, g->store));
    return g->samples ? samples_show(p, g->samples, g->format)
                      : describe(p, DESCRIBE_ALL, g->format);
}

const struct command command_show = {
    .name = "show",
    .summary = "Everything known of one cell, or what it wrote",
    .args = "STORE#CELL",
    .doc = "CELL is six or more digits of its id, or variant/task/seed. With "
           "--store the STORE# may be left out.",
    .formats = command_text_json,
    COMMAND_RUNS(1, 1)};
