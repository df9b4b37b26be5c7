#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* POSIX_SPAWN_SETPGROUP, even with _POSIX_C_SOURCE */
#endif
#include "harness/base/child.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/signals.h"
#include "harness/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Starts `argv` with stdin from /dev/null, and with the descriptors `out` and
 * `err` as stdout and stderr.  If `attr` is NULL, the child inherits the
 * attributes of this process; if `env` is NULL, its environment.  Returns
 * ERR_DATA if the program cannot be started. */
static int start(pid_t *pid, const char *const argv[], int out, int err,
                 const posix_spawnattr_t *attr, char **env)
{
    posix_spawn_file_actions_t todo;
    int cause;

    posix_spawn_file_actions_init(&todo);
    posix_spawn_file_actions_addopen(&todo, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&todo, out, 1);
    posix_spawn_file_actions_adddup2(&todo, err, 2);
    /* posix_spawnp does not modify argv, whose type lacks const for historical
     * reasons. */
    cause = posix_spawnp(pid, argv[0], &todo, attr, (char *const *)argv,
                         env ? env : environ);
    posix_spawn_file_actions_destroy(&todo);
    errno = cause;
    return cause ? err_errno(ERR_DATA, "%s", argv[0]) : OK;
}

static char *read_all(int fd)
{
    struct text all = {0};
    char block[4096];
    ssize_t got;

    text_clear(&all);
    while ((got = read(fd, block, sizeof block)) > 0 ||
           (got < 0 && errno == EINTR))
        if (got > 0)
            text_add(&all, block, (size_t)got);
    return all.s;
}

static char *from_start(int fd)
{
    lseek(fd, 0, SEEK_SET);
    return read_all(fd);
}

int child_run(char **said, const char *const argv[])
{
    OWNED(fclose) FILE *all = tmpfile();
    int status = 0;
    pid_t pid;

    *said = NULL;
    if (!all)
        return err_errno(ERR_IO, "a temporary file");
    PASS(start(&pid, argv, fileno(all), fileno(all), NULL, NULL));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    *said = from_start(fileno(all));
    if (WIFSIGNALED(status))
        return err_set(ERR_DATA, "%s: ended by signal %d", argv[0],
                       WTERMSIG(status));
    return WEXITSTATUS(status) ? err_set(ERR_DATA, "%s: exit status %d",
                                         argv[0], WEXITSTATUS(status))
                               : OK;
}

/* ---- commands in a process group of their own ---- */

/* Returns 1 for an environment entry by which git or make controls its
 * children.  git's variables are those that `git rev-parse --local-env-vars`
 * lists, except those with its configuration, which the command should inherit.
 * make's variables pass on its flags and jobs. */
static int steers(const char *variable)
{
    static const char *const front[] = {
        "GIT_DIR=", "GIT_WORK_TREE=", "GIT_IMPLICIT_WORK_TREE=",
        "GIT_INDEX_FILE=", "GIT_OBJECT_DIRECTORY=", "GIT_COMMON_DIR=",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES=", "GIT_PREFIX=", "GIT_GRAFT_FILE=",
        "GIT_NAMESPACE=", "GIT_CEILING_DIRECTORIES=", "MAKEFLAGS=",
        "MFLAGS=", "MAKELEVEL=", "MAKEOVERRIDES=", "GNUMAKEFLAGS="};

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

static int start_group(pid_t *pid, const char *const argv[], int out, int err)
{
    OWNED(free) char **env = own_environment();
    posix_spawnattr_t attr;
    sigset_t broken;
    int rc;

    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE); /* undoes what signals_catch has set */
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigdefault(&attr, &broken);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP |
                                        POSIX_SPAWN_SETSIGDEF);
    rc = start(pid, argv, out, err, &attr, env);
    posix_spawnattr_destroy(&attr);
    return rc < 0 ? err_wrap(ERR_IO, "cannot start a command") : OK;
}

enum { SOON = 500 * 1000, LATE = 64 * SOON }; /* ns between two polls */
enum { PATIENCE = 50 };                       /* polls                */

/* Waits until the processes that the command had started have ended, because
 * until then they use the command's folders.  A zombie still counts as running.
 * Gives up after PATIENCE polls. */
static void await_group(pid_t pid)
{
    struct timespec t = {0, LATE};

    for (int i = 0; i < PATIENCE && kill(-pid, 0) == 0; i++)
        nanosleep(&t, NULL);
}

/* Waits for the command and returns its status as waitpid reports it.  If this
 * process catches a signal meanwhile, sends SIGTERM to the command's group, and
 * SIGKILL at the next signal.  Sets *stopped to 1 if it sent a signal, else to
 * 0. */
static int await(pid_t pid, int *stopped)
{
    const int before = signals_count();
    int heard = before, status = 0;
    long ns = SOON;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        struct timespec t = {0, ns};

        if (signals_count() != heard) {
            kill(-pid, heard == before ? SIGTERM : SIGKILL);
            heard = signals_count();
        }
        nanosleep(&t, NULL);
        ns = 2 * ns < LATE ? 2 * ns : LATE;
    }
    *stopped = heard != before;
    if (*stopped)
        await_group(pid);
    return status;
}

/* Appends the command as text, such as "git -C . rev-parse". */
static void name_command(struct text *t, const char *const argv[])
{
    for (int i = 0; argv[i]; i++) {
        text_put(t, i ? " " : "");
        text_put(t, argv[i]);
    }
}

/* Appends the end of what the command wrote to stderr, or the name of the
 * log. */
static void tell_why(struct text *t, const char *log, int err)
{
    enum { SHOWN = 400 };
    OWNED(free) char *said = log ? NULL : from_start(err);
    size_t n = said ? text_rstrip(said, strlen(said)) : 0;

    if (log) {
        text_format(t, "; see %s", log);
        return;
    }
    said[n] = 0;
    if (n)
        text_format(t, ": %s", said + (n > SHOWN ? n - SHOWN : 0));
}

static int end_of(int status, int stopped, const char *log, int err,
                  const char *const argv[])
{
    OWNED(text_free) struct text t = {0};

    name_command(&t, argv);
    if (stopped)
        return err_set(ERR_STOPPED, "%s: stopped by signal %d", t.s,
                       signals_caught());
    if (WIFEXITED(status) && !WEXITSTATUS(status))
        return OK;
    if (WIFSIGNALED(status))
        text_format(&t, ": killed by signal %d", WTERMSIG(status));
    else
        text_format(&t, ": exit status %d", WEXITSTATUS(status));
    tell_why(&t, log, err);
    err_set(ERR_IO, "%s", t.s);
    return WIFSIGNALED(status) ? ERR_IO : WEXITSTATUS(status);
}

static void head_log(FILE *log, const char *const argv[])
{
    OWNED(text_free) struct text t = {0};

    text_put(&t, "$ ");
    name_command(&t, argv);
    text_put(&t, "\n");
    fwrite(t.s, 1, t.n, log);
    fflush(log);
}

int child_work(char **out, const char *log, const char *const argv[])
{
    OWNED(fclose) FILE *said = out ? tmpfile() : NULL;
    OWNED(fclose) FILE *why = log ? fopen(log, "ae") : tmpfile();
    int stopped, status;
    pid_t pid;

    if (out)
        *out = NULL;
    if (!why || (out && !said))
        return err_errno(ERR_IO, "%s", log ? log : "a temporary file");
    if (log)
        head_log(why, argv);
    PASS(start_group(&pid, argv, fileno(out ? said : why), fileno(why)));
    status = await(pid, &stopped);
    if (out)
        *out = from_start(fileno(said));
    return end_of(status, stopped, log, fileno(why), argv);
}
