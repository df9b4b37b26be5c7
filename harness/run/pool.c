#include "harness/run/pool.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/run/bar.h"
#include "harness/run/datasets.h"
#include "harness/run/guard.h"
#include "harness/run/queue.h"
#include "harness/run/rerun.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEARTBEAT 10.0 /* seconds; another host waits 120            */
#define AGAIN 1.0      /* until then a second signal is the first's echo */

struct pool {
    struct plan          *plan;
    struct store         *store;
    const struct pool_options *o;
    struct pool_result   *r;
    struct worker        *worker;
    int                   workers;
    struct queue          queue;
    int                   total;
    struct guard          guard;
    double                began, beat;
    double                ended;     /* guard.clock at its end's beginning */
    int                   heard;     /* signals so far                     */
    double                work_done; /* expected seconds, of queue.work */
    struct bar            bar;
    int                   fatal;  /* the error that ends the run, or OK */
    char                  message[2048];
};

static volatile sig_atomic_t caught, signals; /* the first; how many */

static void on_signal(int number)
{
    caught = caught ? caught : number;
    signals++;
}

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

/* 1: it is ours; 0: somebody who is alive has it.  Where the lock is what is
 * busy, it is nobody's, however often one looks. */
static int take(struct pool *p, struct cell *c)
{
    int rc = ERR_BUSY;

    for (int i = 0; i < 2 && rc == ERR_BUSY; i++) {
        struct cell_status now;

        rc = store_claim(p->store, c->id);
        if (rc != ERR_BUSY)
            break;
        char *why = str_copy(err_last());
        int looked = store_status(p->store, c->id, &now);
        rc = err_set(ERR_BUSY, "%s", why);
        free(why);
        if (looked < 0 || now.state == CELL_RUNNING || now.state == CELL_DONE)
            return 0;
    }
    return rc == OK ? 1 : rc;
}

/* 1: it is ours to train; 0: it is not (busy, damaged, or done meanwhile). */
static int claim(struct pool *p, struct cell *c)
{
    int rc = take(p, c);

    if (rc == 0)
        queue_busy(&p->queue, c);
    if (rc != 1)
        return rc;
    if (c->anew)
        return 1;
    rc = store_status(p->store, c->id, &c->status);
    if (rc == OK && c->status.state == CELL_DONE) {
        queue_done(&p->queue, c);
        p->r->before++;
        p->work_done += c->seconds;
    } else if (rc == OK) {
        return 1;
    } else if (rc == ERR_STORE) {
        say_clear(p, "%s", err_last());
        p->r->damaged++;
        rc = OK;
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
            rc = worker_start(w, c, p->plan, p->o, p->store, WORKER_TRAIN);
            if (rc < 0)
                store_release(p->store, c->id);
        }
        if (rc == ERR_STOPPED && caught)
            say_clear(p, "%s", err_last());
        else if (rc < 0)
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
    if (c->anew) /* the old one stays */
        return;
    int rc = store_fail(p->store, c->id, class, message, seconds);
    if (rc < 0)
        give_up(p, rc);
}

/* The file is there; its line in the journal can wait for the next run. */
static int note_done(struct pool *p, const struct cell *c, double seconds)
{
    char text[160];
    int rc = c->anew ? rerun_adopt(p->r, p->plan, p->store, c, seconds)
                     : store_done(p->store, c->id, seconds);

    if (!c->anew && (rc == ERR_BUSY || rc == ERR_STOPPED)) {
        say_clear(p, "%s is done, and the next run notes it in journal.tsv: "
                  "%s", label(c, text), err_last());
        rc = OK;
    }
    if (rc == OK) {
        queue_done(&p->queue, c);
        p->r->trained++;
    }
    return rc;
}

static void tell_saved(struct pool *p, const struct worker *w)
{
    char text[160];

    p->r->saved++;
    say_clear(p, "%s: saved at step %ld of %d", label(w->cell, text),
              w->last.saved, w->cell->config.steps);
}

/* It was ended before it could save. */
static void tell_lost(struct pool *p, const struct worker *w)
{
    const struct note *n = &w->last;
    char text[160], at[48] = "";

    if (!guard_expects(w)) {
        p->r->saved += n->saved > 0; /* else it had not begun to train */
        return;
    }
    p->r->lost++;
    if (!strcmp(n->phase, "train"))
        snprintf(at, sizeof at, " (it was at step %ld)", n->done);
    say_clear(p, "%s: ended before it could save, what came after step %ld of "
              "%d is lost%s", label(w->cell, text), n->saved,
              w->cell->config.steps, at);
}

/* Another runner took us for dead; it gives the same bits. */
static void leave_to_other(struct pool *p, const struct worker *w)
{
    char text[160], why[512];

    snprintf(why, sizeof why, "%s", err_last());
    queue_busy(&p->queue, &p->plan->cell[w->cell - p->plan->cell]);
    say_clear(p, "%s is left to another runner: %s", label(w->cell, text),
              why);
}

static const char LOST[] = "lost", STOLEN[] = "stolen"; /* classes of ours */

static void finish(struct pool *p, struct worker *w)
{
    const struct cell *c = w->cell;
    const char *class;
    int rc;

    guard_end(w);
    rc = worker_end(w, &class);

    if (rc == OK)
        rc = note_done(p, c, w->ran);
    if (rc == OK)
        ;
    else if (rc == ERR_STOPPED)
        tell_saved(p, w);
    else if (rc == ERR_BUSY || class == STOLEN)
        leave_to_other(p, w);
    else if (rc == ERR_SPACE)
        give_up(p, rc);
    else if (class == LOST)
        tell_lost(p, w);
    else
        note_failure(p, c, class, w->ran);
    p->work_done += c->seconds;
    store_release(p->store, c->id);
}

/* ---- while they work ---- */

static void beat(struct pool *p)
{
    double now = clock_seconds();

    if (now - p->beat < HEARTBEAT)
        return;
    p->beat = now;
    for (int i = 0; i < p->workers; i++) {
        struct worker *w = &p->worker[i];

        if (w->pid && store_heartbeat(p->store, w->cell->id) < 0)
            worker_kill(w, STOLEN, "%s", err_last());
    }
}

/* ---- the end that a signal, or a full disk, brings ---- */

static void end_workers(struct pool *p)
{
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i].pid)
            worker_kill(&p->worker[i], LOST, "was ended");
}

/* Asks them to save; those that have nothing to save are ended. */
static void ask_workers(struct pool *p)
{
    double longest = 0;
    int saving = 0;
    char time[32];

    for (int i = 0; i < p->workers; i++) {
        struct worker *w = &p->worker[i];

        if (!w->pid)
            continue;
        w->grant = guard_grants(w);
        if (w->grant <= 0) {
            worker_kill(w, LOST, "was ended");
            continue;
        }
        kill(w->pid, SIGTERM);
        longest = fmax(longest, guard_expects(w));
        saving++;
    }
    if (caught && saving)
        say_clear(p, "signal %d: %d cell%s end%s a step and save%s, about %s; "
                  "the same signal again ends at once and loses what was not "
                  "saved", (int)caught, saving, saving == 1 ? "" : "s",
                  saving == 1 ? "s" : "", saving == 1 ? "s" : "",
                  str_duration(fmax(longest, 1), time));
}

static void check_end(struct pool *p)
{
    if (!ending(p))
        return;
    if (!p->ended) {
        p->ended = p->guard.clock;
        p->heard = signals;
        ask_workers(p);
    } else if (signals != p->heard) {
        p->heard = signals;
        if (p->guard.clock - p->ended > AGAIN)
            end_workers(p);
    }
    for (int i = 0; i < p->workers; i++) {
        struct worker *w = &p->worker[i];

        if (w->pid && p->guard.clock - p->ended > w->grant)
            worker_kill(w, LOST, "did not save in %.0f s", w->grant);
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
    for (int i = 0; i < n; i++) {
        struct worker *w = &p->worker[who[i]];
        int over = fd[i].revents && worker_read(w);
        char text[160];

        if (*w->remark)
            say_clear(p, "%s: %s", label(w->cell, text), w->remark);
        *w->remark = 0;
        if (over)
            finish(p, w);
    }
    return n;
}

static void work(struct pool *p)
{
    for (;;) {
        for (int i = 0; i < p->workers; i++)
            start(p, &p->worker[i]);
        check_end(p);
        if (attend(p) == 0)
            break;
        guard_tick(&p->guard);
        beat(p);
        draw(p, clock_seconds());
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

static void draw_now(void *pool)
{
    struct pool *p = pool;

    guard_tick(&p->guard);
    draw(p, clock_seconds());
}

/* Cells whose data cannot be had are left out, unless there are no others. */
static int prepare(struct pool *p, struct arena *a)
{
    struct datasets d = {.plan = p->plan, .o = p->o, .worker = p->worker,
                         .workers = p->workers, .stop = &caught,
                         .draw = draw_now, .arg = p};

    PASS(store_sweep(p->store));
    PASS(datasets_open(&d, &p->queue, a));
    for (int i = 0; i < d.n && !caught; i++) {
        if (d.of[i].rc == OK)
            continue;
        leave_out(p, d.of[i].cell);
        if (!p->queue.n && !p->r->before)
            return err_set(d.of[i].rc, "%s", d.of[i].message);
        say_clear(p, "%s is left out: %s", d.of[i].cell->config.task,
                  d.of[i].message);
    }
    return OK;
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
             const struct pool_options *o)
{
    struct sigaction act = {.sa_handler = on_signal};
    OWNED(arena_free) struct arena *a = arena_new();
    struct pool_options own = *o; /* with as many jobs as it comes to */
    struct pool p = {.plan = plan, .store = s, .o = &own, .r = out,
                     .began = clock_seconds()};
    int damaged, rc;

    p.workers = own.jobs = o->jobs ? o->jobs : default_jobs(plan);
    own.files = o->files ? o->files : o->cache;
    *out = (struct pool_result){0};
    p.worker = arena_zero(a, (size_t)p.workers * sizeof *p.worker);
    sigaction(SIGINT, &act, NULL); /* without SA_RESTART: poll returns */
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    signal(SIGPIPE, SIG_IGN); /* nobody reads what we say: go on */
    p.guard = (struct guard){.worker = p.worker, .workers = p.workers,
                             .timeout = o->timeout, .stall = o->stall,
                             .clock = 1};
    queue_open(&p.queue, plan, out, a);
    p.total = out->before + out->blocked + p.queue.n;
    damaged = out->damaged; /* more may show on the way */
    bar_open(&p.bar);
    rc = rerun_open(plan);
    if (rc == OK)
        rc = prepare(&p, a);
    if (rc == ERR_STOPPED && caught) { /* while it waited for a lock */
        say_clear(&p, "%s", err_last());
        rc = OK;
    }
    p.beat = clock_seconds();
    if (rc == OK && !caught) {
        work(&p);
        leave(&p);
        retry_busy(&p);
    }
    bar_clear(&p.bar);
    out->signal = caught;
    out->left = p.total - out->before - out->trained - out->failed -
                out->saved - out->lost - out->busy - out->blocked -
                out->lacking - (out->damaged - damaged);
    if (!out->saved)
        rerun_close(plan, s);
    if (rc == OK && p.fatal < 0)
        rc = err_set(p.fatal, "%s", p.message);
    return rc;
}
