/* run: trains the missing cells of an experiment.  train: trains cells that the
 * command line names. */
#include "harness/cmd/command.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/describe.h"
#include "harness/run/pool.h"
#include "harness/run/team.h"

#include <string.h>

struct given {
    struct plan_of      plan;
    struct pool_options pool;
    const char         *format;
    int                 force, extend, wait, dry;
    struct arguments    tasks, variants; /* in addition to those of the file */
};

static const struct opt options[] = {
    {.group = opts_plan, .at = OPT_AT(plan)},
    {.group = opts_pool, .at = OPT_AT(pool)},
    {"--wait", 0, "SECONDS", opt_count, OPT_AT(wait),
     .doc = "Wait up to this long for cells that another process is "
            "training, and take them over if it dies (default: do not wait)",
            .most = 864000},
    {"--force", 0, NULL, opt_flag, OPT_AT(force),
     .doc = "Retrain finished cells, and report whether they are "
            "bit-identical"},
    {"--extend", 0, NULL, opt_flag, OPT_AT(extend),
     .doc = "Add these cells to the experiment of the store"},
    {"--variant", 0, "VARIANT", opt_texts, OPT_AT(variants),
     .doc = "Add this variant or mixture to the experiment, and train only "
            "it; can be repeated"},
    {"--task", 0, "TASK", opt_texts, OPT_AT(tasks),
     .doc = "Add this task to the experiment, and train only it; can be "
            "repeated"},
    {"--dry-run", 'n', NULL, opt_flag, OPT_AT(dry),
     .doc = "Print the cells and their cost, as `plan` does, and train "
            "nothing"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* Prints "trained 3 cells in 2 min 10 s, 30 were done before; store:
 * results/quick", and how many cells failed or were not trained. */
static void report_run(const struct pool_result *r, const struct plan *p,
                       double seconds)
{
    OWNED(free) char *store = text_quoted(p->store);
    char time[32];

    say("trained %d cell%s in %s, %d %s done before; store: %s", r->trained,
        r->trained == 1 ? "" : "s", str_duration(seconds, time), r->before,
        r->before == 1 ? "was" : "were", p->store);
    if (r->same || r->changed)
        say("%d of them were finished before and retrained: %d bit-identical, "
            "%d different", r->same + r->changed, r->same, r->changed);
    if (r->failed)
        say("%d failed; `synthbench status --store %s` prints the reasons, "
            "the next run tries them again", r->failed, store);
    if (r->refused)
        say("%d cannot be trained; `synthbench status --store %s` prints "
            "why", r->refused, store);
    if (r->blocked)
        say("%d blocked: the weights they start from are missing", r->blocked);
    if (r->lacking)
        say("%d left out: their data are missing or wrong (see above); when "
            "they are there, the next run trains the cells", r->lacking);
    if (r->busy)
        say("%d left: another process is training them, or their processes "
            "were stopped again", r->busy);
    if (r->lost)
        say("%d ended before they could save", r->lost);
    if (r->signal)
        say("stopped by signal %d: %d saved, %d not started; the same "
            "command resumes", r->signal, r->saved, r->left);
}

/* Makes the plan's cells part of the store's experiment.  If the command line
 * adds tasks or variants and the store is new, the cells of the experiment file
 * also become part of the store's experiment. */
static int freeze(const struct plan *p, const struct given *g)
{
    OWNED(free) char *frozen = str_format("%s/experiment.json", p->store);
    OWNED(plan_close) struct plan *file = NULL;
    struct plan_of of = g->plan;
    int adds = g->tasks.n || g->variants.n;

    if (!of.experiment) /* plan read from the store */
        return OK;
    if (adds && !file_exists(frozen)) {
        of.choice.tasks = of.choice.variants = NULL;
        of.filter = NULL;
        PASS(plan_open(&file, &of));
        PASS(freeze_write(file, 0));
    }
    return freeze_write(p, g->extend || adds);
}

/* Trains the missing cells of the plan into its store. */
static int train(struct plan *p, struct pool_result *r, const struct given *g)
{
    struct pool_options pool = g->pool;
    double began = clock_seconds();
    OWNED(store_close) struct store *s = NULL;

    pool.wait = g->wait;
    PASS(store_open(&s, p->store, 1));
    PASS(freeze(p, g));
    PASS(team_muster(g->pool.team, p));
    PASS(plan_look(p));
    for (int i = 0; i < p->n; i++)
        p->cell[i].anew = g->force && (p->cell[i].damage ||
                                       p->cell[i].status.state == CELL_DONE);
    int rc = pool_run(r, p, s, &pool);
    OWNED(free) char *why = str_copy(err_last()); /* later calls overwrite it */
    if (r->trained)
        describe_blind(p);
    if (rc == OK || r->trained)
        report_run(r, p, clock_seconds() - began);
    if (rc < 0)
        err_set(rc, "%s", why);
    if (rc == ERR_SPACE)
        err_wrap(rc, "free some space; the same command then resumes");
    PASS(rc);
    OWNED(free) char *index = str_format("%s/index.h5", p->store);
    return r->trained || !file_exists(index) ? store_reindex(s) : OK;
}

static int open_team(struct team **out, const struct given *g)
{
    PASS(team_open(out));
    return *out && !team_me(*out) && g->pool.jobs > 1
               ? err_set(ERR_USAGE, "--jobs %d: under mpirun all ranks train "
                         "one cell at a time", g->pool.jobs)
               : OK;
}

/* Checks the GPU, which only a worker opens, so that errors are reported before
 * any worker starts. */
static int find_devices(const struct plan *p, const struct team *team)
{
    for (int i = 0; i < p->n; i++) {
        enum device d = p->cell[i].config.device;

        if (team && d != DEVICE_CPU)
            return err_set(ERR_USAGE, "device: cuda: one process trains a cell "
                           "on a GPU; run without mpirun, with --jobs for "
                           "several cells at a time");
        PASS(device_find(d));
    }
    return OK;
}

/* Opens the plan, trains, and prints the results at the end. */
static int train_all(struct given *g)
{
    struct pool_result r;
    OWNED(team_close) struct team *team = NULL;
    OWNED(plan_close) struct plan *p = NULL;

    PASS(open_team(&team, g));
    if (team_me(team))
        return team_follow(team, &g->plan, &g->pool);
    g->pool.team = team;

    PASS(plan_open(&p, &g->plan));
    if (g->dry) {
        p->cache = g->pool.cache;
        p->files = g->pool.files;
        PASS(plan_look(p));
        return describe(p, DESCRIBE_PLAN, g->format, 0);
    }
    PASS(find_devices(p, team));
    PASS(train(p, &r, g));
    if (!strcmp(g->format, "json")) {
        PASS(plan_look(p));
        describe(p, DESCRIBE_RESULTS, g->format, 0);
    }
    return r.refused && !r.trained && !r.before && pool_code(&r) == OK
               ? -ERR_EMPTY : pool_code(&r);
}

static int run_experiment(const void *given, const struct arguments *args)
{
    struct given g = *(const struct given *)given;

    g.plan.experiment = args->of[0];
    if ((g.tasks.n || g.variants.n) && !g.plan.experiment)
        return err_set(ERR_USAGE, "run: --variant and --task add cells to an "
                       "experiment: name its file, for example run quick "
                       "--variant mine");
    g.plan.choice.tasks = g.tasks.n ? g.tasks.of : NULL;
    g.plan.choice.variants = g.variants.n ? g.variants.of : NULL;
    return train_all(&g);
}

const struct command command_run = {
    .name = "run",
    .summary = "Train the missing cells of an experiment",
    .args = "[EXPERIMENT.yaml]",
    .doc = "EXPERIMENT.yaml is a file, or a name of `list experiments`. "
           "Results go to results/EXPERIMENT. After a kill or a stop, the "
           "same command resumes; cells that failed are tried again. Without "
           "a file, continues the experiment that --store holds. Several "
           "processes may share a store. A store belongs to the first "
           "experiment that wrote to it; other settings or cells need "
           "--extend, which --variant and --task imply. To try an experiment "
           "with few examples and steps: `run quick -S train=500 -S valid=50 "
           "-S test=50 -S steps=200 --store try`. These settings are part of "
           "the id of a cell, so such cells are never mixed with others. "
           "`mpirun -n P "
           "synthbench run ...` trains one cell at a time with P processes; "
           "the results are bit-identical.",
    .ranks = 1,
    .formats = command_text_json,
    COMMAND_RUNS(run_experiment, 0, 1)};

/* ---- train ---- */

struct named {
    struct given     as; /* the options of `run` */
    struct arguments tasks, variants;
    const char      *like;
};

#define NAMED_AT(field) offsetof(struct named, field)

static const struct opt named_options[] = {
    {"--task", 0, "TASK", opt_texts, NAMED_AT(tasks),
     .doc = "Task (`list tasks`); can be repeated"},
    {"--variant", 0, "VARIANT", opt_texts, NAMED_AT(variants),
     .doc = "Variant or mixture (`list variants`, random+dense); can be "
            "repeated"},
    {"--like", 0, "EXPERIMENT", opt_text, NAMED_AT(like),
     .doc = "Experiment from which the settings of these tasks are taken",
     .initial = "quick"},
    {"--set", 'S', "KEY=VALUE", opt_set, NAMED_AT(as.plan.choice.set),
     .doc = "Override a setting of every cell (`list keys`)",
     .instead = "use --task, --variant, --scale or --seeds"},
    {"--scale", 0, "SCALE", opt_text, NAMED_AT(as.plan.choice.scale),
     .doc = "smoke, quick, reduced or full (default: the scales of --like)"},
    {"--seeds", 0, "N|LIST", opt_seeds, NAMED_AT(as.plan.choice),
     .doc = OPT_SEEDS " (default: 1)"},
    {"--store", 0, "DIR", opt_text, NAMED_AT(as.plan.store),
     .doc = "The results folder (default: results/train)"},
    {.group = opts_cells, .at = NAMED_AT(as.plan)},
    {.group = opts_pool, .at = NAMED_AT(as.pool)},
    {"--force", 0, NULL, opt_flag, NAMED_AT(as.force),
     .doc = "Retrain finished cells, and report whether they are "
            "bit-identical"},
    {.group = opts_format, .at = NAMED_AT(as.format)},
    {.name = NULL}};

static int run_named(const void *given, const struct arguments *args)
{
    const struct named *n = given;
    struct given g = n->as;
    long long one = 1;

    (void)args;
    if (!n->tasks.n || !n->variants.n)
        return err_set(ERR_USAGE, "train: specify --task and --variant, for "
                                  "example train --task lm1b --variant "
                                  "random");
    g.plan.experiment = n->like;
    g.plan.name = "train";
    g.plan.title = "Cells named on the command line";
    g.plan.choice.tasks = n->tasks.of;
    g.plan.choice.variants = n->variants.of;
    if (!g.plan.choice.seeds) {
        g.plan.choice.seeds = 1;
        g.plan.choice.seed = &one;
    }
    g.extend = 1;
    return train_all(&g);
}

const struct command command_train = {
    .name = "train",
    .summary = "Train cells without an experiment file",
    .args = "--task=TASK --variant=VARIANT",
    .doc = "Settings are those of --like for these tasks, overridden by -S. "
           "Results go to results/train, which keeps cells of all settings. "
           "Trains one seed unless --seeds is given.",
    .ranks = 1,
    .options = named_options,
    .bytes = sizeof(struct named),
    .formats = command_text_json,
    .run = run_named};
