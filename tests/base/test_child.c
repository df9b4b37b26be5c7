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

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a child inherits the environment, but not git's control",
         environment_is_inherited, NULL, NULL, NULL},
        {"the error of a child that fails has the end of its stderr",
         failure_is_explained, NULL, NULL, NULL}};

    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
