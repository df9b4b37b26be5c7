#include "harness/driver/pool.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/driver/bar.h"
#include "harness/driver/datasets.h"
#include "harness/driver/queue.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEARTBEAT 10.0 /* seconds; another host waits 120 */
#define GRACE 4.0      /* for a checkpoint, then SIGKILL  */

struct pool {
    struct plan          *plan;
    struct store         *store;
    const struct options *o;
    struct pool_result   *r;
    struct worker        *worker;
    int                   workers;
    struct queue          queue;
    int                   total;
    double                began, beat, ended;
    double                work_done; /* expected seconds, of queue.work */
    struct bar            bar;
    int                   fatal;  /* the error that ends the run, or OK */
    char                  message[2048];
};

static volatile sig_atomic_t caught;

static void on_signal(int number) { caught = number; }

__attribute__((format(printf, 2, 3))) static void
say_clear(struct pool *p, const char *fmt, ...)
{
    char text[2048];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    bar_clear(&p->bar);
    say("%s", text);
}

static const char *label(const struct cell *c, char out[160])
{
    snprintf(out, 160, "%s %s/%s/%llu", c->id, c->config.variant,
             c->config.task, (unsigned long long)c->config.seed);
    return out;
}

/* The run cannot go on: the running cells save what they have. */
static void give_up(struct pool *p, int rc)
{
    if (p->fatal == OK) {
        p->fatal = rc;
        snprintf(p->message, sizeof p->message, "%s", err_last());
    }
}

static int ending(const struct pool *p) { return caught || p->fatal != OK; }

/* ---- one cell's beginning and end ---- */

/* 1: it is ours to train; 0: it is not (busy, or done meanwhile). */
static int claim(struct pool *p, struct cell *c)
{
    int rc = store_claim(p->store, c->id);

    if (rc == ERR_BUSY) {
        queue_busy(&p->queue, c);
        return 0;
    }
    if (rc < 0)
        return rc;
    rc = store_status(p->store, c->id, &c->status);
    if (rc == OK && c->status.state == CELL_DONE) {
        queue_done(&p->queue, c);
        p->r->before++;
        p->work_done += c->seconds;
    } else if (rc == OK) {
        return 1;
    }
    store_release(p->store, c->id);
    return rc;
}

static void start(struct pool *p, struct worker *w)
{
    struct cell *c;

    while (!w->pid && !ending(p) && (c = queue_take(&p->queue))) {
        int rc = claim(p, c);

        if (rc == 1) {
            rc = worker_start(w, c, p->plan, p->o, WORKER_TRAIN);
            if (rc < 0)
                store_release(p->store, c->id);
        }
        if (rc < 0)
            give_up(p, rc);
    }
}

static void note_failure(struct pool *p, const struct cell *c,
                         const char *class, double seconds)
{
    char text[160], message[2048];

    snprintf(message, sizeof message, "%s", err_last());
    p->r->failed++;
    say_clear(p, "%s failed: %s", label(c, text), message);
    int rc = store_fail(p->store, c->id, class, message, seconds);
    if (rc < 0)
        give_up(p, rc);
}

static void finish(struct pool *p, struct worker *w)
{
    const struct cell *c = w->cell;
    double seconds = clock_seconds() - w->began;
    int late = w->late && !w->last.ended;
    const char *class;
    int rc = worker_end(w, &class);

    if (rc == OK)
        rc = store_done(p->store, c->id, seconds);
    if (rc == OK) {
        queue_done(&p->queue, c);
        p->r->trained++;
    } else if (rc == ERR_STOPPED) {
        p->r->saved++;
    } else if (late) {
        err_set(ERR_IO, "took longer than --timeout %g s", p->o->timeout);
        note_failure(p, c, "timeout", seconds);
    } else if (rc == ERR_SPACE) {
        give_up(p, rc);
    } else if (!ending(p)) {
        note_failure(p, c, class, seconds);
    }
    p->work_done += c->seconds;
    store_release(p->store, c->id);
}

/* ---- while they work ---- */

static void check_time(struct pool *p, double now)
{
    int beat = now - p->beat > HEARTBEAT;

    for (int i = 0; i < p->workers; i++) {
        struct worker *w = &p->worker[i];

        if (!w->pid)
            continue;
        if (beat && store_heartbeat(p->store, w->cell->id) < 0) {
            give_up(p, ERR_BUSY);
            kill(w->pid, SIGKILL);
        }
        if (p->o->timeout > 0 && now - w->began > p->o->timeout) {
            w->late = 1;
            kill(w->pid, SIGKILL);
        }
    }
    if (beat)
        p->beat = now;
}

static void signal_all(struct pool *p, int number)
{
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i].pid)
            kill(p->worker[i].pid, number);
}

/* Once: ask for checkpoints; when the grace is over, ask no more. */
static void check_end(struct pool *p, double now)
{
    if (!ending(p))
        return;
    if (!p->ended) {
        p->ended = now;
        if (caught)
            say_clear(p, "signal %d: saving what is being trained",
                      (int)caught);
        signal_all(p, SIGTERM);
    } else if (now - p->ended > GRACE) {
        signal_all(p, SIGKILL);
    }
}

static void draw(struct pool *p, double now)
{
    double done = p->work_done, work = p->queue.work;

    for (int i = 0; i < p->workers; i++)
        if (p->worker[i].pid)
            done += p->worker[i].last.fraction * p->worker[i].cell->seconds;
    struct bar_view v = {
        .done = p->r->before + p->r->trained,
        .failed = p->r->failed,
        .total = p->total,
        .fraction = work > 0 ? fmin(done / work, 1) : 0,
        .elapsed = now - p->began,
        .left = NAN,
        .worker = p->worker,
        .workers = p->workers};
    if (v.fraction > 0.005)
        v.left = v.elapsed * (1 - v.fraction) / v.fraction;
    bar_draw(&p->bar, &v);
}

/* Sleeps until a worker speaks or a tick is over; how many are at work. */
static int attend(struct pool *p)
{
    struct pollfd fd[WORKERS_MAX];
    int who[WORKERS_MAX], n = 0;

    for (int i = 0; i < p->workers; i++)
        if (p->worker[i].pid) {
            fd[n] = (struct pollfd){.fd = p->worker[i].pipe, .events = POLLIN};
            who[n++] = i;
        }
    if (n == 0 || poll(fd, (nfds_t)n, TICK_MS) <= 0)
        return n;
    for (int i = 0; i < n; i++)
        if (fd[i].revents && worker_read(&p->worker[who[i]]))
            finish(p, &p->worker[who[i]]);
    return n;
}

static void work(struct pool *p)
{
    for (;;) {
        double now = clock_seconds();

        for (int i = 0; i < p->workers; i++)
            start(p, &p->worker[i]);
        check_end(p, now);
        if (attend(p) == 0)
            break;
        now = clock_seconds();
        check_time(p, now);
        draw(p, now);
    }
}

/* What still waits for the cell that it starts from. */
static void leave(struct pool *p)
{
    const struct cell *c;
    char text[160];

    while (!ending(p) && (c = queue_leave(&p->queue)))
        say_clear(p, "%s is blocked: %s, from which it starts, is not done",
                  label(c, text), c->parent->id);
}

/* Cells that others held: once more, for they may have ended since. */
static void retry_busy(struct pool *p)
{
    if (ending(p) || !queue_retry(&p->queue))
        return;
    work(p);
    leave(p);
}

/* ---- data, before anything is trained ---- */

/* Takes the cells of these data out of the queue. */
static void leave_out(struct pool *p, const struct cell *c)
{
    int n = 0;

    for (int i = 0; i < p->queue.n; i++)
        if (!datasets_same(p->queue.cell[i], c))
            p->queue.cell[n++] = p->queue.cell[i];
    p->r->lacking += p->queue.n - n;
    p->queue.n = n;
}

static void draw_now(void *pool) { draw(pool, clock_seconds()); }

/* Cells whose data cannot be had are left out, unless there are no others. */
static int prepare(struct pool *p, struct arena *a)
{
    struct datasets d = {.plan = p->plan, .o = p->o, .worker = p->worker,
                         .workers = p->workers, .stop = &caught,
                         .draw = draw_now, .arg = p};
    int rc;

    TRY(datasets_open(&d, &p->queue, a));
    for (int i = 0; i < d.n && !caught; i++) {
        if (d.of[i].rc == OK)
            continue;
        leave_out(p, d.of[i].cell);
        if (!p->queue.n && !p->r->before)
            return err_set(d.of[i].rc, "%s", d.of[i].message);
        say_clear(p, "%s is left out: %s", d.of[i].cell->config.task,
                  d.of[i].message);
    }
out:
    return rc;
}

/* Workers that keep every processor busy. */
static int default_jobs(const struct plan *p)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = 1;

    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected && p->cell[i].config.threads > threads)
            threads = p->cell[i].config.threads;
    n /= threads;
    return n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : (int)n;
}

int pool_run(struct pool_result *out, struct plan *plan, struct store *s,
             const struct options *o)
{
    struct sigaction act = {.sa_handler = on_signal};
    struct arena *a = arena_new();
    struct pool p = {.plan = plan, .store = s, .o = o, .r = out,
                     .workers = o->jobs ? o->jobs : default_jobs(plan),
                     .began = clock_seconds()};
    int rc;

    *out = (struct pool_result){0};
    p.worker = arena_zero(a, (size_t)p.workers * sizeof *p.worker);
    sigaction(SIGINT, &act, NULL); /* without SA_RESTART: poll returns */
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    queue_open(&p.queue, plan, out, a);
    p.total = out->before + out->blocked + p.queue.n;
    bar_open(&p.bar);
    rc = prepare(&p, a);
    p.beat = clock_seconds();
    if (rc == OK && !caught) {
        work(&p);
        leave(&p);
        retry_busy(&p);
    }
    bar_clear(&p.bar);
    out->signal = caught;
    out->left = p.total - out->before - out->trained - out->failed -
                out->saved - out->busy - out->blocked - out->lacking;
    if (rc == OK && p.fatal < 0)
        rc = err_set(p.fatal, "%s", p.message);
    arena_free(a);
    return rc;
}
