#include "harness/gate/pacer.h"

#include "harness/base/err.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct pacer {
    char *program;
    pid_t pid;
    int   end;     /* our end of a socket pair; the other end is the stdin
                      and stdout of the child                          */
    FILE *answers; /* stream that reads from `end`                     */
    FILE *errors;  /* file that receives the stderr of the child       */
};

static int start(struct pacer *p, const char *const argv[], int its)
{
    posix_spawn_file_actions_t todo;

    posix_spawn_file_actions_init(&todo);
    posix_spawn_file_actions_adddup2(&todo, its, 0);
    posix_spawn_file_actions_adddup2(&todo, its, 1);
    posix_spawn_file_actions_adddup2(&todo, fileno(p->errors), 2);
    /* posix_spawnp does not change argv; its type is not const only for
     * compatibility with old code */
    errno = posix_spawnp(&p->pid, p->program, &todo, NULL, (char *const *)argv,
                         environ);
    posix_spawn_file_actions_destroy(&todo);
    if (errno)
        return err_errno(ERR_USAGE, "%s", p->program);
    return OK;
}

int pacer_open(struct pacer **out, const char *program, const char *config,
               int threads)
{
    OWNED(pacer_close) struct pacer *p = calloc(1, sizeof *p);
    OWNED(free) char *wide = str_format("%d", threads);
    const char *const argv[] = {program, "bench", "--config", config,
                                "--threads", wide, "--paced", NULL};
    int ends[2];

    *out = NULL;
    p->end = -1;
    p->program = str_copy(program);
    p->errors = tmpfile();
    if (!p->errors ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return err_errno(ERR_IO, "cannot create a pair of sockets");
    p->end = ends[0];
    p->answers = fdopen(fcntl(ends[0], F_DUPFD_CLOEXEC, 0), "r");
    int rc = start(p, argv, ends[1]);
    close(ends[1]);
    PASS(rc);
    return MOVE_OUT(out, p);
}

void pacer_close(struct pacer *p)
{
    if (!p)
        return;
    if (p->end >= 0)
        shutdown(p->end, SHUT_RDWR);
    if (p->answers)
        fclose(p->answers);
    if (p->end >= 0)
        close(p->end);
    while (p->pid > 0 && waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    if (p->errors)
        fclose(p->errors);
    free(p->program);
    free(p);
}

/* Sets the error for a child process that has ended or has answered with an
 * invalid line.  The message has the line or, if the line is empty, the last
 * line of the child's stderr. */
static int failed(struct pacer *p, const char *line)
{
    char last[512] = "";

    if (signals_caught())
        return err_set(ERR_STOPPED, "stopped while timing %s", p->program);
    rewind(p->errors);
    while (!*line && fgets(last, sizeof last, p->errors))
        ;
    return err_set(ERR_USAGE, "%s cannot time steps (`bench --config JSON "
                   "--paced`): %s", p->program,
                   *line  ? line
                   : *last ? text_strip(last)
                           : "it exited without a message");
}

int pacer_steps(struct paced *out, struct pacer *p, int n)
{
    char ask[16], line[128] = "";
    int length = snprintf(ask, sizeof ask, "%d\n", n), used = 0;

    if (signals_caught() ||
        send(p->end, ask, (size_t)length, MSG_NOSIGNAL) != length ||
        !fgets(line, sizeof line, p->answers) ||
        sscanf(line, "%lf %lf %n", &out->seconds, &out->bytes, &used) != 2 ||
        line[used] || !(out->seconds > 0) || !(out->bytes > 0))
        return failed(p, text_strip(line));
    return OK;
}
