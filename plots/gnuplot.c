/*
 * Runs a script in a child process that can start no other.
 *
 * A script can reach the shell by system(), `!`, backquotes and files named
 * "<command" or "|command"; gnuplot has no option against that.  So the child
 * gives up fork, vfork and clone but for threads, which the fonts need
 * (seccomp; Linux on x86-64 and aarch64, elsewhere nothing is given up).  It
 * reads no settings of the user (-d, and little of the environment).
 */
#include "plots/picture.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"

#include <errno.h>
#include <string.h>
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

/* clone3 hides its flags behind a pointer; ENOSYS makes libc take clone.
 * A kernel that refuses the filter changes nothing: no script of ours asks
 * for a process. */
static void give_up_processes(void)
{
    static struct sock_filter rule[] = {
        LOAD(arch),
        IF(JEQ, MACHINE, 1, 0),
        REFUSE(EPERM),
        LOAD(nr),
#ifdef __x86_64__
        IF(JGE, 0x40000000, 2, 0), /* the numbers of x32 */
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

/* What finds gnuplot, its libraries and its fonts; no GNUTERM, no locale. */
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

_Noreturn static void child(const char *folder, const char *script, int to)
{
    dup2(to, STDERR_FILENO);
    dup2(to, STDOUT_FILENO); /* our stdout is data */
    give_up_environment();
    give_up_processes();
    if (chdir(folder) == 0)
        execlp("gnuplot", "gnuplot", "-d", script, (char *)NULL);
    _exit(errno == ENOENT ? NOT_FOUND : 126);
}

/* ---- its parent ---- */

/* What the child says until it closes the pipe; the rest is dropped. */
static void listen(int from, char *said, size_t room)
{
    char lost[512];
    size_t used = 0;
    ssize_t n;

    do {
        int full = used + 1 >= room;

        n = full ? read(from, lost, sizeof lost)
                 : read(from, said + used, room - 1 - used);
        if (n > 0 && !full)
            used += (size_t)n;
    } while (n > 0 || (n < 0 && errno == EINTR));
    while (used && said[used - 1] == '\n')
        used--;
    said[used] = 0;
}

static int judge(int status, const char *path, const char *said)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return err_set(ERR_IO, "gnuplot is not installed: `make deps` installs "
                       "it (Debian: gnuplot-nox); %s is ready for it", path);
    return err_set(ERR_IO, "gnuplot refused %s%s%s", path, *said ? ": " : "",
                   said);
}

int gnuplot_run(const char *folder, const char *script)
{
    OWNED(free) char *path = str_format("%s/%s", folder, script);
    char said[1024] = "";
    int ends[2], status = 0;

    if (pipe(ends))
        return err_errno(ERR_IO, "a pipe to gnuplot");
    OWNED(close) int said_here = ends[0];
    pid_t pid = fork();
    if (pid == 0)
        child(folder, script, ends[1]);
    close(ends[1]);
    if (pid < 0)
        return err_errno(ERR_IO, "gnuplot");
    listen(said_here, said, sizeof said);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return judge(status, path, said);
}
