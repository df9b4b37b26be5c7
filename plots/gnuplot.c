#include "plots/gnuplot.h"

#include "harness/base/err.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 }; /* exit status of a child that found no gnuplot */

/* ---- the child ---- */

#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#else
#define MACHINE AUDIT_ARCH_AARCH64
#endif
#define LOAD(field)                                                           \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(test, value, yes, no)                                              \
    BPF_JUMP(BPF_JMP | BPF_##test | BPF_K, value, yes, no)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE(number) RETURN(SECCOMP_RET_ERRNO | (number))

/* Drops the right to start processes.  clone3 passes its flags by a pointer,
 * which a filter cannot follow; ENOSYS makes libc fall back to clone.  If the
 * kernel refuses the filter, drawing still works: the figures' scripts start
 * no processes. */
static void give_up_processes(void)
{
    static struct sock_filter rule[] = {
        LOAD(arch),
        IF(JEQ, MACHINE, 1, 0),
        REFUSE(EPERM),
        LOAD(nr),
#ifdef __x86_64__
        IF(JGE, 0x40000000, 2, 0), /* system calls of x32 */
        IF(JEQ, __NR_fork, 1, 0),
        IF(JEQ, __NR_vfork, 0, 1),
        REFUSE(EPERM),
#endif
        IF(JEQ, __NR_clone3, 0, 1),
        REFUSE(ENOSYS),
        IF(JEQ, __NR_clone, 0, 3),
        LOAD(args[0]), /* its low half, on these little-endian machines */
        IF(JSET, CLONE_THREAD, 1, 0),
        REFUSE(EPERM),
        RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog all = {sizeof rule / sizeof *rule, rule};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
}
#else
static void give_up_processes(void) {}
#endif

/* Keeps only the variables by which gnuplot, its libraries and its fonts are
 * found.  GNUTERM and the locale are dropped. */
static void give_up_environment(void)
{
    static const char *const kept[] = {"PATH=", "HOME=", "LD_LIBRARY_PATH=",
                                       "XDG_CACHE_HOME=", "FONTCONFIG_FILE=",
                                       "FONTCONFIG_PATH="};
    enum { KEPT = sizeof kept / sizeof *kept };
    static char locale[] = "LC_ALL=C";
    static char *few[KEPT + 2];
    extern char **environ;
    int n = 0;

    few[n++] = locale;
    for (char **e = environ; *e; e++)
        for (int k = 0; k < KEPT && n <= KEPT; k++)
            if (!strncmp(*e, kept[k], strlen(kept[k])))
                few[n++] = *e;
    environ = few;
}

_Noreturn static void child(const char *folder, int socket)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(socket, fd); /* the parent's stdout is for data */
    give_up_environment();
    give_up_processes();
    if (chdir(folder) == 0)
        execlp("gnuplot", "gnuplot", "-d", (char *)NULL);
    _exit(errno == ENOENT ? NOT_FOUND : 126);
}

/* ---- the parent ---- */

int gnuplot_start(struct gnuplot *g, const char *folder)
{
    int ends[2];

    *g = (struct gnuplot){0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return err_errno(ERR_IO, "a socket to gnuplot");
    pid_t pid = fork();
    if (pid == 0)
        child(folder, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return err_errno(ERR_IO, "gnuplot");
    }
    *g = (struct gnuplot){pid, ends[0]};
    return OK;
}

void gnuplot_tell(const struct gnuplot *g, const char *commands)
{
    size_t left = strlen(commands);
    ssize_t n = 0;

    for (; left; commands += n, left -= (size_t)n) {
        n = send(g->socket, commands, left, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return;
        n = n < 0 ? 0 : n;
    }
}

/* Reads and discards the remaining output, because a full socket would block
 * the process. */
int gnuplot_end(struct gnuplot *g)
{
    char lost[512];
    int status = 0;
    ssize_t n;

    if (!g->pid)
        return 0;
    shutdown(g->socket, SHUT_WR);
    while ((n = read(g->socket, lost, sizeof lost)) > 0 ||
           (n < 0 && errno == EINTR))
        ;
    close(g->socket);
    while (waitpid(g->pid, &status, 0) < 0 && errno == EINTR)
        ;
    *g = (struct gnuplot){0};
    return status;
}

int gnuplot_is_missing(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND;
}

void gnuplot_close(struct gnuplot *g)
{
    if (g->pid)
        kill(g->pid, SIGKILL);
    gnuplot_end(g);
}
