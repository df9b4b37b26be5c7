#include "harness/base/clock.h"

#include "harness/base/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static double read_clock(clockid_t which)
{
    struct timespec t;

    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_seconds(void) { return read_clock(CLOCK_MONOTONIC); }

double clock_cpu_seconds(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

const char *clock_iso(char out[32])
{
    time_t now = time(NULL);
    struct tm tm;

    gmtime_r(&now, &tm);
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return out;
}

static atomic_uint stops; /* number of times that the process was resumed */

/* Runs in the thread for signals (signals.h). */
static void on_continue(int number)
{
    (void)number;
    atomic_fetch_add(&stops, 1);
}

void clock_watch_stops(void)
{
    struct sigaction act = {.sa_handler = on_continue,
                            .sa_flags = SA_RESTART};

    signals_aside();
    sigaction(SIGCONT, &act, NULL);
}

struct lap clock_lap(void)
{
    return (struct lap){clock_seconds(), clock_cpu_seconds(),
                        atomic_load(&stops)};
}

void clock_lap_end(struct lap *l)
{
    l->wall = clock_seconds() - l->wall;
    l->cpu = clock_cpu_seconds() - l->cpu;
    l->stopped = l->stopped != atomic_load(&stops);
}
