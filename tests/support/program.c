#include "tests/support/program.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS = 12 };

int program_run(char **out, char **err, const char *const arg[])
{
    const char *program = getenv("SYNTHBENCH"), *argv[ARGS + 2];
    char *folder = scratch_make(), *to[2];
    int n = 0, status;

    argv[n++] = program ? program : "build/release/synthbench";
    while ((argv[n] = arg[n - 1]))
        n++;
    to[0] = str_format("%s/out", folder);
    to[1] = str_format("%s/err", folder);
    pid_t child = fork();
    if (!child) {
        if (freopen(to[0], "w", stdout) && freopen(to[1], "w", stderr))
            execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(file_read(out, NULL, to[0]), OK);
    assert_int_equal(file_read(err, NULL, to[1]), OK);
    scratch_remove(folder);
    free(to[0]);
    free(to[1]);
    return WEXITSTATUS(status);
}

int program_show(char **out, char **err, const char *task, const char *folder,
                 const char *split, int skipped)
{
    const char *const arg[] = {
        "data", "show", task, "--data-dir", folder, "--split", split, "--json",
        skipped ? "--skipped" : NULL, NULL};

    return program_run(out, err, arg);
}
