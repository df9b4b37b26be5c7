/* verify metrics: checks every case of a folder of reference vectors. */
#include "harness/cmd/command.h"

#include "harness/base/datadir.h"
#include "harness/base/err.h"
#include "harness/verify/metrics/vectors.h"

#include <stdlib.h>

struct given { const char *vectors, *data, *format; }; /* data: may be NULL */

static const struct opt options[] = {
    {"--vectors", 0, "DIR", opt_folder, OPT_AT(vectors),
     .doc = "Folder of test cases: of all metrics, of one metric, or a single "
            "case (default: the program's own)"},
    {"--data", 0, "DIR", opt_folder, OPT_AT(data),
     .doc = "Word lists that some metrics need and that cannot be shipped "
            "(default: the folder third_party next to the test cases, if it "
            "exists, else $SYNTHBENCH_METRIC_DATA)"},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

/* Adds the outcome of a case.  The measured value is the number of values that
 * were compared. */
static void note(void *facts, const char *metric, const char *name,
                 const struct vector_outcome *o)
{
    facts_add(facts, o->verdict, name, metric, (double)o->compared, 0, "%s",
              o->message ? o->message : "");
}

static int run_verify_metrics(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(facts_close) struct facts *f = facts_new();
    OWNED(free) char *own = NULL;

    (void)args;
    if (!g->vectors)
        PASS(datadir_find(&own, "tests/data/metrics"));
    const char *vectors = g->vectors ? g->vectors : own;
    PASS(vectors_verify(vectors, g->data, note, f));
    int failed = facts_count(f, VERDICT_FAIL);
    if (!failed && !facts_count(f, VERDICT_PASS) &&
        !facts_count(f, VERDICT_NONE))
        return err_set(ERR_EMPTY, "%s: no case: there is no expected.json",
                       vectors);
    PASS(facts_print(f, g->format));
    return failed ? 1 : OK;
}

const struct command verify_metrics = {
    .name = "metrics",
    .summary = "Compare every metric with the output of the field's tools",
    .args = "",
    .doc = "Every value of a case must equal that of the tool, to 1e-9 or as "
           "the case states.",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_metrics, 0, 0)};
