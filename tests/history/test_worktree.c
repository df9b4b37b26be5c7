/* A worktree of another commit: it is built, kept or removed, and no file of
 * the user is touched. */
#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "harness/history/worktree.h"
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
#include <sys/wait.h>
#include <unistd.h>

static char *dir;

/* Runs a shell script in the repository; returns its output. */
static char *sh(const char *script)
{
    OWNED(free) char *all = str_format(
        "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
        "GIT_COMMITTER_EMAIL=a@b; unset GIT_DIR; set -e; cd '%s'; %s", dir,
        script);
    const char *const argv[] = {"sh", "-c", all, NULL};
    char *said;
    int rc = child_run(&said, argv);

    if (rc)
        fail_msg("%s: %s", err_last(), said ? said : "");
    return said;
}

static void expect_said(const char *script, const char *said)
{
    OWNED(free) char *is = sh(script);

    assert_string_equal(is, said);
}

/* Makes four commits: two that build, one that does not build, and one that
 * takes long. */
static int setup(void **state)
{
    (void)state;
    dir = scratch_make();
    free(sh("git init -q -b main . && mkdir hooks\n"
            "echo build > .gitignore\n"
            "printf 'MODE ?= release\\nall: build/$(MODE)/synthbench\\n"
            "build/$(MODE)/synthbench: source; mkdir -p $(@D) && "
            "{ cat source; echo \"# $(CC)\"; } >$@ && chmod +x $@ && "
            "echo made >>build/made\\n' >Makefile\n"
            "commit() { git add -A; git commit -q -m $1; git tag $1; }\n"
            "printf '#!/bin/sh\\necho one\\n' >source; commit one\n"
            "printf '#!/bin/sh\\necho two\\n' >source; commit two\n"
            "printf 'all:\\n\\t@echo no rule for it; exit 3\\n' >Makefile\n"
            "commit broken\n"
            "printf 'all:\\n\\tsleep 60 & echo $$! >../pid; wait\\n' "
            ">Makefile\n"
            "commit slow\n"
            "git config core.hooksPath $PWD/hooks\n"
            "echo \"#!/bin/sh\ntouch $PWD/hooked\" >hooks/post-checkout\n"
            "chmod +x hooks/post-checkout; echo mine >source\n"));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static void expect_untouched(int worktrees)
{
    OWNED(free) char *n = str_format("%d\n", worktrees);

    expect_said("git status --porcelain; git describe --tags; cat source; "
                "ls hooked 2>/dev/null || :",
                " M source\n?? hooks/\nslow\nmine\n");
    expect_said("git worktree list | wc -l", n);
}

static void expect_program(const struct worktree *w, const char *says)
{
    const char *const argv[] = {w->program, NULL};
    OWNED(free) char *said = NULL;

    assert_int_equal(child_run(&said, argv), OK);
    assert_string_equal(said, says);
}

static void is_gone_when_closed(void **state)
{
    OWNED(worktree_close) struct worktree w = {0};
    OWNED(free) char *own = NULL;

    (void)state;
    assert_int_equal(worktree_open(&w, dir, "two", NULL), OK);
    assert_int_equal(worktree_build(&w), OK);
    expect_program(&w, "two\n");
    own = str_copy(w.own);
    assert_true(file_exists(own));
    expect_untouched(2);
    worktree_close(&w);
    assert_false(file_exists(own));
    expect_untouched(1);
}

/* A kept worktree is not built again if it is unchanged. It is built again if
 * it was edited or removed. */
static void kept_ones_are_built_once(void **state)
{
    static const char *const todo[] = {":", "echo echo three >>source",
                                       "rm -rf \"$PWD\"", ":"};
    static const char *const made[] = {"made\n", "made\n", "made\nmade\n",
                                       "made\n"};
    OWNED(free) char *keep = str_format("%s/build/kept", dir);

    (void)state;
    for (int i = 0; i < 4; i++) {
        OWNED(worktree_close) struct worktree w = {0};
        OWNED(free) char *count = NULL, *change = NULL;

        assert_int_equal(worktree_open(&w, dir, "one", keep), OK);
        assert_int_equal(worktree_build(&w), OK);
        expect_program(&w, "one\n");
        count = str_format("cat '%s/build/made'", w.folder);
        expect_said(count, made[i]);
        change = str_format("sleep 0.02; cd '%s' && %s", w.folder, todo[i]);
        free(sh(change));
    }
    expect_untouched(2);
    free(sh("git worktree remove --force build/kept/*[0-9a-f]"));
}

static void environment_of_make_holds(void **state)
{
    OWNED(worktree_close) struct worktree w = {0};
    OWNED(free) char *text = NULL;
    size_t n;

    (void)state;
    setenv("MODE", "debug", 1);
    setenv("CC", "mycc", 1);
    setenv("GIT_DIR", "/nonexistent", 1); /* as in a git hook */
    setenv("MAKEFLAGS", "n", 1);          /* as under make -n    */
    int rc = worktree_open(&w, dir, "one", NULL);
    rc = rc ? rc : worktree_build(&w);
    unsetenv("MODE");
    unsetenv("CC");
    unsetenv("GIT_DIR");
    unsetenv("MAKEFLAGS");
    assert_int_equal(rc, OK);
    assert_true(str_ends(w.program, "/build/debug/synthbench"));
    assert_int_equal(file_read(&text, &n, w.program), OK);
    assert_non_null(strstr(text, "# mycc\n"));
}

static void what_does_not_build_is_named(void **state)
{
    OWNED(worktree_close) struct worktree w = {0};
    OWNED(free) char *log = NULL, *own = NULL, *text = NULL;
    size_t n;

    (void)state;
    assert_int_equal(worktree_open(&w, dir, "broken", NULL), OK);
    assert_int_equal(worktree_build(&w), ERR_EMPTY);
    assert_non_null(strstr(err_last(), "does not build: make -C "));
    assert_non_null(strstr(err_last(), w.log));
    log = str_copy(w.log);
    own = str_copy(w.own);
    worktree_close(&w);
    assert_int_equal(file_read(&text, &n, log), OK);
    assert_non_null(strstr(text, "no rule for it\n"));
    scratch_remove(str_copy(own));
    expect_untouched(1);
}

static void no_repository_or_commit_is_told(void **state)
{
    static const char *const wrong[] = {"three", "", "--all", "one two",
                                        "HEAD:source", "'; touch evil; '"};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        OWNED(worktree_close) struct worktree w = {0};

        assert_int_equal(worktree_open(&w, dir, wrong[i], NULL), ERR_USAGE);
        assert_non_null(strstr(err_last(), "is not a commit of "));
    }
    OWNED(worktree_close) struct worktree w = {0};
    assert_int_equal(worktree_open(&w, "/", "one", NULL), ERR_USAGE);
    assert_non_null(strstr(err_last(), "not a git repository"));
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
    OWNED(worktree_close) struct worktree w = {0};
    OWNED(free) char *pid = NULL, *own = NULL;
    size_t n;

    (void)state;
    assert_int_equal(worktree_open(&w, dir, "slow", NULL), OK);
    own = str_format("%s/pid", w.own);
    pid_t killer = fork();
    if (killer == 0) {
        while (!file_exists(own))
            usleep(1000);
        usleep(50 * 1000);
        kill(getppid(), SIGTERM);
        _exit(0);
    }
    assert_int_equal(worktree_build(&w), ERR_STOPPED);
    assert_int_equal(signals_caught(), SIGTERM);
    assert_int_equal(file_read(&pid, &n, own), OK);
    for (int i = 0; i < 100 && !has_ended(pid); i++)
        usleep(10 * 1000);
    assert_true(has_ended(pid));
    waitpid(killer, NULL, 0);
    worktree_close(&w);
    expect_untouched(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"one that is not kept is gone when it is closed", is_gone_when_closed,
         NULL, NULL, NULL},
        {"a kept one is built once, and checked out again where it was edited "
         "or removed", kept_ones_are_built_once, NULL, NULL, NULL},
        {"MODE and CC of the environment hold, git's and make's own do not",
         environment_of_make_holds, NULL, NULL, NULL},
        {"a commit that does not build is named, with the command and the log",
         what_does_not_build_is_named, NULL, NULL, NULL},
        {"no repository, no commit: told", no_repository_or_commit_is_told,
         NULL, NULL, NULL},
        {"a signal ends what was started, and leaves nothing",
         a_signal_ends_it_all, NULL, NULL, NULL}};

    return cmocka_run_group_tests_name("worktree", tests, setup, teardown);
}
