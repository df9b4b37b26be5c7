#include "harness/run/pool.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "harness/run/workers.h"
#include "harness/run/datasets.h"
#include "harness/run/place.h"
#include "harness/run/queue.h"
#include "harness/run/rerun.h"
#include "harness/run/team.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct pool {
    struct plan          *plan;
    struct store         *store;
    const struct pool_options *o;
    struct pool_result   *r;
    struct workers           crew;
    struct queue          queue;
    int                   total;
    double                began;
    double                work_done; /* part of queue.work that is done  */
    int                   fatal;  /* the error that ends the run, or OK */
    char                  message[2048];
};

/* Ends the run because of an error.  The running cells save their state. */
static void give_up(struct pool *p, int rc)
{
    if (p->fatal == OK) {
        p->fatal = rc;
        snprintf(p->message, sizeof p->message, "%s", err_last());
    }
}

static int ending(const struct pool *p)
{
    return signals_caught() || p->fatal != OK;
}

/* ---- start and end of a cell ---- */

/* Takes the lease of a cell.  Returns 1 if this process has the lease; 0 if
 * another live process has it, or if the cell is done; or an error.  The error
 * is ERR_BUSY if the lock of the leases stayed busy although no process trains
 * the cell. */
static int take_lease(struct pool *p, struct cell *c)
{
    int rc = ERR_BUSY;

    for (int i = 0; i < 2 && rc == ERR_BUSY; i++) {
        struct cell_status now;

        rc = store_claim(p->store, c->id);
        if (rc != ERR_BUSY)
            break;
        OWNED(free) char *why = str_copy(err_last());
        int looked = store_status(p->store, c->id, &now);
        err_set(ERR_BUSY, "%s", why);
        if (looked < 0 || now.state == CELL_RUNNING || now.state == CELL_DONE)
            return 0;
    }
    return rc == OK ? 1 : rc;
}

/* Returns 1 if this process must train the cell and has its lease; 0 if the
 * cell is busy, damaged, or done meanwhile; or an error. */
static int claim(struct pool *p, struct cell *c)
{
    int rc = take_lease(p, c);

    if (rc == 0)
        queue_busy(&p->queue, c);
    if (rc != 1)
        return rc;
    if (c->anew) {
        rc = rerun_open(p->plan);
        if (rc < 0)
            store_release(p->store, c->id);
        return rc < 0 ? rc : 1;
    }
    rc = store_status(p->store, c->id, &c->status);
    if (rc == OK && c->status.state == CELL_DONE) {
        queue_done(&p->queue, c);
        p->r->before++;
        p->work_done += c->seconds;
    } else if (rc == OK) {
        return 1;
    } else if (rc == ERR_STORE) {
        crew_say(&p->crew, "%s", err_last());
        p->r->damaged++;
        rc = OK;
    }
    store_release(p->store, c->id);
    return rc;
}

static int begin(struct pool *p, struct worker *w, const struct cell *c)
{
    struct pool_options o = *p->o;

    if (!o.team)
        o.slot = (int)(w - p->crew.worker);
    PASS(team_begin(o.team, c));
    int rc = worker_start(w, c, p->plan, &o, p->store, WORKER_TRAIN);
    if (rc < 0)
        team_over(p->o->team);
    return rc;
}

static void start(struct pool *p, struct worker *w)
{
    struct cell *c;

    while (!w->pid && !ending(p) && (c = queue_take(&p->queue))) {
        int rc = claim(p, c);

        if (rc == 1) {
            rc = begin(p, w, c);
            if (rc < 0)
                store_release(p->store, c->id);
        }
        if (rc == ERR_STOPPED && signals_caught())
            crew_say(&p->crew, "%s", err_last());
        else if (rc < 0)
            give_up(p, rc);
    }
}

static void note_failure(struct pool *p, const struct cell *c,
                         const char *class, double seconds)
{
    OWNED(free) char *message = str_copy(err_last());
    int tried = plan_is_trial(c) && !strcmp(class, "diverged");

    if (tried)
        queue_done(&p->queue, c);
    *(tried ? &p->r->trained : &p->r->failed) += 1;
    crew_say(&p->crew, CELL_NAME "%s: %s", CELL_NAMED(c),
             tried ? " (trial)" : " failed", message);
    if (c->anew) /* the previous result stays */
        return;
    int rc = store_fail(p->store, c->id, class, message, seconds);
    if (rc < 0)
        give_up(p, rc);
}

/* Records that a cell is done.  If the journal is busy, the next run adds the
 * cell's line, because the cell file is complete. */
static int note_done(struct pool *p, const struct cell *c, double seconds)
{
    int rc = c->anew ? rerun_adopt(p->r, p->plan, p->store, c, seconds)
                     : store_done(p->store, c->id, seconds);

    if (!c->anew && (rc == ERR_BUSY || rc == ERR_STOPPED)) {
        crew_say(&p->crew, CELL_NAME " is finished; the next run adds it to "
                 "journal.tsv: %s", CELL_NAMED(c), err_last());
        rc = OK;
    }
    if (rc == OK) {
        queue_done(&p->queue, c);
        p->r->trained++;
    }
    return rc;
}

/* Records a cell whose worker saved and ended on request.  If the run itself
 * continues, the cell is resumed when the other cells are done. */
static void note_saved(struct pool *p, const struct worker *w)
{
    int goes_on = !ending(p) && !p->o->stop_after;

    crew_say(&p->crew, CELL_NAME ": %ssaved at step %ld of %d",
             CELL_NAMED(w->cell), goes_on ? "its process was asked to stop, " :
             "", w->last.saved, w->cell->config.steps);
    if (goes_on)
        queue_busy(&p->queue, &p->plan->cell[w->cell - p->plan->cell]);
    else
        p->r->saved++;
}

/* Reports a cell whose worker was ended before it could save. */
static void tell_lost(struct pool *p, const struct worker *w)
{
    const struct note *n = &w->last;
    char at[48] = "";

    if (!watchdog_expects(w)) {
        p->r->saved += n->saved > 0; /* else training had not started */
        return;
    }
    p->r->lost++;
    if (!strcmp(n->phase, "train"))
        snprintf(at, sizeof at, " (it was at step %ld)", n->done);
    crew_say(&p->crew, CELL_NAME ": ended before it could save; everything "
             "after step %ld of %d is lost%s", CELL_NAMED(w->cell), n->saved,
             w->cell->config.steps, at);
}

/* Leaves a cell to another process, which took the lease because it found the
 * lease stale.  The result of that process will be bit-identical. */
static void leave_to_other(struct pool *p, const struct worker *w)
{
    queue_busy(&p->queue, &p->plan->cell[w->cell - p->plan->cell]);
    crew_say(&p->crew, CELL_NAME " is left to another process: %s",
             CELL_NAMED(w->cell), err_last());
}

/* Returns 1 if another process has taken over the cell, so that the failure of
 * the worker of this process does not count.  Otherwise returns 0 and keeps
 * err_last(). */
static int is_taken_over(const struct pool *p, const struct cell *c, int rc)
{
    OWNED(free) char *why = str_copy(err_last());

    if (store_heartbeat(p->store, c->id) == ERR_BUSY)
        return 1;
    err_set(rc, "%s", why);
    return 0;
}

static int finish(void *pool, struct worker *w)
{
    struct pool *p = pool;
    const struct cell *c = w->cell;
    const char *class;
    int rc;

    watchdog_end(w);
    rc = worker_end(w, &class);
    team_over(p->o->team);
    if (rc == OK)
        rc = note_done(p, c, w->ran);
    if (rc == OK)
        ;
    else if (rc == ERR_STOPPED)
        note_saved(p, w);
    else if (rc == ERR_BUSY || class == workers_stolen)
        leave_to_other(p, w);
    else if (rc == ERR_SPACE)
        give_up(p, rc);
    else if (class == workers_lost)
        tell_lost(p, w);
    else if (is_taken_over(p, c, rc))
        leave_to_other(p, w);
    else
        note_failure(p, c, class, w->ran);
    p->work_done += c->seconds;
    store_release(p->store, c->id);
    return OK;
}

/* ---- all cells ---- */

static void draw_progress(struct pool *p)
{
    double done = p->work_done, work = p->queue.work;

    EACH_AT_WORK(w, &p->crew)
        done += w->last.fraction * w->cell->seconds;
    struct progress_view v = {
        .done = p->r->before + p->r->trained,
        .failed = p->r->failed,
        .total = p->total,
        .fraction = work > 0 ? fmin(done / work, 1) : 0,
        .elapsed = clock_seconds() - p->began,
        .left = NAN,
        .worker = p->crew.worker,
        .workers = p->crew.workers};
    if (v.fraction > 0.005)
        v.left = v.elapsed * (1 - v.fraction) / v.fraction;
    progress_draw(&p->crew.bar, &v);
}

static void work(struct pool *p)
{
    for (;;) {
        for (int i = 0; i < p->crew.workers; i++)
            start(p, &p->crew.worker[i]);
        if (ending(p)) {
            team_stop(p->o->team);
            workers_end(&p->crew);
        }
        if (workers_attend(&p->crew, finish, p) == 0)
            break;
        workers_watch(&p->crew);
        team_watch(p->o->team, p->crew.worker); /* a team has one worker */
        draw_progress(p);
    }
}

/* Reports the cells that wait for other cells and cannot start. */
static void leave(struct pool *p)
{
    const struct cell *c;

    while (!ending(p) && (c = queue_leave(&p->queue))) {
        const struct cell *other = queue_awaited(&p->queue, c);

        crew_say(&p->crew, CELL_NAME " is blocked: %s, %s, is not finished",
                 CELL_NAMED(c), other->id,
                 other == c->parent ? "which it starts from"
                                    : "a trial that it depends on");
    }
}

static void rest(void)
{
    struct timespec t = {.tv_sec = 1};

    nanosleep(&t, NULL); /* a signal ends the sleep */
}

/* Tries again to train the cells that other processes had leased.  Tries once,
 * because these processes may have ended since, and then every second until
 * --wait is over. */
static void retry_busy(struct pool *p)
{
    double began = clock_seconds();

    while (!ending(p) && queue_retry(&p->queue)) {
        work(p);
        leave(p);
        if (clock_seconds() - began >= p->o->wait)
            return;
        rest();
    }
}

/* ---- data ---- */

/* Removes all cells that use the same data set as `c` from the queue. */
static void leave_out(struct pool *p, const struct cell *c)
{
    int n = 0;

    for (int i = 0; i < p->queue.n; i++)
        if (!train_same_data(&p->queue.cell[i]->config, &c->config))
            p->queue.cell[n++] = p->queue.cell[i];
    p->r->lacking += p->queue.n - n;
    p->queue.n = n;
}

static void draw_now(void *pool)
{
    struct pool *p = pool;

    watchdog_tick(&p->crew.guard);
    draw_progress(p);
}

/* Prepares the data, and leaves out cells whose data cannot be read.  Returns
 * ERR_DATA if this leaves no cell and no cell was done before. */
static int prepare(struct pool *p, struct arena *a)
{
    struct datasets d = {.plan = p->plan, .o = p->o, .crew = &p->crew,
                         .memory = a, .draw = draw_now, .arg = p};

    PASS(store_sweep(p->store));
    PASS(store_complete(p->store, NULL));
    PASS(datasets_open(&d, &p->queue));
    for (int i = 0; i < d.n && !signals_caught(); i++) {
        if (d.of[i].rc == OK)
            continue;
        leave_out(p, d.of[i].cell);
        if (d.n == 1 && !p->queue.n && !p->r->before)
            return err_set(d.of[i].rc, "%s", d.of[i].message);
        crew_say(&p->crew, "%s is left out: %s", d.of[i].cell->config.task,
                 task_reason(d.of[i].cell->task, d.of[i].message));
    }
    return p->r->lacking && !p->queue.n && !p->r->before
               ? err_set(ERR_DATA, "all tasks are left out: nothing was "
                         "trained") : OK;
}

int pool_code(const struct pool_result *r)
{
    return r->signal                               ? 128 + r->signal
           : r->damaged                            ? -ERR_STORE
           : r->failed || r->blocked || r->changed ? 1
           : r->lacking                            ? -ERR_DATA
           : r->busy                               ? -ERR_BUSY
                                                   : OK;
}

int pool_run(struct pool_result *out, struct plan *plan, struct store *s,
             const struct pool_options *o)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct pool_options own = *o; /* place_open sets its jobs and threads */
    struct pool p = {.plan = plan, .store = s, .o = &own, .r = out,
                     .began = clock_seconds()};
    OWNED(place_close) struct place place = {.cells = 0};
    int damaged, rc;

    place_open(&place, &own, plan);
    own.files = o->files ? o->files : o->cache;
    *out = (struct pool_result){0};
    workers_open(&p.crew, own.jobs, o, s, a);
    queue_open(&p.queue, plan, out, a);
    p.total = out->before + out->blocked + p.queue.n;
    damaged = out->damaged; /* more may be found during the run */
    rc = rerun_open(plan);
    if (rc == OK)
        rc = prepare(&p, a);
    if (rc == ERR_STOPPED && signals_caught()) { /* while waiting for a lock */
        crew_say(&p.crew, "%s", err_last());
        rc = OK;
    }
    if (rc == OK && !signals_caught()) {
        work(&p);
        leave(&p);
        retry_busy(&p);
    }
    progress_clear(&p.crew.bar);
    out->signal = signals_caught();
    out->left = p.total - out->before - out->trained - out->failed -
                out->saved - out->lost - out->busy - out->blocked -
                out->lacking - (out->damaged - damaged);
    if (!out->saved && !out->busy)
        rerun_close(plan, s);
    if (rc == OK && p.fatal < 0)
        rc = err_set(p.fatal, "%s", p.message);
    return rc;
}
