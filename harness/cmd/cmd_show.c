/* show: everything known of one cell. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/cmd/describe.h"
#include "harness/cmd/samples.h"
#include "harness/plan/target.h"

#include <stdio.h>

static int run(const struct options *o)
{
    struct plan *p = NULL;
    int rc;

    if (target_group(o->arg[0]))
        TRY(err_set(ERR_USAGE, "%s: which seed? name one cell, "
                    "VARIANT/TASK/SEED", o->arg[0]));
    TRY(target_open(&p, o->arg[0], o->store));
    rc = o->samples ? samples_show(p, o->samples, o->format, stdout)
                    : describe(p, DESCRIBE_ALL, o->format, stdout);
out:
    plan_close(p);
    return rc;
}

const struct command command_show = {
    .name = "show",
    .summary = "Everything known of one cell, or what it wrote",
    .args = "STORE#CELL",
    .doc = "CELL is six or more digits of its id, or variant/task/seed. With "
           "--store the STORE# may be left out.",
    .takes = TAKES_STORE | TAKES_FORMAT | TAKES_SAMPLES,
    .least = 1,
    .most = 1,
    .formats = command_text_json,
    .run = run};
