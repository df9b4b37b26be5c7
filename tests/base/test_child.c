/* A child process: its environment, its output, and its error. */
#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/owned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void environment_is_inherited(void **state)
{
    static const char *const argv[] = {
        "sh", "-c", "echo $CC $GIT_DIR $GIT_CONFIG_GLOBAL", NULL};
    OWNED(free) char *said = NULL;

    (void)state;
    setenv("CC", "mycc", 1);
    setenv("GIT_DIR", "/nonexistent", 1); /* as in a git hook  */
    setenv("GIT_CONFIG_GLOBAL", "/x", 1);
    int rc = child_output(&said, argv);
    unsetenv("CC");
    unsetenv("GIT_DIR");
    unsetenv("GIT_CONFIG_GLOBAL");
    assert_int_equal(rc, OK);
    assert_string_equal(said, "mycc /x\n");
}

static void failure_is_explained(void **state)
{
    static const char *const argv[] = {
        "sh", "-c", "echo out; echo why >&2; exit 3", NULL};
    OWNED(free) char *said = NULL;

    (void)state;
    assert_int_equal(child_output(&said, argv), 3);
    assert_non_null(strstr(err_last(), "exit 3: exit status 3: why"));
    assert_string_equal(said, "out\n");
}

/* A command, and the end of the message. */
static const struct { const char *command; int rc; const char *says; } bad[] = {
    {"exit 7", 7, ": exit status 7"},
    {"echo '  ' >&2; exit 8", 8, ": exit status 8"},
    {"echo why >&2; kill -TERM $$", ERR_IO, ": killed by signal 15: why"},
    {"printf %0500d.end 7 >&2; exit 9", 9, "0000000000000000000007.end"}};

static void ends_of_messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const argv[] = {"sh", "-c", bad[i].command, NULL};
        OWNED(free) char *said = NULL;

        assert_int_equal(child_output(&said, argv), bad[i].rc);
        size_t all = strlen(err_last()), end = strlen(bad[i].says);
        assert_true(all < 500 && end <= all);
        assert_string_equal(err_last() + all - end, bad[i].says);
    }
}

/* The process may open `more` files beyond those that are open. */
static int with_few_files(int more, int (*run)(char **said,
                                              const char *const argv[]))
{
    static const char *const argv[] = {"true", NULL};
    int status, first = dup(0);
    char *said = (char *)argv;

    close(first);
    pid_t child = fork();
    if (!child) {
        struct rlimit few = {(rlim_t)(first + more), (rlim_t)(first + more)};

        setrlimit(RLIMIT_NOFILE, &few);
        int rc = run(&said, argv);
        _exit(rc != ERR_IO || said || !strstr(err_last(), "a temporary file"));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void too_few_files(void **state)
{
    (void)state;
    assert_int_equal(with_few_files(0, child_run), 0);
    assert_int_equal(with_few_files(0, child_output), 0);
    assert_int_equal(with_few_files(1, child_output), 0);
}

static void outcomes_of_runs(void **state)
{
    static const char *const good[] = {"sh", "-c", "echo a; echo b >&2", NULL};
    static const char *const killed[] = {"sh", "-c", "echo c; kill $$", NULL};
    static const char *const none[] = {"/nonexistent/program", NULL};
    char *said;

    (void)state;
    assert_int_equal(child_run(&said, good), OK);
    assert_string_equal(said, "a\nb\n");
    free(said);
    assert_int_equal(child_run(&said, killed), ERR_DATA);
    assert_string_equal(said, "c\n");
    assert_non_null(strstr(err_last(), "sh: ended by signal 15"));
    free(said);
    assert_int_equal(child_run(&said, none), ERR_DATA);
    assert_null(said);
    assert_int_equal(child_output(&said, none), ERR_IO);
    assert_null(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a child inherits the environment, but not git's control",
         environment_is_inherited, NULL, NULL, NULL},
        {"the error of a child that fails has the end of its stderr",
         failure_is_explained, NULL, NULL, NULL},
        {"a message ends with the end of stderr, if there is one",
         ends_of_messages, NULL, NULL, NULL},
        {"a process that may open no more files says so", too_few_files, NULL,
         NULL, NULL},
        {"the end of a program, or its lack, is reported",
         outcomes_of_runs, NULL, NULL, NULL}};

    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
