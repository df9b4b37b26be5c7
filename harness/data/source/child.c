#include "harness/data/source/child.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int start(pid_t *pid, const char *const argv[], const int pipe_end[2])
{
    posix_spawn_file_actions_t todo;
    int cause;

    posix_spawn_file_actions_init(&todo);
    posix_spawn_file_actions_addopen(&todo, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&todo, pipe_end[1], 1);
    posix_spawn_file_actions_adddup2(&todo, pipe_end[1], 2);
    posix_spawn_file_actions_addclose(&todo, pipe_end[0]);
    posix_spawn_file_actions_addclose(&todo, pipe_end[1]);
    /* execvp's argv is not const for the sake of old code only */
    cause =
        posix_spawnp(pid, argv[0], &todo, NULL, (char *const *)argv, environ);
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

int child_run(char **said, const char *const argv[])
{
    int ends[2], status = 0, rc = OK;
    pid_t pid;

    *said = NULL;
    if (pipe(ends))
        return err_errno(ERR_IO, "pipe");
    rc = start(&pid, argv, ends);
    close(ends[1]);
    if (rc == OK) {
        *said = read_all(ends[0]);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (WIFSIGNALED(status))
            rc = err_set(ERR_DATA, "%s: ended by signal %d", argv[0],
                         WTERMSIG(status));
        else if (WEXITSTATUS(status))
            rc = err_set(ERR_DATA, "%s: exit status %d", argv[0],
                         WEXITSTATUS(status));
    }
    close(ends[0]);
    return rc;
}
