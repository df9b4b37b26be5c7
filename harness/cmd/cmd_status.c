/* status: what a store has of an experiment, and the metrics of it. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/cmd/describe.h"

static int run(const struct options *o)
{
    struct plan *p = NULL;
    int rc;

    struct plan_of of = options_plan(o);
    TRY(plan_open(&p, &of));
    TRY(plan_look(p));
    rc = describe(p, DESCRIBE_RESULTS, o->format, stdout);
out:
    plan_close(p);
    return rc;
}

const struct command command_status = {
    .name = "status",
    .summary = "Cells of an experiment: state, time spent, metrics",
    .args = "[EXPERIMENT.yaml]",
    .doc = "Without a file: of the experiment that `run' froze in --store.",
    .takes = TAKES_CHOICE | TAKES_STORE | TAKES_FORMAT,
    .most = 1,
    .formats = command_text_json,
    .run = run};
