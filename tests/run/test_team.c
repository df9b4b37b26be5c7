/* Rank 0 and the other ranks, which a process of the test plays: what is
 * compared, whose failure ends a cell, and which messages do not count. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/ranks/wire.h"
#include "harness/run/team.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 3 };

static struct seat seat[RANKS];
static struct team team;
static int other; /* the end of the other ranks */

static int begin(void **state)
{
    int ends[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    team = (struct team){.launch = {.n = RANKS, .orders = ends[0]},
                         .seat = seat};
    other = ends[1];
    return 0;
}

static int end(void **state)
{
    (void)state;
    close(team.launch.orders);
    close(other);
    return 0;
}

/* Sends an order from another rank. */
static void say_as(int rank, struct order *o)
{
    const struct team t = {.launch = {.me = rank, .n = RANKS,
                                      .orders = other}};

    team_send(&t, 0, o);
}

static int hear(struct order *o)
{
    const struct team t = {.launch = {.me = 1, .n = RANKS, .orders = other}};

    return team_receive(&t, o, 0);
}

/* ---- the facts of the ranks ---- */

static struct order hello(void)
{
    struct order o = {.kind = ORDER_HELLO};

    team_facts(&o);
    snprintf(o.host, sizeof o.host, "elsewhere");
    return o;
}

/* Plays the other ranks: rank 2 greets twice, and before rank 1 does. When rank
 * 0 asks what they see, rank 1 answers twice, and rank 2 answers `rc`. */
static void play(int rc)
{
    struct order o = hello(), heard, ready = {.kind = ORDER_READY};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    say_as(2, &ready);
    say_as(2, &o);
    say_as(2, &o);
    say_as(1, &o);
    while (!hear(&heard) || heard.kind != ORDER_LOOK)
        usleep(1000);
    say_as(1, &ready);
    say_as(1, &ready);
    ready.rc = rc;
    snprintf(ready.host, sizeof ready.host, "elsewhere");
    snprintf(ready.text, sizeof ready.text, "no such folder");
    say_as(2, &ready);
    _exit(0);
}

static void muster(void **state)
{
    OWNED(free) char *folder = scratch_make();
    struct cell cell = {.id = "0123456789abcdef"};
    struct plan plan = {.store = folder, .n = 1, .cell = &cell};

    (void)state;
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        struct order unread;

        if (child == 0)
            play(i ? ERR_IO : OK);
        int rc = team_muster(&team, &plan);
        waitpid(child, NULL, 0);
        assert_int_equal(rc, i ? ERR_IO : OK);
        assert_true(!i || strstr(err_last(),
                                 "rank 2 on elsewhere: no such folder"));
        assert_int_equal(rmdir(folder), 0); /* the file was removed */
        assert_int_equal(file_mkdirs(folder), OK);
        while (hear(&unread))
            ;
    }
    assert_int_equal(team.share, 0);
    assert_int_equal(rmdir(folder), 0);
}

static void other_facts(void **state)
{
    static const char *const fact[] = {"program", "instruction set", "products",
                                       "libraries", "build"};
    char nowhere[] = "/nowhere";
    struct plan plan = {.store = nowhere};
    struct order own = {0};

    (void)state;
    team_facts(&own);
    for (int i = 0; i < 5; i++) {
        struct order o = hello();
        OWNED(free) char *begins = str_format("%s\t", fact[i]), *says = NULL;
        char *at = strstr(o.text, begins) + strlen(begins);
        size_t n = strcspn(at, "\n");

        memmove(at + 1, at + n, strlen(at + n) + 1);
        *at = '?';
        say_as(1, &o);
        assert_int_equal(team_muster(&team, &plan), ERR_USAGE);
        says = str_format("%s: ? for rank 1 on elsewhere, but ", fact[i]);
        if (strncmp(err_last(), says, strlen(says)))
            fail_msg("'%s' does not begin '%s'", err_last(), says);
    }
    struct order o = hello();
    *strstr(o.text, "libraries\t") = 0; /* fewer facts */
    say_as(1, &o);
    assert_int_equal(team_muster(&team, &plan), ERR_USAGE);
    assert_non_null(strstr(err_last(), "libraries: none for rank 1"));
    o = hello();
    o.text[0] = 'P'; /* another fact */
    say_as(1, &o);
    assert_int_equal(team_muster(&team, &plan), ERR_USAGE);
}

/* ---- a cell ---- */

/* Starts cell 1 and a worker that waits. */
static void start(struct worker *w)
{
    static const struct cell cell = {.id = "0123456789abcdef"};
    struct order o;

    team.cell = 0;
    team.busy = 0;
    assert_int_equal(team_begin(&team, &cell), OK);
    for (int i = 1; i < RANKS; i++) {
        assert_int_equal(hear(&o), 1);
        assert_int_equal(o.kind, ORDER_TRAIN);
        assert_int_equal(o.cell, 1);
        assert_string_equal(o.id, cell.id);
    }
    *w = (struct worker){.job = WORKER_TRAIN, .pid = fork()};
    if (w->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
}

static void stop(struct worker *w)
{
    kill(w->pid, SIGKILL);
    waitpid(w->pid, NULL, 0);
}

static void failures(void **state)
{
    static const struct {
        struct order o;
        const char  *class; /* NULL: the worker goes on */
    } row[] = {
        {{.kind = ORDER_ENDED, .cell = 1, .rc = OK}, NULL},
        {{.kind = ORDER_ENDED, .cell = 1, .rc = ERR_STOPPED}, NULL},
        {{.kind = ORDER_ENDED, .cell = 0, .rc = ERR_IO}, NULL},
        {{.kind = ORDER_READY, .cell = 1, .rc = ERR_IO}, NULL},
        /* the worker reports it itself, and so will that of rank 0 */
        {{.kind = ORDER_ENDED, .cell = 1, .rc = ERR_DIVERGED, .word = 1,
          .class = "diverged"}, NULL},
        {{.kind = ORDER_ENDED, .cell = 1, .rc = ERR_IO, .class = "oom"}, "oom"},
        {{.kind = ORDER_ENDED, .cell = 1, .rc = ERR_IO, .class = "device"},
         "device"},
        {{.kind = ORDER_ENDED, .cell = 1, .rc = ERR_IO, .class = "of later"},
         "error"}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct order o = row[i].o, second = o;
        struct worker w;

        start(&w);
        snprintf(o.text, sizeof o.text, "why");
        snprintf(o.host, sizeof o.host, "elsewhere");
        say_as(2, &o);
        snprintf(second.class, sizeof second.class, "timeout");
        say_as(1, &second); /* the first failure counts */
        team_watch(&team, &w);
        if (!w.killed != !row[i].class ||
            (w.killed && (strcmp(w.killed, row[i].class) ||
                          strcmp(w.why, "rank 2 on elsewhere: why"))))
            fail_msg("%zu: %s: %s", i, w.killed ? w.killed : "-", w.why);
        stop(&w);
    }
    team_watch(NULL, NULL);
}

/* Some time after a rank reported it, the worker of rank 0 is ended, too. */
static void echo(void **state)
{
    struct order o = {.kind = ORDER_ENDED, .cell = 1, .rc = ERR_DIVERGED,
                      .word = 1, .class = "diverged"};
    struct worker w;

    (void)state;
    start(&w);
    say_as(1, &o);
    team_watch(&team, &w);
    assert_null(w.killed);
    team.lost_at -= 6;
    w.job = WORKER_DATA;
    team_watch(&team, &w);
    assert_null(w.killed);
    w.job = WORKER_TRAIN;
    team_watch(&team, &w);
    assert_string_equal(w.killed, "diverged");
    stop(&w);
}

/* A cell starts when the others have ended the one before. */
static void one_after_another(void **state)
{
    static const struct cell cell = {.id = "fedcba9876543210"};
    struct order o = {.kind = ORDER_ENDED, .cell = 1}, heard;
    struct worker w;

    (void)state;
    start(&w);
    stop(&w);
    team_stop(&team);
    team_stop(&team); /* told once */
    team_over(&team);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(hear(&heard), 1);
        assert_int_equal(heard.kind, i < 2 ? ORDER_STOP : ORDER_OVER);
    }
    assert_int_equal(hear(&heard), 0);
    say_as(1, &o);
    say_as(2, &o);
    assert_int_equal(team_begin(&team, &cell), OK);
    assert_int_equal(hear(&heard), 1);
    assert_string_equal(heard.id, cell.id);
    assert_int_equal(heard.cell, 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"all ranks answer before a run begins", muster, begin, end, NULL},
        {"a rank with another program or processor is refused", other_facts,
         begin, end, NULL},
        {"a failure on another rank ends the cell with its class", failures,
         begin, end, NULL},
        {"a failure that all ranks report is that of rank 0", echo, begin, end,
         NULL},
        {"ranks begin a cell when all have ended the one before",
         one_after_another, begin, end, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
