#include "harness/base/child.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Runs `argv` with the environment `env`, with stdin from /dev/null, and with
 * the descriptors `out` and `err` as stdout and stderr.  Sets *status as
 * waitpid does.  Returns ERR_DATA if the program cannot be started. */
static int run(int *status, const char *const argv[], int out, int err,
               char **env)
{
    posix_spawn_file_actions_t todo;
    int cause;
    pid_t pid;

    posix_spawn_file_actions_init(&todo);
    posix_spawn_file_actions_addopen(&todo, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&todo, out, 1);
    posix_spawn_file_actions_adddup2(&todo, err, 2);
    /* posix_spawnp does not modify argv, whose type lacks const for historical
     * reasons. */
    cause = posix_spawnp(&pid, argv[0], &todo, NULL, (char *const *)argv, env);
    posix_spawn_file_actions_destroy(&todo);
    errno = cause;
    if (cause)
        return err_errno(ERR_DATA, "%s", argv[0]);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return OK;
}

/* Returns the contents of a temporary file, whose reading nothing
 * interrupts. */
static char *from_start(int fd)
{
    struct text all = {0};
    char block[4096];
    ssize_t got;

    text_clear(&all);
    lseek(fd, 0, SEEK_SET);
    while ((got = read(fd, block, sizeof block)) > 0)
        text_add(&all, block, (size_t)got);
    return all.s;
}

int child_run(char **printed, const char *const argv[])
{
    OWNED(fclose) FILE *all = tmpfile();
    int status = 0;

    *printed = NULL;
    if (!all)
        return err_errno(ERR_IO, "a temporary file");
    PASS(run(&status, argv, fileno(all), fileno(all), environ));
    *printed = from_start(fileno(all));
    if (WIFSIGNALED(status))
        return err_set(ERR_DATA, "%s: ended by signal %d", argv[0],
                       WTERMSIG(status));
    return WEXITSTATUS(status) ? err_set(ERR_DATA, "%s: exit status %d",
                                         argv[0], WEXITSTATUS(status))
                               : OK;
}

/* ---- commands whose output is parsed ---- */

/* Returns 1 for an environment entry by which git controls its children: a
 * variable that `git rev-parse --local-env-vars` lists, except those with its
 * configuration, which the command should inherit. */
static int steers(const char *variable)
{
    static const char *const front[] = {
        "GIT_DIR=", "GIT_WORK_TREE=", "GIT_IMPLICIT_WORK_TREE=",
        "GIT_INDEX_FILE=", "GIT_OBJECT_DIRECTORY=", "GIT_COMMON_DIR=",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES=", "GIT_PREFIX=", "GIT_GRAFT_FILE=",
        "GIT_NAMESPACE=", "GIT_CEILING_DIRECTORIES="};

    for (size_t i = 0; i < sizeof front / sizeof *front; i++)
        if (!strncmp(variable, front[i], strlen(front[i])))
            return 1;
    return 0;
}

/* Returns the environment without the entries for which `steers` returns 1; the
 * caller frees the list. */
static char **own_environment(void)
{
    char **own = NULL;
    size_t n = 0, room = 0;

    for (char **e = environ; *e; e++) {
        ARRAY_ROOM(own, n, room);
        if (!steers(*e))
            own[n++] = *e;
    }
    ARRAY_ROOM(own, n, room);
    own[n] = NULL;
    return own;
}

/* Sets the error message of a command that failed.  `why` is the file with its
 * stderr.  Returns the exit status, or ERR_IO if a signal ended the command. */
static int failed(const char *const argv[], int status, int why)
{
    enum { SHOWN = 400 };
    OWNED(text_free) struct text t = {0};
    OWNED(free) char *printed = from_start(why);
    size_t n = text_rstrip(printed, strlen(printed));

    printed[n] = 0;
    for (int i = 0; argv[i]; i++)
        text_format(&t, "%s%s", i ? " " : "", argv[i]);
    if (WIFSIGNALED(status))
        text_format(&t, ": killed by signal %d", WTERMSIG(status));
    else
        text_format(&t, ": exit status %d", WEXITSTATUS(status));
    if (n)
        text_format(&t, ": %s", printed + (n > SHOWN ? n - SHOWN : 0));
    err_set(ERR_IO, "%s", t.s);
    return WIFSIGNALED(status) ? ERR_IO : WEXITSTATUS(status);
}

int child_output(char **out, const char *const argv[])
{
    OWNED(fclose) FILE *printed = tmpfile();
    OWNED(fclose) FILE *why = tmpfile();
    OWNED(free) char **env = own_environment();
    int status = 0;

    *out = NULL;
    if (!printed || !why)
        return err_errno(ERR_IO, "a temporary file");
    if (run(&status, argv, fileno(printed), fileno(why), env) < 0)
        return err_wrap(ERR_IO, "cannot start a command");
    *out = from_start(fileno(printed));
    return status ? failed(argv, status, fileno(why)) : OK;
}
