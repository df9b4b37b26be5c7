/* plan and status: plan prints the cells of an experiment, their estimated cost
 * and state; status prints the same cells with the metrics of finished ones. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/describe.h"
#include "harness/cmd/plan_ranks.h"
#include "harness/slurm/spool.h"

#include <stdlib.h>
#include <string.h>

struct given {
    struct plan_of plan;
    const char    *format;
    int            all; /* 1: list every cell */
    /* Options of `plan` only. */
    struct ranks_asked ranks;
    const char    *cache, *files;
};

static const struct opt options[] = {
    {.group = opts_plan, .at = OPT_AT(plan)},
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "List every cell; without it, more than 25 cells are summed up by "
            "task"},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

/* Reads a list of numbers of ranks, such as "1,8,64". */
static int read_ranks(void *field, const struct opt *opt, const char *arg,
                      struct reading *r)
{
    struct ranks_asked *asked = field;
    OWNED(free) char *copy = str_copy(arg);
    long long x;

    (void)r;
    asked->n = 0;
    for (char *rest = copy, *w; (w = strsep(&rest, ",")); asked->n++) {
        if (str_to_int(w, &x) || x < 1 || x > PLAN_RANKS_MOST ||
            asked->n == PLAN_RANKS_ASKED)
            return err_set(ERR_USAGE, "%s %s: expected up to %d "
                                      "comma-separated numbers of ranks, 1 "
                                      "to %d",
                           opt->name, arg, PLAN_RANKS_ASKED, PLAN_RANKS_MOST);
        asked->of[asked->n] = (int)x;
    }
    return OK;
}

/* Reads a positive number and multiplies it by `unit`, so that the field is in
 * bytes per second or in seconds. */
static int read_network(void *field, const struct opt *opt, const char *arg,
                        double unit)
{
    double *x = field;

    if (str_to_real(arg, x) || *x <= 0)
        return err_set(ERR_USAGE, "%s %s: expected a number above 0",
                       opt->name, arg);
    *x *= unit;
    return OK;
}

static int read_bandwidth(void *field, const struct opt *opt, const char *arg,
                          struct reading *r)
{
    (void)r;
    return read_network(field, opt, arg, 1e9);
}

static int read_latency(void *field, const struct opt *opt, const char *arg,
                        struct reading *r)
{
    (void)r;
    return read_network(field, opt, arg, 1e-6);
}

static const struct opt options_plan[] = {
    {.group = options, .at = 0},
    {"--ranks", 0, "P,...", read_ranks, OPT_AT(ranks),
     .doc = "Estimate a step with these numbers of MPI processes"},
    {"--bandwidth", 0, "GB/S", read_bandwidth, OPT_AT(ranks.net.bandwidth),
     .doc = "Network bandwidth of a rank, each way", .initial = "1.25"},
    {"--latency", 0, "US", read_latency, OPT_AT(ranks.net.latency),
     .doc = "Latency of a message in microseconds", .initial = "50"},
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
    return g->ranks.n ? plan_ranks_print(p, &g->ranks, g->format)
                      : describe(p, DESCRIBE_PLAN, g->format, g->all);
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
