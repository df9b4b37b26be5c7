/* Evaluates weights that another program trained, and stores them and the
 * results as a cell. */
#include "harness/lend/lend_private.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/metric.h"

#include <stdlib.h>
#include <string.h>

struct adopting {
    const struct contract *contract;
    const char            *path; /* folder of the store */
    struct store          *store; /* NULL until the checks have passed */
    struct plan           *plan;
};

static void adopting_close(struct adopting *a)
{
    if (a->store)
        store_release(a->store, a->plan->cell->id);
    store_close(a->store);
    plan_close(a->plan);
}
OWNER_OF_VALUE(adopting_close, struct adopting)

/* Makes a plan that adds the trained cell to the store's experiment. */
static int make_plan(struct adopting *a)
{
    OWNED(plan_close) struct plan *old = NULL;
    int rc = freeze_read(&old, a->path);

    if (rc != ERR_EMPTY)
        PASS(rc);
    a->plan = plan_new(old ? old->name : "adopted",
                       old ? old->title : "Cells that other programs trained",
                       1);
    a->plan->store = arena_text(a->plan->memory, a->path);
    a->plan->own = 1;
    a->plan->n = 1;
    lend_external(a->plan->cell, a->contract, a->plan->memory);
    if (old)
        plan_compare_but(a->plan, old->uncompared);
    return OK;
}

/* train_cell calls this function before it stores anything, so all checks have
 * passed.  The first call opens the store and takes the lease of the cell;
 * later calls renew the lease. */
static int begin_store(void *arg)
{
    struct adopting *a = arg;
    const char *id = a->plan->cell->id;
    struct cell_status now;

    if (a->store)
        return store_heartbeat(a->store, id);
    PASS(store_open(&a->store, a->path, 1));
    PASS(store_sweep(a->store));
    PASS(store_complete(a->store, NULL));
    PASS(store_status(a->store, id, &now));
    if (now.state == CELL_DONE)
        return err_set(ERR_USAGE, "%s has cell %s already; name another store "
                                  "with --store", a->path, id);
    PASS(store_claim(a->store, id));
    return freeze_write(a->plan, 1);
}

static void report_progress(void *arg, const struct progress *p)
{
    (void)arg, (void)p;
}

/* Computes the SHA-256 of DIR/trained/NAME. */
static int digest(char hex[HASH_HEX], const struct adopting *a,
                  const char *name)
{
    OWNED(free) char *path = str_format("%s/trained/%s", a->contract->folder,
                                        name);

    return hash_file(path, hex);
}

static int evaluate_and_store(struct adopting *a, struct returned *t,
                              const struct lend_data *at)
{
    const struct cell *c = a->plan->cell;
    OWNED(free) char *config = settings_text(&c->config, 1);
    OWNED(free) char *settings = settings_all(&c->config, 1);
    char trace[HASH_HEX], weights[HASH_HEX], curve[HASH_HEX];
    const char *const attributes[][2] = {
        {"trainer", "external"}, {"trainer_framework", t->framework},
        {"trainer_machine", t->machine},
        {"trainer_contract", a->contract->sha256},
        {"trainer_trace", trace},
        {"trainer_weights", weights}, {"trainer_curve", curve}, {NULL, NULL}};
    const struct train_outside outside = {
        &t->start, &t->end, t->path, t->loss, t->valid,
        a->contract->start_sha256, attributes};
    static const volatile sig_atomic_t never;
    struct train_env env = {
        .folder = a->path, .id = c->id, .config = config,
        .settings = settings, .cache = at->cache, .files = at->files,
        .store = a->path, .outside = &outside, .metric = metric_all,
        .stop = &never, .tell = report_progress, .may_commit = begin_store,
        .arg = a};

    PASS(digest(trace, a, "trace.h5"));
    PASS(digest(weights, a, "weights.h5"));
    PASS(digest(curve, a, "curve.tsv"));
    PASS(train_cell(&c->config, &c->mix, c->task, &env));
    PASS(store_done(a->store, c->id, 0));
    return store_reindex(a->store);
}

/* Checks that the data on this machine are those of the contract. */
static int check_data(const struct contract *k, const struct lend_data *at)
{
    OWNED(dataset_close) struct dataset d = {.memory = NULL};
    struct task_opts o = train_data(&k->config, at->cache, at->files);

    PASS(task_open(&d, k->task, &o));
    return strcmp(d.digest, k->data_digest)
               ? err_set(ERR_DATA, "%s was lent with other data of %s than "
                         "are here (see --cache and --data-dir)", k->folder,
                         k->config.task)
               : OK;
}

int adopt_cell(const struct contract *k, const char *store,
               const struct lend_data *at, char id[SETTINGS_ID])
{
    OWNED(adopting_close) struct adopting a = {.contract = k, .path = store};
    OWNED(returned_close) struct returned t = {.path = NULL};

    PASS(check_data(k, at));
    PASS(returned_read(&t, k));
    PASS(make_plan(&a));
    strcpy(id, a.plan->cell->id);
    return evaluate_and_store(&a, &t, at);
}
