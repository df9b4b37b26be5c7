/* trace: training steps written down for another framework, or repeated from
 * what another framework wrote. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/cmd/trace_json.h"
#include "harness/train/trace.h"

#include <stdio.h>
#include <stdlib.h>

static int make(const struct options *o)
{
    struct trace_file f;
    struct config c;
    struct mix mix;
    int rc;

    trace_file_open(&f);
    if (o->n)
        TRY(err_set(ERR_USAGE, "%s: a file to compare with? then --check; to "
                    "write it: -o", o->arg[0]));
    if (!o->output)
        TRY(err_set(ERR_USAGE, "where to? -o FILE.h5"));
    TRY(trace_config_make(&c, &mix, o->family, &o->choice.set));
    TRY(trace_make(&f, &c, &mix));
    char *text = trace_json(&c, &mix);
    f.config = arena_text(f.memory, text);
    free(text);
    TRY(trace_file_write(&f, o->output, 0));
out:
    trace_file_close(&f);
    return rc;
}

static void print(const char *path, const struct trace_report *r)
{
    const char *between = "";

    printf("%s  %s  ", r->failed ? "FAIL" : "PASS", path);
    for (int i = 0; i < r->n; i++) {
        const struct trace_finding *g = &r->finding[i];

        if (r->failed ? !g->failed : g->bound == 0)
            continue;
        printf("%s%s", between, g->group);
        if (g->bound > 0)
            printf(" %.1e", g->worst);
        if (r->failed && g->bound > 0)
            printf(" > %.0e", g->bound);
        if (r->failed)
            printf(" at %s", g->at);
        if (g->failed > 1)
            printf(" and %d more", g->failed - 1);
        between = ", ";
    }
    putchar('\n');
}

static int check_one(int *failed, const char *path)
{
    struct trace_file f = {.memory = NULL};
    struct trace_report report;
    struct config c;
    struct mix mix;
    int rc;

    TRY(file_named(path, 0));
    TRY(trace_file_read(&f, path, 0));
    rc = trace_json_read(&c, &mix, f.config, trace_steps(&f));
    if (rc < 0)
        TRY(err_wrap(ERR_DATA, "%s", path));
    TRY(trace_check(&report, &f, path, &c, &mix));
    print(path, &report);
    *failed += report.failed > 0;
out:
    trace_file_close(&f);
    return rc;
}

static int check(const struct options *o)
{
    int failed = 0, rc = OK;

    if (o->choice.set.n || o->family || o->output)
        TRY(err_set(ERR_USAGE, "--check takes its settings from the files, "
                    "and writes none"));
    if (!o->n)
        TRY(err_set(ERR_USAGE, "--check: which files?"));
    for (int i = 0; i < o->n; i++)
        TRY(check_one(&failed, o->arg[i]));
    printf("%d passed, %d failed\n", o->n - failed, failed);
    rc = failed > 0;
out:
    return rc;
}

static int run(const struct options *o)
{
    return (o->check ? check : make)(o);
}

const struct command command_trace = {
    .name = "trace",
    .summary = "Training steps that another framework can repeat",
    .args = "[FILE.h5...]",
    .doc = "Without --check: trains a small model on generated tokens, without "
           "dropout, and writes its weights before and after, its batches, "
           "losses and gradients to -o FILE. With --check: repeats such files, "
           "whoever wrote them, and compares.",
    .takes = TAKES_MODEL | TAKES_OUTPUT,
    .least = 0,
    .most = OPTIONS_ARGS,
    .run = run};
