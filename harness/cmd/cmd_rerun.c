/* rerun: trains finished cells again and reports whether they are
 * bit-identical. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/describe.h"
#include "harness/run/pool.h"

#include <limits.h>
#include <string.h>

struct given {
    const char         *store;
    struct pool_options pool;
    const char         *format;
};

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = opts_pool, .at = OPT_AT(pool)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* Selects the cells that the argument `arg` names.  The first call also opens
 * the plan *p. */
static int mark(struct plan **p, const char *arg, const char *store)
{
    OWNED(plan_close) struct plan *named = NULL;

    PASS(target_find(&named, arg, store));
    if (*p && strcmp((*p)->store, named->store))
        return err_set(ERR_USAGE, "%s belongs to %s, and the cells before "
                                  "it to %s: specify cells of one store",
                                  arg, named->store,
                       (*p)->store);
    for (int i = 0; *p && i < named->n; i++)
        if (named->cell[i].selected)
            (*p)->cell[i].selected = 1;
    return *p ? OK : MOVE_OUT(p, named);
}

static int run_rerun(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct pool_result r = {.trained = 0};
    OWNED(plan_close) struct plan *p = NULL;
    OWNED(store_close) struct store *s = NULL;

    for (int i = 0; i < args->n; i++)
        PASS(mark(&p, args->of[i], g->store));
    PASS(plan_look(p));
    for (int i = 0; i < p->n; i++) {
        if (p->cell[i].selected && plan_is_external(&p->cell[i]))
            return err_set(ERR_USAGE, "%s: another program trained this cell, "
                           "so it cannot be trained again here",
                           p->cell[i].id);
        p->cell[i].anew = p->cell[i].selected;
    }
    PASS(store_open(&s, p->store, 1));
    PASS(pool_run(&r, p, s, &g->pool));
    PASS(store_reindex(s));
    say("retrained %d cell%s: %d bit-identical, %d different, %d without a "
        "valid earlier result; %s", r.trained, r.trained == 1 ? "" : "s",
        r.same, r.changed, r.trained - r.same - r.changed, p->store);
    if (r.signal)
        say("stopped by signal %d; the same command resumes", r.signal);
    if (!strcmp(g->format, "json")) {
        PASS(plan_look(p));
        describe(p, DESCRIBE_RESULTS, g->format, 0);
    }
    return pool_code(&r);
}

const struct command command_rerun = {
    .name = "rerun",
    .summary = "Retrain finished cells and compare the bits",
    .args = "STORE#CELL...",
    .doc = "CELL is six or more digits of a cell id, or variant/task/seed, "
           "or variant/task for all seeds. The old cell is replaced when "
           "the new one is complete. Exit code 1 if a cell differs; cells "
           "that started from its weights are then reported as stale.",
    .formats = command_text_json,
    COMMAND_RUNS(run_rerun, 1, INT_MAX)};
