/* Time and memory of a worker, and when the watchdog must terminate it. */
#include "harness/base/clock.h"
#include "harness/run/watchdog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct cell cell;
static struct worker w;
static struct watchdog g;

static void nap(double seconds)
{
    struct timespec t = {(time_t)seconds,
                         (long)(1e9 * (seconds - (double)(time_t)seconds))};

    nanosleep(&t, NULL);
}

/* Starts a worker that pretends to be in the middle of training. */
static int begin(void **state)
{
    (void)state;
    cell = (struct cell){.config = {.steps = 10}};
    w = (struct worker){.cell = &cell, .job = WORKER_TRAIN,
                        .last = {.phase = "train", .gap = 0.1, .done = 3}};
    g = (struct watchdog){.worker = &w, .workers = 1, .stall = -1};
    w.pid = fork();
    if (w.pid == 0)
        for (;;)
            pause();
    return w.pid < 0;
}

static int end(void **state)
{
    (void)state;
    kill(w.pid, SIGKILL);
    waitpid(w.pid, NULL, 0);
    return 0;
}

static void watch_for(double seconds)
{
    for (double t = clock_seconds(); clock_seconds() - t < seconds; nap(0.05))
        watchdog_tick(&g);
}

static void stop(void)
{
    kill(w.pid, SIGSTOP);
    waitpid(w.pid, NULL, WUNTRACED);
}

static void stopped(void **state)
{
    (void)state;
    watch_for(0.5);
    double before = w.ran;
    assert_true(before > 0.2);
    stop();
    watchdog_tick(&g);
    before = w.ran;
    watch_for(0.5);
    assert_true(w.ran - before < 0.3); /* at most one tick */
    assert_true(w.quiet > 0.6);
    assert_int_equal(w.state, 'T');
    assert_null(w.killed);
    kill(w.pid, SIGCONT);
    watch_for(0.5);
    assert_true(w.ran > before + 0.2);
}

/* A long time between two ticks, as if this process had been stopped, is not
 * charged to the worker. */
static void stopped_ourselves(void **state)
{
    (void)state;
    watchdog_tick(&g);
    g.looked -= 2.3;
    w.counted -= 2.3;
    watchdog_tick(&g);
    assert_true(g.clock < 1 && w.ran < 1 && w.quiet < 1);
}

static void limits(void **state)
{
    (void)state;
    g.timeout = 1000;
    cell.config.limit_seconds = 2000;
    cell.config.limit_memory_mb = 1000000;
    w.ran = 990;
    g.looked -= 0.2;
    watchdog_tick(&g);
    assert_null(w.killed);
    w.ran = 1001;
    g.looked -= 0.2;
    watchdog_tick(&g);
    assert_string_equal(w.killed, "timeout");
    assert_non_null(strstr(w.why, "--timeout 1000 s"));
    w.killed = NULL;
    cell.config.limit_seconds = 950;
    g.timeout = 0;
    watchdog_tick(&g);
    g.looked -= 0.2;
    watchdog_tick(&g);
    assert_string_equal(w.killed, "timeout");
    assert_non_null(strstr(w.why, "limit.seconds (950 s)"));
    w.killed = NULL;
    cell.config.limit_seconds = 1010;
    g.looked -= 0.2;
    watchdog_tick(&g);
    assert_null(w.killed);
}

/* Reading data and scoring texts may take longer without a heartbeat than
 * training. */
static void silence(void **state)
{
    static const struct { const char *phase; double gap, quiet; int dead; }
        row[] = {{"train", 0.1, 590, 0}, {"train", 0.1, 610, 1},
                 {"train", 60, 1190, 0}, {"train", 60, 1210, 1},
                 {"decode", 0.1, 610, 1}, {"data", 0, 3000, 0},
                 {"data", 0, 3700, 1}, {"store", 0.1, 3000, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        strcpy(w.last.phase, row[i].phase);
        w.last.gap = row[i].gap;
        w.quiet = row[i].quiet;
        w.killed = NULL;
        g.looked = clock_seconds() - 0.2;
        watchdog_tick(&g);
        assert_int_equal(w.killed != NULL, row[i].dead);
        if (w.killed)
            assert_string_equal(w.killed, "stalled");
    }
    strcpy(w.last.phase, "train");
    g.stall = 50; /* as with --stall 50 */
    for (w.quiet = 40; w.quiet < 60; w.quiet += 15) {
        w.killed = NULL;
        g.looked = clock_seconds() - 0.2;
        watchdog_tick(&g);
        assert_int_equal(w.killed != NULL, w.quiet > 50);
    }
    w.killed = NULL;
    w.quiet = 1e6;
    g.stall = 0; /* no limit */
    g.looked = clock_seconds() - 0.2;
    watchdog_tick(&g);
    assert_null(w.killed);
}

static void memory(void **state)
{
    const double mb = 1e6, gb = 1e9;

    (void)state;
    cell.config.limit_memory_mb = 1;
    nap(0.2);
    watchdog_tick(&g);
    assert_true(w.rss > mb);
    assert_string_equal(w.killed, "oom");
    assert_non_null(strstr(w.why, "limit.memory_mb (1"));
    w.killed = NULL;
    cell.config.limit_memory_mb = (int)(w.rss / mb) + 1;
    nap(0.2);
    watchdog_tick(&g);
    assert_null(w.killed);
    assert_true(watchdog_blames(5 * gb, 2 * gb, 1 * gb, 32 * gb));
    /* enough memory */
    assert_false(watchdog_blames(5 * gb, 2 * gb, 2 * gb, 32 * gb));
    /* less than twice its estimate */
    assert_false(
        watchdog_blames(5 * gb, 3 * gb, 1 * gb, 32 * gb));
    /* less than 1 GiB beyond its estimate */
    assert_false(
        watchdog_blames(500 * mb, 50 * mb, 1 * gb, 32 * gb));
    assert_true(watchdog_blames(1.3 * gb, 50 * mb, 1 * gb, 32 * gb));
}

static void grants(void **state)
{
    (void)state;
    assert_true(watchdog_grants(&w) == 4); /* max(4, 3 x 0.1) */
    w.last.gap = 20;
    assert_true(watchdog_grants(&w) == 60); /* 3 x 20 */
    assert_true(watchdog_expects(&w) == 20);
    w.quiet = 30; /* the present silence is longer than `gap` */
    assert_true(watchdog_grants(&w) == 90); /* 3 x 30 */
    cell.cost.part.weights = 1e9; /* bytes to save, 50e6 per second */
    assert_true(watchdog_grants(&w) == 110); /* 3 x 30 + 1e9 / 50e6 */
    w.last.gap = w.quiet = 0; /* in the first step: at least 600 s */
    assert_true(watchdog_grants(&w) >= 600);
    strcpy(w.last.phase, "data");
    assert_true(watchdog_grants(&w) == 0 && watchdog_expects(&w) == 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"time in which a worker is stopped is not running time", stopped,
         begin, end, NULL},
        {"time in which the run is stopped counts for no worker",
         stopped_ourselves, begin, end, NULL},
        {"a worker that exceeds its time limit is ended", limits, begin, end,
         NULL},
        {"a worker that reports nothing for too long is ended", silence, begin,
         end, NULL},
        {"a worker is ended over its memory limit, or if memory is short",
         memory, begin, end, NULL},
        {"after a signal, a worker gets time for a few of its steps", grants,
         begin, end, NULL},
    };

    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
