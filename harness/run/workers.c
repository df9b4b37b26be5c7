#include "harness/run/workers.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"

#include <math.h>
#include <poll.h>
#include <signal.h>

#define HEARTBEAT 10.0 /* seconds; other hosts find a lease stale after 120 */
#define AGAIN 1.0      /* seconds in which a second signal is ignored as a
                          repetition of the first                           */

const char workers_lost[] = "lost", workers_stolen[] = "stolen";

void workers_open(struct workers *c, int workers, const struct pool_options *o,
                  struct store *s, struct arena *a)
{
    struct worker *w = arena_zero(a, (size_t)workers * sizeof *w);

    *c = (struct workers){.worker = w, .workers = workers, .store = s,
                       .guard = {.worker = w, .workers = workers,
                                 .timeout = o->timeout, .stall = o->stall,
                                 .clock = 1}};
    signals_catch();
    progress_open(&c->bar);
}

int workers_attend(struct workers *c, int (*over)(void *arg, struct worker *w),
                   void *arg)
{
    struct pollfd fd[WORKERS_MAX];
    struct worker *who[WORKERS_MAX];
    int n = 0;

    EACH_AT_WORK(w, c) {
        fd[n] = (struct pollfd){.fd = w->pipe, .events = POLLIN};
        who[n++] = w;
    }
    if (n == 0 || poll(fd, (nfds_t)n, TICK_MS) <= 0)
        return n;
    for (int i = 0; i < n; i++) {
        struct worker *w = who[i];
        int ended = fd[i].revents && worker_read(w);

        if (*w->remark)
            crew_say(c, CELL_NAME ": %s", CELL_NAMED(w->cell), w->remark);
        *w->remark = 0;
        if (ended)
            PASS(over(arg, w));
    }
    return n;
}

void workers_watch(struct workers *c)
{
    double now = clock_seconds();

    watchdog_tick(&c->guard);
    if (now - c->beat < HEARTBEAT)
        return;
    c->beat = now;
    EACH_AT_WORK(w, c)
        if (store_heartbeat(c->store, w->cell->id) < 0)
            worker_kill(w, workers_stolen, "%s", err_last());
}

/* ---- the end ---- */

/* Requests the workers to save, and kills those that have nothing to save. */
static void ask(struct workers *c)
{
    double longest = 0;
    int saving = 0;
    char time[32];

    EACH_AT_WORK(w, c) {
        w->grant = watchdog_grants(w);
        if (w->grant <= 0) {
            worker_kill(w, workers_lost, "was ended");
            continue;
        }
        kill(w->pid, SIGTERM);
        longest = fmax(longest, watchdog_expects(w));
        saving++;
    }
    if (signals_caught() && saving)
        crew_say(c, "signal %d: waiting for %d cell%s to finish a step and "
                 "save, about %s; repeat the signal to end at once and lose "
                 "what is not saved", signals_caught(), saving,
                 saving == 1 ? "" : "s",
                 str_duration(fmax(longest, 1), time));
}

void workers_end(struct workers *c)
{
    int again = 0;

    if (!c->ended) {
        c->ended = c->guard.clock;
        c->heard = signals_count();
        ask(c);
    } else if (signals_count() != c->heard) {
        c->heard = signals_count();
        again = c->guard.clock - c->ended > AGAIN;
    }
    EACH_AT_WORK(w, c) {
        if (again)
            worker_kill(w, workers_lost, "was ended");
        if (c->guard.clock - c->ended > w->grant)
            worker_kill(w, workers_lost, "did not save within %.0f s",
                        w->grant);
    }
}
