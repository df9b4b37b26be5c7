/*
 * verify exact: trains finished cells again and compares every bit.
 *
 * The sample (plan/sample.h), and the cells whose weights it starts from, are
 * trained into a separate folder, once for each number of threads and jobs.
 * Each repetition is compared with the store: digest of the weights, metrics,
 * curves, and the outcome of every example.  If the store has none of the
 * cells, the first repetition is the reference.
 */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/folder.h"
#include "harness/plan/sample.h"
#include "harness/store/likeness.h"
#include "harness/run/pool.h"
#include "harness/verify/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS = 16 };

struct counts { int n, of[COUNTS]; };

struct given {
    struct plan_of      plan;
    struct pool_options pool;
    struct counts       threads, jobs;
    int                 sample; /* cells; -1: all */
    const char         *format;
};

/* Reads comma-separated numbers: "1,4". */
static int read_counts(void *field, const struct opt *opt, const char *arg,
                       struct reading *r)
{
    struct counts *list = field;
    char *text = arena_text(r->memory, arg);
    long long n = 0;

    list->n = 0;
    for (char *s = strtok(text, ","); s; s = strtok(NULL, ",")) {
        if (str_to_int(s, &n) || n < 1 || n > opt->most || list->n == COUNTS)
            return err_set(ERR_USAGE, "%s: expected comma-separated numbers "
                                      "from 1 to %d, at most %d", opt->name,
                           opt->most, COUNTS);
        list->of[list->n++] = (int)n;
    }
    return list->n ? OK
                   : err_set(ERR_USAGE, "%s: expected a number", opt->name);
}

static int read_sample(void *field, const struct opt *opt, const char *arg,
                       struct reading *r)
{
    if (strcmp(arg, "all"))
        return opt_count(field, opt, arg, r);
    *(int *)field = -1;
    return OK;
}

static const struct opt options[] = {
    {.group = opts_plan, .at = OPT_AT(plan)},
    {"--threads", 0, "N,...", read_counts, OPT_AT(threads),
     .doc = "Threads per cell; one repetition for each value",
     .initial = "1,2", .most = 256},
    {"--jobs", 'j', "N,...", read_counts, OPT_AT(jobs),
     .doc = "Cells at a time; one repetition for each value",
     .initial = "1", .most = 1024},
    {"--sample", 0, "N", read_sample, OPT_AT(sample),
     .doc = "Number of finished cells to repeat, or `all`",
     .initial = "5", .most = 1000000},
    {.group = opts_cache, .at = OPT_AT(pool.cache)},
    {.group = opts_files, .at = OPT_AT(pool.files)},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

struct exact {
    struct plan   *plan;
    const char    *stored; /* the store; NULL: it has no cells */
    char          *folder; /* for the repetitions              */
    int            cells, ways, equal, differ;
    int            warned;  /* 1: another build was reported   */
    struct facts  *facts;
};

static void exact_close(struct exact *x)
{
    if (!x->differ)
        folder_remove(x->folder);
    free(x->folder);
    plan_close(x->plan);
    facts_close(x->facts);
}
OWNER_OF_VALUE(exact_close, struct exact)

/* ---- the cells ---- */

static int open_plan(struct exact *x, const struct given *g,
                     const char *experiment)
{
    struct plan_of of = g->plan;
    int done = 0;

    of.experiment = experiment;
    PASS(plan_open(&x->plan, &of));
    PASS(plan_look(x->plan));
    for (int i = 0; i < x->plan->n; i++)
        done += x->plan->cell[i].selected &&
                plan_state(&x->plan->cell[i]) == CELL_DONE;
    if (done)
        x->stored = x->plan->store;
    else
        say("%s: no selected cell is finished; the first repetition is used "
            "as the reference", x->plan->store);
    x->cells = sample_select(x->plan, g->sample, done > 0);
    return x->cells ? OK
                    : err_set(ERR_EMPTY, "%s: none of the selected cells can "
                              "be trained", x->plan->store);
}

/* ---- one repetition ---- */

/* Trains the cells of the sample into the plan's store. */
static int train(struct plan *p, const struct pool_options *o)
{
    OWNED(store_close) struct store *s = NULL;
    struct pool_result r = {.trained = 0};

    PASS(store_open(&s, p->store, 1));
    PASS(plan_look(p));
    PASS(pool_run(&r, p, s, o));
    if (r.signal)
        return 128 + r.signal;
    if (r.lacking)
        return err_set(ERR_DATA, "%d cells have no text; `synthbench data "
                                 "fetch` fetches it", r.lacking);
    return OK;
}

/* Compares the cells of the sample in `store` with the reference. */
static void compare_all(struct exact *x, const char *store, const char *way)
{
    struct plan *p = x->plan;

    for (const struct cell *c = p->cell; c < p->cell + p->n; c++) {
        struct likeness like;
        char name[256];

        if (!c->selected)
            continue;
        snprintf(name, sizeof name, "%s/%s/%llu %s", c->row, c->config.task,
                 (unsigned long long)c->config.seed, c->id);
        int rc = likeness_read(&like, x->stored, c->id, store, c->id,
                               p->memory);
        int n = rc < 0 ? 1 : like.n[CELL_RESULTS];
        const char *why = rc < 0 ? err_last() : likeness_why(&like);
        *(n ? &x->differ : &x->equal) += 1;
        if (rc == OK && like.n[CELL_BUILD] && !x->warned++)
            say("another build trained the stored cells; stored and present: "
                "%s", likeness_text(&like, CELL_BUILD));
        facts_add(x->facts, n ? VERDICT_FAIL : VERDICT_PASS, name, way, n, 0,
                  "%s", why);
    }
}

/* Trains and compares the sample once.  Returns OK, an exit code, or a negative
 * enum err. */
static int repeat(struct exact *x, const struct given *g, int threads,
                  int jobs)
{
    struct plan *p = x->plan;
    struct pool_options pool = g->pool;
    OWNED(free) char *way = str_format("threads %d, jobs %d", threads, jobs);
    OWNED(free) char *store = str_format("%s/threads-%d-jobs-%d", x->folder,
                                         threads, jobs);
    char *kept = p->store;

    pool.jobs = jobs;
    pool.stall = -1;
    pool.exact = 1;
    for (int i = 0; i < p->n; i++)
        p->cell[i].config.threads = threads;
    say("training %d cell%s again with %s", x->cells,
        x->cells == 1 ? "" : "s", way);
    p->store = store;
    int rc = train(p, &pool);
    p->store = kept;
    if (rc != OK)
        return rc;
    if (x->stored) {
        x->ways++;
        compare_all(x, store, way);
        return OK;
    }
    x->stored = arena_text(p->memory, store);
    facts_add(x->facts, VERDICT_NONE, p->name, way, 0, 0, "reference for the "
              "other repetitions: the store does not have these cells");
    return OK;
}

static int run_verify_exact(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(exact_close) struct exact x = {.facts = facts_new()};

    PASS(open_plan(&x, g, args->of[0]));
    PASS(folder_make(&x.folder, "exact"));
    for (int i = 0; i < g->threads.n; i++)
        for (int j = 0; j < g->jobs.n; j++) {
            int rc = repeat(&x, g, g->threads.of[i], g->jobs.of[j]);

            if (rc != OK)
                return rc;
        }
    PASS(facts_print(x.facts, g->format));
    say("%d of %d repetitions of %d cell%s are bit-identical", x.equal,
        x.equal + x.differ, x.cells, x.cells == 1 ? "" : "s");
    if (x.differ)
        say("the retrained cells are in %s", x.folder);
    return x.differ ? 1 : !x.ways ? -ERR_EMPTY : OK;
}

const struct command verify_exact = {
    .name = "exact",
    .summary = "Retrain finished cells and compare every bit",
    .args = "[EXPERIMENT.yaml]",
    .doc = "Retrains a sample of the finished cells of EXPERIMENT.yaml or "
           "--store with each value of --threads and --jobs, and compares "
           "every bit.",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_exact, 0, 1)};
