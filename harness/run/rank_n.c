/* Implements team_follow (team.h): a rank other than 0 follows the orders of
 * rank 0. */
#include "harness/run/team.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "harness/run/watchdog.h"
#include "harness/run/place.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>

struct follower_of {
    struct team         *team;
    const struct plan_of *of;
    struct pool_options  pool;
    struct plan         *plan;
    struct store        *store;
    struct worker        worker;
    struct watchdog         guard;
    struct place         place;
    int                  over; /* 1: the worker of rank 0 has ended, so this
                                  rank ends its own worker */
};

static void send_order(const struct follower_of *f, struct order *o, int rc)
{
    o->rc = rc;
    gethostname(o->host, sizeof o->host - 1);
    if (rc < 0)
        snprintf(o->text, sizeof o->text, "%s", err_last());
    team_send(f->team, 0, o);
}

/* ---- plan and store ---- */

/* Returns OK if this rank sees the file that rank 0 has just written, or
 * ERR_USAGE. */
static int sees(const char *store, const char *text)
{
    size_t name = strcspn(text, "\n"), n;
    OWNED(free) char *path = str_format("%s/%.*s", store, (int)name, text);
    OWNED(free) char *found = NULL;

    if (file_read(&found, &n, path) < 0 || strcmp(found, text))
        return err_set(ERR_USAGE, "cannot see the store of rank 0 at %s: all "
                       "ranks need a shared folder", store);
    return OK;
}

static int look(struct follower_of *f, const struct order *o)
{
    char hex[HASH_HEX];

    PASS(plan_open(&f->plan, f->of));
    team_digest(hex, f->plan);
    f->team->share = o->share;
    f->team->shares = o->shares;
    place_open(&f->place, &f->pool, f->plan);
    if (strcmp(hex, o->id))
        return err_set(ERR_USAGE, "its plan has other cells: all ranks must "
                       "read the same experiment file");
    PASS(sees(f->plan->store, o->text));
    return store_open(&f->store, f->plan->store, 0);
}

/* ---- cells ---- */

static struct cell *find_cell(struct plan *p, const char *id)
{
    for (int i = 0; p && i < p->n; i++)
        if (!strcmp(p->cell[i].id, id))
            return &p->cell[i];
    return NULL;
}

static int start(struct follower_of *f, const struct order *o)
{
    struct cell *c = find_cell(f->plan, o->id);

    f->team->cell = o->cell;
    f->over = 0;
    if (!c)
        return err_set(ERR_USAGE, "has no cell %.64s", o->id);
    c->anew = o->anew;
    struct config expected = c->config;
    settings_expect(&expected);
    /* The watchdog compares the worker's memory with the estimate. */
    train_cost(&expected, &c->mix, c->task, NULL, &c->cost);
    return worker_start(&f->worker, c, f->plan, &f->pool, f->store,
                        WORKER_TRAIN);
}

static void train(struct follower_of *f, const struct order *o)
{
    struct order e = {.kind = ORDER_ENDED, .cell = o->cell, .class = "error"};
    int rc = start(f, o);

    if (rc < 0)
        send_order(f, &e, rc);
}

/* Reports the end of the worker to rank 0. */
static void finish(struct follower_of *f)
{
    struct order o = {.kind = ORDER_ENDED, .cell = f->team->cell};
    const char *class = "";

    watchdog_end(&f->worker);
    int rc = worker_end(&f->worker, &class);
    o.word = f->worker.last.ended && !f->worker.killed;
    if (rc < 0 && rc != ERR_STOPPED)
        snprintf(o.class, sizeof o.class, "%s", class);
    send_order(f, &o, f->over ? OK : rc);
}

static void end_worker(struct follower_of *f)
{
    f->over = 1;
    if (f->worker.pid)
        worker_kill(&f->worker, "lost", "the worker of rank 0 has ended");
}

/* Executes an order.  Returns 1 if the order is the last one. */
static int obey(struct follower_of *f, const struct order *o)
{
    struct order ready = {.kind = ORDER_READY};

    switch (o->kind) {
    case ORDER_LOOK: send_order(f, &ready, look(f, o)); break;
    case ORDER_TRAIN: train(f, o); break;
    case ORDER_STOP:
        if (f->worker.pid)
            kill(f->worker.pid, SIGTERM);
        break;
    case ORDER_OVER:
        if (o->cell == f->team->cell)
            end_worker(f);
        break;
    case ORDER_BYE: end_worker(f); return 1;
    default: break;
    }
    return 0;
}

static void wait_for_either(const struct follower_of *f)
{
    struct pollfd at[2] = {{f->team->launch.orders, POLLIN, 0},
                           {f->worker.pipe, POLLIN, 0}};

    poll(at, f->worker.pid ? 2 : 1, TICK_MS);
}

int team_follow(struct team *t, const struct plan_of *of,
                const struct pool_options *o)
{
    struct follower_of f = {.team = t, .of = of, .pool = *o};
    struct order hello = {.kind = ORDER_HELLO}, order;
    int last = 0;

    f.pool.jobs = 1;
    f.pool.team = t;
    f.pool.files = o->files ? o->files : o->cache;
    f.guard = (struct watchdog){.worker = &f.worker, .workers = 1,
                             .timeout = o->timeout, .stall = o->stall,
                             .clock = 1};
    signals_catch(); /* rank 0 decides when to stop */
    team_facts(&hello);
    team_send(t, 0, &hello);
    while (!last) {
        wait_for_either(&f);
        if (f.worker.pid && worker_read(&f.worker))
            finish(&f);
        watchdog_tick(&f.guard);
        if (team_receive(t, &order, 0))
            last = obey(&f, &order);
    }
    if (f.worker.pid)
        finish(&f);
    place_close(&f.place);
    store_close(f.store);
    plan_close(f.plan);
    return OK;
}
