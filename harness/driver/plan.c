#include "harness/driver/plan.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/driver/filter.h"
#include "harness/driver/freeze.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FLOP/s of one worker, until the store has a finished cell to learn from. */
#define SPEED 80e9

struct plan *plan_new(const char *name, const char *title, int cells)
{
    struct arena *a = arena_new();
    struct plan *p = arena_zero(a, sizeof *p);

    p->memory = a;
    p->name = arena_text(a, name);
    p->title = arena_text(a, title);
    p->cell = arena_zero(a, ((size_t)cells + 1) * sizeof *p->cell);
    return p;
}

void plan_close(struct plan *p)
{
    if (p)
        arena_free(p->memory);
}

static int fill(struct plan *p, const struct config *config, int n)
{
    char name[MIX_NAME];
    int rc = OK;

    for (p->n = 0; p->n < n; p->n++) {
        struct cell *c = &p->cell[p->n];

        c->config = config[p->n];
        settings_id(&c->config, c->id);
        TRY(mix_parse(&c->mix, name, c->config.variant));
        TRY(registry_task(&c->task, c->config.task));
        c->refused = model_fault(&c->config.model, &c->mix);
    }
out:
    return rc;
}

static int from_file(struct plan **out, const struct options *o)
{
    struct experiment *e = NULL;
    struct config *config = NULL;
    struct plan *p = NULL;
    int n, rc;

    TRY(experiment_read(&e, o->arg[0]));
    TRY(matrix_cells(e, &o->choice, &config, &n));
    p = plan_new(e->name, e->title, n);
    TRY(fill(p, config, n));
    *out = p;
    p = NULL;
out:
    plan_close(p);
    free(config);
    experiment_close(e);
    return rc;
}

static int select_cells(struct plan *p, const char *filter)
{
    int wanted = 0, all = 0, rc = OK;

    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];

        if (c->older)
            continue;
        all++;
        TRY(filter ? filter_match(filter, &c->config) : 1);
        wanted += c->selected = rc;
    }
    if (!wanted && filter)
        return err_set(ERR_EMPTY, "-E '%s': none of the %d cells of %s is "
                       "like that", filter, all, p->name);
    return wanted ? OK : err_set(ERR_EMPTY, "%s: there are no cells",
                                 p->name);
out:
    return rc;
}

int plan_open(struct plan **out, const struct options *o)
{
    const struct choice *c = &o->choice;
    struct plan *p = NULL;
    int rc = OK;

    *out = NULL;
    if (o->n) {
        TRY(from_file(&p, o));
    } else {
        if (!o->store)
            TRY(err_set(ERR_USAGE, "which experiment? name its file, or its "
                        "results with --store DIR"));
        if (c->scale || c->seeds || c->synthetic || c->set.n)
            TRY(err_set(ERR_USAGE, "%s: its experiment is frozen; -S, "
                        "--scale, --seeds and --synthetic need the "
                        "experiment's file", o->store));
        TRY(freeze_read(&p, o->store));
    }
    char *store = o->store ? str_copy(o->store)
                           : str_format("results/%s", p->name);
    p->store = arena_text(p->memory, store);
    free(store);
    TRY(select_cells(p, o->filter));
    *out = p;
    p = NULL;
out:
    plan_close(p);
    return rc;
}

/* ---- what is known of the cells ---- */

static int look_up(struct plan *p)
{
    struct store *s = NULL;
    int rc = store_open(&s, p->store, 0);

    if (rc == ERR_EMPTY) /* no store yet: all is missing */
        return OK;
    for (int i = 0; rc == OK && i < p->n; i++) {
        struct cell *c = &p->cell[i];

        rc = store_status(s, c->id, &c->status);
        if (rc == OK && c->status.state == CELL_DONE)
            rc = store_verify(s, c->id);
        if (rc == ERR_STORE) {
            c->damage = arena_text(p->memory, err_last());
            rc = OK;
        }
    }
    store_close(s);
    return rc;
}

static double work(const struct cell *c)
{
    return c->cost.flops_per_step * c->config.steps;
}

/* FLOP/s of finished cells of this kind of task (NULL: of any); 0: none. */
static double speed(const struct plan *p, const struct task *task)
{
    double flops = 0, seconds = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (c->damage || c->status.state != CELL_DONE ||
            (task && c->task != task))
            continue;
        flops += work(c);
        seconds += c->status.seconds;
    }
    return seconds > 0 ? flops / seconds : 0;
}

static void expect_time(struct plan *p)
{
    double any = speed(p, NULL), own;

    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];

        own = speed(p, c->task);
        c->seconds = work(c) / (own > 0 ? own : any > 0 ? any : SPEED);
    }
}

int plan_look(struct plan *p)
{
    int rc = look_up(p);

    for (int i = 0; i < p->n && rc == OK; i++) {
        struct cell *c = &p->cell[i];
        struct config expected = c->config;

        if (c->refused)
            continue;
        settings_expect(&expected);
        train_cost(&expected, &c->mix, c->task, &c->cost);
    }
    if (rc == OK)
        expect_time(p);
    return rc;
}

const char *plan_status(const struct cell *c)
{
    static const char *const word[] = {
        [CELL_MISSING] = "missing", [CELL_RUNNING] = "running",
        [CELL_DONE] = "done", [CELL_FAILED] = "failed"};

    return c->refused  ? "refused"
           : c->damage ? "failed"
                       : word[c->status.state];
}

const char *plan_reason(const struct cell *c)
{
    return c->refused ? c->refused : c->damage ? c->damage : c->status.message;
}
