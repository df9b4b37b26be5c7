/* plan: the cells of an experiment, what they cost, which are done; status: the
 * same cells, and the metrics of what is done. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/describe.h"
#include "harness/cmd/watch.h"

#include <string.h>

struct given {
    struct plan_of plan;
    const char    *format;
    double         watch; /* seconds; 0: look once. Of status. */
};

static const struct opt options[] = {
    {.group = opts_plan, .at = OPT_AT(plan)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

static int read_watch(void *field, const struct opt *opt, const char *arg,
                      struct reading *r)
{
    double *seconds = field;

    (void)r;
    return str_to_real(arg, seconds) || *seconds < 0.1 || *seconds > 86400
               ? err_set(ERR_USAGE, "%s %s: expected seconds, 0.1 to 86400",
                         opt->name, arg)
               : OK;
}

static const struct opt options_status[] = {
    {.group = options, .at = 0},
    {"--watch", 0, "SECONDS", read_watch, OPT_AT(watch),
     .doc = "Look again so often, until nothing is left to do"},
    {.name = NULL}};

static int tell(const struct given *g, const struct arguments *args, int what)
{
    struct plan_of of = g->plan;
    OWNED(plan_close) struct plan *p = NULL;

    of.experiment = args->of[0];
    PASS(plan_open(&p, &of));
    PASS(plan_look(p));
    return describe(p, what, g->format);
}

static int run_plan(const void *given, const struct arguments *args)
{
    return tell(given, args, DESCRIBE_PLAN);
}

static int run_status(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct plan_of of = g->plan;

    if (!g->watch)
        return tell(g, args, DESCRIBE_RESULTS);
    if (!strcmp(g->format, "json"))
        return err_set(ERR_USAGE, "status --watch is for people: without "
                       "--watch it has JSON");
    of.experiment = args->of[0];
    return watch(&of, g->watch);
}

const struct command command_plan = {
    .name = "plan",
    .summary = "Cells of an experiment: parameters, operations, time",
    .args = "EXPERIMENT.yaml",
    .options = options,
    .bytes = sizeof(struct given),
    .least = 1,
    .most = 1,
    .formats = command_text_json,
    .run = run_plan};

const struct command command_status = {
    .name = "status",
    .summary = "Cells of an experiment: state, time spent, metrics",
    .args = "[EXPERIMENT.yaml]",
    .doc = "Without a file: of the experiment that `run' froze in --store.",
    .options = options_status,
    .bytes = sizeof(struct given),
    .most = 1,
    .formats = command_text_json,
    .run = run_status};
