/* trace: records training steps for another framework, or repeats the steps
 * that another framework recorded. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/file.h"
#include "harness/verify/traces/trace.h"

#include <limits.h>
#include <stdio.h>

struct given {
    struct assigns set;
    const char    *family; /* NULL: default */
    const char    *output;
    int            check;
};

#define SETTING(name, arg, text)                                              \
    {name, 0, arg, opt_setting, OPT_AT(set), .doc = text}

static const struct opt options[] = {
    {"--set", 'S', "KEY=VALUE", opt_set, OPT_AT(set),
     .doc = "Override a setting (`list keys`)",
     .instead = "use --variant or --seed"},
    {"--family", 0, "FAMILY", opt_text, OPT_AT(family),
     .doc = "Model: seq2seq, lm (default) or encoder"},
    SETTING("--preset", "PRESET", "t2t (default) or t5"),
    SETTING("--variant", "VARIANT",
            "Variant, or the parts of a mixture in order (default: vanilla)"),
    SETTING("--mix", "MIX", "Kind of mixture: logits (default), plus, "
                            "sigmoid, weights or heads"),
    SETTING("--steps", "N", "Steps (default: 3)"),
    SETTING("--seed", "N", "Seed of weights and tokens (default: 1)"),
    {"--check", 0, NULL, opt_flag, OPT_AT(check),
     .doc = "Repeat these traces and compare"},
    {"--output", 'o', "FILE", opt_output, OPT_AT(output),
     .doc = "The HDF5 file to write; required without --check"},
    {.name = NULL}};

static int make(const struct given *g, const struct arguments *args)
{
    OWNED(trace_file_close) struct trace_file f;
    struct config c;
    struct mix mix;

    trace_file_open(&f);
    if (args->n)
        return err_set(ERR_USAGE, "%s: without --check, trace reads no file "
                       "and no cell; --variant and -S choose the model, and "
                       "-o FILE.h5 names the output", args->of[0]);
    if (!g->output)
        return err_set(ERR_USAGE, "trace: specify the output with -o "
                                  "FILE.h5");
    PASS(trace_config_make(&c, &mix, g->family, &g->set));
    PASS(trace_make(&f, &c, &mix));
    OWNED(free) char *text = trace_json(&c, &mix);
    f.config = arena_text(f.memory, text);
    return trace_file_write(&f, g->output, 0);
}

static void print(const char *path, const struct trace_report *r)
{
    const char *between = "";

    put_harmless("%s  %s  %s", r->failed ? "FAIL" : "PASS", path,
                 r->failed ? "" : "largest relative differences: ");
    for (int i = 0; i < r->n; i++) {
        const struct trace_finding *g = &r->finding[i];

        if (r->failed ? !g->failed : g->bound == 0)
            continue;
        put_harmless("%s%s", between, g->group);
        if (g->bound > 0)
            printf(" %.1e", g->worst);
        if (r->failed && g->bound > 0)
            printf(" > %.0e", g->bound);
        if (r->failed)
            put_harmless(" at %s", g->at);
        if (g->failed > 1)
            printf(" and %d more", g->failed - 1);
        between = ", ";
    }
    putchar('\n');
}

static int check_one(int *failed, const char *path)
{
    OWNED(trace_file_close) struct trace_file f = {.memory = NULL};
    struct trace_report report;
    struct config c;
    struct mix mix;

    PASS(file_named(path, 0));
    PASS(trace_file_read(&f, path, 0));
    if (trace_json_read(&c, &mix, f.config, trace_steps(&f)) < 0)
        return err_wrap(ERR_DATA, "%s", path);
    PASS(trace_check(&report, &f, path, &c, &mix));
    print(path, &report);
    *failed += report.failed > 0;
    return OK;
}

static int check(const struct given *g, const struct arguments *args)
{
    int failed = 0;

    if (g->set.n || g->family || g->output)
        return err_set(ERR_USAGE, "--check takes its settings from the files "
                                  "and writes nothing: only files can be "
                                  "given with it");
    if (!args->n)
        return err_set(ERR_USAGE, "--check: specify the files");
    for (int i = 0; i < args->n; i++)
        PASS(check_one(&failed, args->of[i]));
    printf("%d passed, %d failed\n", args->n - failed, failed);
    return failed > 0;
}

static int run_trace(const void *given, const struct arguments *args)
{
    const struct given *g = given;

    return (g->check ? check : make)(g, args);
}

const struct command command_trace = {
    .name = "trace",
    .summary = "Record training steps, or repeat those of a framework",
    .args = "[FILE.h5...]",
    .doc = "Without --check, trains a small model on generated tokens "
           "without dropout, and writes its weights before and after, "
           "batches, losses and gradients to -o FILE. With --check, repeats "
           "the steps of such files and compares.",
    COMMAND_RUNS(run_trace, 0, INT_MAX)};
