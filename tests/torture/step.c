/*
 * step: runs a program and kills it at its K-th call that changes a folder.
 *
 *     step K all|one FOLDER PROGRAM [ARGUMENT...]
 *
 * Counts the calls that create, write, rename, link, remove or sync a file in
 * FOLDER, over the program, its children and their threads, in order. Before
 * call K is executed, kills all of these processes with SIGKILL, or with `one`
 * only the calling process. K = 0 kills nothing. The kernel intercepts the
 * calls (ptrace and a seccomp filter), so none is missed, even if the C library
 * makes it.
 *
 * FOLDER is an absolute path. Prints the number of calls on stdout. Exit code:
 * the program's, or 128 + its signal; 125: ptrace is not permitted.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_ALLOWED = 125, PIDS = 4096 };

/* How a call identifies the file: by a descriptor, a path, or a folder and a
 * path in it. */
enum place { BY_FD, BY_PATH, BY_FOLDER };

static const struct call {
    long       number;
    enum place place;
    /* The index of the argument that may have O_CREAT; 0: the call always
     * changes the folder. */
    int        flags;
} calls[] = {
    {SYS_write, BY_FD, 0},        {SYS_pwrite64, BY_FD, 0},
    {SYS_writev, BY_FD, 0},       {SYS_ftruncate, BY_FD, 0},
    {SYS_fsync, BY_FD, 0},        {SYS_fdatasync, BY_FD, 0},
    {SYS_renameat2, BY_FOLDER, 0}, {SYS_linkat, BY_FOLDER, 0},
    {SYS_unlinkat, BY_FOLDER, 0}, {SYS_mkdirat, BY_FOLDER, 0},
    {SYS_openat, BY_FOLDER, 2},
#ifdef SYS_renameat
    {SYS_renameat, BY_FOLDER, 0},
#endif
#ifdef SYS_rename /* newer architectures have only the ...at calls */
    {SYS_rename, BY_PATH, 0},     {SYS_link, BY_PATH, 0},
    {SYS_unlink, BY_PATH, 0},     {SYS_mkdir, BY_PATH, 0},
    {SYS_open, BY_PATH, 1},
#endif
};

enum { CALLS = sizeof calls / sizeof *calls };

static const char *folder;

/* ---- the child ---- */

static void filter_calls(void)
{
    struct sock_filter rule[2 * CALLS + 2];
    struct sock_fprog all = {.filter = rule};

    rule[all.len++] = (struct sock_filter)BPF_STMT(
        BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++) {
        rule[all.len++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, 0, 1);
        rule[all.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                                       SECCOMP_RET_TRACE);
    }
    rule[all.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                                   SECCOMP_RET_ALLOW);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
        _exit(NOT_ALLOWED);
}

static _Noreturn void child(char **argv)
{
    int null = open("/dev/null", O_WRONLY);

    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || dup2(null, 1) < 0)
        _exit(NOT_ALLOWED);
    raise(SIGSTOP); /* until the parent has set its options */
    filter_calls();
    execvp(*argv, argv);
    _exit(127);
}

/* ---- file of a call ---- */

static int inside(const char *path)
{
    size_t n = strlen(folder);

    return !strncmp(path, folder, n) && (path[n] == '/' || !path[n]);
}

static int inside_open(pid_t pid, int fd)
{
    char link[64], path[PATH_MAX];

    snprintf(link, sizeof link, "/proc/%ld/fd/%d", (long)pid, fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n < 0 ? 0 : n] = 0;
    return inside(path);
}

/* Reads a path in the memory of the other process, up to its NUL or the end of
 * its page. */
static int inside_named(pid_t pid, uint64_t at)
{
    char path[PATH_MAX] = "";
    size_t page = 4096 - at % 4096, n = page < PATH_MAX ? page : PATH_MAX;
    struct iovec to = {path, n - 1}, from = {(void *)(uintptr_t)at, n - 1};

    if (process_vm_readv(pid, &to, 1, &from, 1, 0) < 0)
        return 0;
    return inside(path);
}

static int counts(pid_t pid, const struct __ptrace_syscall_info *info)
{
    const struct call *c = calls;
    const uint64_t *arg = (const uint64_t *)info->seccomp.args;

    while (c < calls + CALLS && c->number != (long)info->seccomp.nr)
        c++;
    if (c == calls + CALLS || (c->flags && !(arg[c->flags] & O_CREAT)))
        return 0;
    if (c->place == BY_PATH)
        return inside_named(pid, arg[0]);
    if (c->place == BY_FOLDER && inside_named(pid, arg[1]))
        return 1;
    return inside_open(pid, (int)arg[0]);
}

/* ---- the parent ---- */

static pid_t traced[PIDS];
static int ntraced;

static void know(pid_t pid)
{
    for (int i = 0; i < ntraced; i++)
        if (traced[i] == pid)
            return;
    if (ntraced < PIDS)
        traced[ntraced++] = pid;
}

static void forget(pid_t pid)
{
    for (int i = 0; i < ntraced; i++)
        if (traced[i] == pid)
            traced[i] = traced[--ntraced];
}

static void kill_all(void)
{
    for (int i = 0; i < ntraced; i++)
        kill(traced[i], SIGKILL);
}

/* Follows the processes until they end. Returns the number of calls; *status
 * receives how the first process ended. */
static long follow(pid_t first, long k, int all, int *status)
{
    struct __ptrace_syscall_info info;
    long n = 0;
    pid_t pid;
    int s;

    while ((pid = waitpid(-1, &s, __WALL)) > 0) {
        int event = s >> 16, number = WSTOPSIG(s);

        if (!WIFSTOPPED(s)) {
            if (pid == first)
                *status = s;
            forget(pid);
            continue;
        }
        know(pid);
        if (event == PTRACE_EVENT_SECCOMP &&
            ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof info,
                   &info) > 0 && counts(pid, &info) && ++n == k) {
            if (all)
                kill_all();
            else
                kill(pid, SIGKILL);
        }
        if (event || number == SIGSTOP || number == SIGTRAP)
            number = 0;
        ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)number);
    }
    return n;
}

int main(int argc, char **argv)
{
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                         PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    int status = 0;

    if (argc < 5) {
        fputs("step K all|one FOLDER PROGRAM [ARGUMENT...]\n", stderr);
        return 2;
    }
    folder = argv[3];
    pid_t pid = fork();
    if (pid == 0)
        child(argv + 4);
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)options))
        return NOT_ALLOWED;
    ptrace(PTRACE_CONT, pid, NULL, NULL);
    long n = follow(pid, atol(argv[1]), !strcmp(argv[2], "all"), &status);
    printf("%ld\n", n);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
