/* plan: the cells of an experiment, what they cost, which are done. */
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
    rc = describe(p, DESCRIBE_PLAN, o->format, stdout);
out:
    plan_close(p);
    return rc;
}

const struct command command_plan = {
    .name = "plan",
    .summary = "Cells of an experiment: parameters, operations, time",
    .args = "EXPERIMENT.yaml",
    .takes = TAKES_CHOICE | TAKES_STORE | TAKES_FORMAT,
    .least = 1,
    .most = 1,
    .formats = command_text_json,
    .run = run};
