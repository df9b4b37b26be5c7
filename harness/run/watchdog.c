#include "harness/run/watchdog.h"

#include "harness/base/clock.h"
#include "harness/base/file.h"
#include "harness/base/machine.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GAP 2.0         /* seconds between ticks; if more, this process was
                           suspended                                        */
#define LEAST 4.0       /* minimum seconds that a worker is given to save   */
#define SILENCE 600.0   /* maximum seconds without a note in training       */
#define PATIENCE 3600.0 /* likewise, while a worker reads data or scores    */
#define DISK 50e6       /* bytes per second of a slow disk                  */
#define MB 1e6
#define GIB 1073741824.0

/* ---- usage of a process ---- */

struct usage { char state; double rss; };

static struct usage usage_of(pid_t pid)
{
    OWNED(free) char *state = str_format("/proc/%ld/stat", (long)pid);
    OWNED(free) char *pages_of = str_format("/proc/%ld/statm", (long)pid);
    OWNED(fclose) FILE *f = fopen(state, "r");
    OWNED(fclose) FILE *m = fopen(pages_of, "r");
    struct usage u = {'?', 0};
    double pages;

    /* A worker has the name of this program, which has no parenthesis. */
    if (f && fscanf(f, "%*d (%*[^)]) %c", &u.state) != 1)
        u.state = '?';
    if (m && fscanf(m, "%*s %lf", &pages) == 1)
        u.rss = pages * (double)sysconf(_SC_PAGESIZE);
    return u;
}

/* ---- time ---- */

static int prepares(const struct worker *w)
{
    return !strcmp(w->last.phase, "start") || !strcmp(w->last.phase, "data");
}

static int loops(const struct worker *w)
{
    return names_index(NAMES("train", "valid", "test", "decode"),
                       w->last.phase) >= 0;
}

/* Returns the longest time in seconds between two checks for a stop request:
 * the measured time or, if nothing was measured yet, the estimated time of a
 * step. */
static double pace(const struct worker *w)
{
    const struct cell *c = w->cell;
    double planned = c->config.steps ? c->seconds / c->config.steps : 0;

    return w->last.gap > 0 ? w->last.gap : planned;
}

static double saving(const struct worker *w)
{
    return (w->cell->cost.part.weights + w->cell->cost.part.optimizer) / DISK;
}

double watchdog_expects(const struct worker *w)
{
    return prepares(w) ? 0 : fmax(pace(w), w->quiet) + saving(w);
}

double watchdog_grants(const struct worker *w)
{
    /* Until the first step ends, the pace is not known. */
    double least = w->last.gap > 0 ? LEAST : SILENCE;

    if (prepares(w))
        return 0;
    return fmax(least, 3 * fmax(pace(w), w->quiet)) + saving(w);
}

static void check_time(const struct watchdog *g, struct worker *w)
{
    double limit = w->cell->config.limit_seconds, wait = g->stall;

    if (w->job == WORKER_TRAIN && g->timeout > 0 && w->ran > g->timeout)
        worker_kill(w, "timeout", "took longer than --timeout %g s",
                    g->timeout);
    if (w->job == WORKER_TRAIN && limit > 0 && w->ran > limit)
        worker_kill(w, "timeout", "took longer than limit.seconds (%g s)",
                    limit);
    if (wait < 0)
        wait = loops(w) ? fmax(SILENCE, 20 * pace(w)) : PATIENCE;
    if (wait > 0 && w->quiet > wait)
        worker_kill(w, "stalled", "no progress for %g s in phase '%s'%s; use "
                    "--stall SECONDS to wait longer, 0 for no limit", wait,
                    w->last.phase,
                    w->state == 'T' ? " (its process is suspended)" : "");
}

/* ---- memory ---- */

int watchdog_blames(double rss, double planned, double available, double total)
{
    return available < total / 20 && rss > fmax(2 * planned, planned + GIB);
}

static void check_limit(struct worker *w)
{
    double limit = w->cell->config.limit_memory_mb;

    if (w->job == WORKER_TRAIN && limit > 0 && w->rss > limit * MB)
        worker_kill(w, "oom", "used %.0f MB of memory, more than "
                    "limit.memory_mb (%.0f)", w->rss / MB, limit);
}

/* If memory is nearly exhausted, kills the worker that exceeds its estimate
 * most, one at a time, before the kernel's OOM killer picks any process. */
static void check_shortage(struct watchdog *g)
{
    struct worker *worst = NULL;
    struct machine_memory m = machine_memory();
    double most = 0;

    EACH_AT_WORK(w, g) {
        double planned = w->cell->cost.bytes;

        if (w->killed)
            return; /* wait until its memory is released */
        if (watchdog_blames(w->rss, planned, m.available, m.total) &&
            w->rss - planned > most) {
            most = w->rss - planned;
            worst = w;
        }
    }
    if (worst)
        worker_kill(worst, "oom", "used %.0f MB of memory instead of the "
                    "estimated %.0f, when only %.0f of %.0f MB were left",
                    worst->rss / MB, worst->cell->cost.bytes / MB,
                    m.available / MB, m.total / MB);
}

/* Returns the seconds that the worker has run since the last count.  If more
 * than GAP seconds have passed, this process was suspended, and only one tick
 * is counted. */
static double count(struct worker *w, double now)
{
    double gone = w->counted > 0 ? now - w->counted : 0;

    w->counted = now;
    return w->state == 'T' ? 0 : gone > GAP ? TICK_MS / 1000.0 : gone;
}

void watchdog_end(struct worker *w) { w->ran += count(w, clock_seconds()); }

void watchdog_tick(struct watchdog *g)
{
    double now = clock_seconds(), gone = g->looked > 0 ? now - g->looked : 0;

    if (gone < TICK_MS / 2000.0 && g->looked > 0)
        return;
    g->looked = now;
    if (gone > GAP)
        gone = TICK_MS / 1000.0;
    g->clock += gone;
    EACH_AT_WORK(w, g) {
        struct usage u = usage_of(w->pid);
        w->state = u.state;
        w->rss = u.rss;
        w->quiet += gone;
        w->ran += count(w, now);
        check_time(g, w);
        check_limit(w);
    }
    check_shortage(g);
}
