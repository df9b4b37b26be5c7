/* A child process: its environment, its log, and what a signal does to it. */
#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *dir;

static int setup(void **state)
{
    (void)state;
    dir = scratch_make();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static void environment_is_inherited(void **state)
{
    static const char *const argv[] = {
        "sh", "-c", "echo $CC $GIT_DIR $MAKEFLAGS $GIT_CONFIG_GLOBAL", NULL};
    OWNED(free) char *said = NULL;

    (void)state;
    setenv("CC", "mycc", 1);
    setenv("GIT_DIR", "/nonexistent", 1); /* as in a git hook  */
    setenv("MAKEFLAGS", "n", 1);          /* as under make -n  */
    setenv("GIT_CONFIG_GLOBAL", "/x", 1);
    int rc = child_work(&said, NULL, argv);
    unsetenv("CC");
    unsetenv("GIT_DIR");
    unsetenv("MAKEFLAGS");
    unsetenv("GIT_CONFIG_GLOBAL");
    assert_int_equal(rc, OK);
    assert_string_equal(said, "mycc /x\n");
}

static void failure_is_logged(void **state)
{
    static const char *const argv[] = {"sh", "-c", "echo why; exit 3", NULL};
    OWNED(free) char *log = str_format("%s/log", dir), *text = NULL;
    size_t n;

    (void)state;
    assert_int_equal(child_work(NULL, log, argv), 3);
    assert_non_null(strstr(err_last(), "exit status 3; see "));
    assert_non_null(strstr(err_last(), log));
    assert_int_equal(file_read(&text, &n, log), OK);
    assert_non_null(strstr(text, "\nwhy\n"));
}

/* Returns 1 if the process has ended or is a zombie. */
static int has_ended(const char *pid)
{
    OWNED(free) char *path = str_format("/proc/%d/stat", atoi(pid));
    OWNED(free) char *text = NULL;
    size_t n;

    return file_read(&text, &n, path) < 0 || strstr(text, ") Z ");
}

static void a_signal_ends_it_all(void **state)
{
    OWNED(free) char *path = str_format("%s/pid", dir), *pid = NULL;
    const char *const argv[] = {"sh", "-c", "sleep 60 & echo $! >$1; wait",
                                "sh", path, NULL};
    size_t n;

    (void)state;
    signals_catch();
    pid_t killer = fork();
    if (killer == 0) {
        while (!file_exists(path))
            usleep(1000);
        usleep(50 * 1000);
        kill(getppid(), SIGTERM);
        _exit(0);
    }
    assert_int_equal(child_work(NULL, NULL, argv), ERR_STOPPED);
    assert_int_equal(signals_caught(), SIGTERM);
    assert_int_equal(file_read(&pid, &n, path), OK);
    for (int i = 0; i < 100 && !has_ended(pid); i++)
        usleep(10 * 1000);
    assert_true(has_ended(pid));
    waitpid(killer, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a child inherits the environment, but not git's and make's control",
         environment_is_inherited, NULL, NULL, NULL},
        {"the log of a child that fails has its output, and is named",
         failure_is_logged, NULL, NULL, NULL},
        {"a signal ends a child and what it started", a_signal_ends_it_all,
         NULL, NULL, NULL}};

    return cmocka_run_group_tests_name("child", tests, setup, teardown);
}
