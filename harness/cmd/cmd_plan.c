/* plan and status: plan prints the cells of an experiment, their estimated cost
 * and state; status prints the same cells with the metrics of finished ones. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/describe.h"
#include "harness/slurm/spool.h"

struct given {
    struct plan_of plan;
    const char    *format;
    int            all; /* 1: list every cell */
    const char    *cache, *files; /* of `plan` only */
};

static const struct opt options[] = {
    {.group = opts_plan, .at = OPT_AT(plan)},
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "List every cell; without it, more than 25 cells are summed up by "
            "task"},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

static const struct opt options_plan[] = {
    {.group = options, .at = 0},
    {.group = opts_cache, .at = OPT_AT(cache)},
    {.group = opts_files, .at = OPT_AT(files)},
    {.name = NULL}};

static int open_plan(struct plan **out, const struct given *g,
                     const struct arguments *args)
{
    struct plan_of of = g->plan;

    of.experiment = args->of[0];
    PASS(plan_open(out, &of));
    (*out)->cache = g->cache;
    (*out)->files = g->files;
    return plan_look(*out);
}

static int run_plan(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(plan_close) struct plan *p = NULL;

    PASS(open_plan(&p, g, args));
    return describe(p, DESCRIBE_PLAN, g->format, g->all);
}

static int run_status(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(plan_close) struct plan *p = NULL;
    struct spool unused;

    PASS(open_plan(&p, g, args));
    if (spool_look(&unused, p) < 0)
        say("%s", err_last());
    return describe(p, DESCRIBE_RESULTS, g->format, g->all);
}

const struct command command_plan = {
    .name = "plan",
    .summary = "Estimate the parameters, memory and time of an experiment",
    .args = "EXPERIMENT.yaml",
    .options = options_plan,
    .bytes = sizeof(struct given),
    .least = 1,
    .most = 1,
    .doc = "EXPERIMENT.yaml is a file, or a name from `list experiments`. "
           "Prints which tasks lack data. Official data are read if --data-dir "
           "names them and an earlier `run` has prepared them: the estimates "
           "then use the lengths of their examples. Otherwise they use "
           "published mean lengths, or else the maximum; --all prints the "
           "means and their source. Fetched text and generators are estimated "
           "at the maximum.",
    .formats = command_text_json,
    .run = run_plan};

const struct command command_status = {
    .name = "status",
    .summary = "Show state, time and metrics of the cells of an experiment",
    .args = "[EXPERIMENT.yaml]",
    .doc = "Without a file, shows the experiment recorded in --store.",
    .options = options,
    .bytes = sizeof(struct given),
    .most = 1,
    .formats = command_text_json,
    .run = run_status};
