#include "plots/gnuplot.h"

#include "harness/base/err.h"
#include "harness/base/owned.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

_Noreturn static void child(const char *folder, const char *script, int output)
{
    int none = open("/dev/null", O_RDONLY);

    dup2(none, STDIN_FILENO);
    dup2(output, STDOUT_FILENO); /* the parent's stdout is for data */
    dup2(output, STDERR_FILENO);
    give_up_environment();
    give_up_processes();
    if (chdir(folder) == 0)
        execlp("gnuplot", "gnuplot", "-d", script, (char *)NULL);
    _exit(GNUPLOT_MISSING);
}

/* ---- the parent ---- */

int gnuplot_start(struct gnuplot *g, const char *folder, const char *name)
{
    OWNED(free) char *script = str_format("%s.gp", name);
    int ends[2];

    *g = (struct gnuplot){0};
    if (pipe(ends))
        return err_errno(ERR_IO, "a pipe from gnuplot");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0)
        child(folder, script, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return err_errno(ERR_IO, "gnuplot");
    }
    *g = (struct gnuplot){pid, ends[0]};
    return OK;
}

int gnuplot_end(struct gnuplot *g)
{
    int status = 0;

    close(g->output);
    while (waitpid(g->pid, &status, 0) < 0 && errno == EINTR)
        ;
    *g = (struct gnuplot){0};
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
