/*
 * inject: a shared object that is loaded before the C library and makes the
 * k-th call of a process fail (tests/cli/faults.t).
 *
 *   FAULT        memory: the calls in harness/base/memory.c;
 *                disk: the system calls that write, sync, rename, create
 *   FAULT_K      1, 2, ...: the call that fails; 0: none fails, all are counted
 *   FAULT_EVERY  n: every n-th call fails, each in a forked copy of the
 *                process, which must end with code 9 at once
 *   FAULT_FORKED 1: calls of forked processes also count and fail
 *   FAULT_STAYS  1: all calls after the k-th fail, too
 *   FAULT_ERRNO  errno of a failing system call
 *   FAULT_COUNT  a file, written when the process exits: "calls C tried T
 *                other O": the number of calls, of calls that failed in
 *                copies, and of copies that ended otherwise (followed by the
 *                last such call and its wait status)
 *
 * Programs that this one starts (gnuplot) are not affected. System calls are
 * trapped with seccomp, because those of the C library itself do not go through
 * a symbol.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static enum { NEW, OFF, MEMORY, DISK } what;
static long k, every;
static int forked, stays, cause, first;
/* shared by all processes */
static struct { long calls, tried, other, last, status; } *seen;

static void begin(void);

/* Finds the function of this name in the libraries after this object. */
#define NEXT(result, name, ...)                                               \
    static result (*next)(__VA_ARGS__);                                       \
    if (!next)                                                                \
        *(void **)&next = dlsym(RTLD_NEXT, name)

static long real_syscall(long nr, long a, long b, long c, long d, long e)
{
    NEXT(long, "syscall", long, ...);
    return next(nr, a, b, c, d, e, 0L);
}

static long number(const char *name, long otherwise)
{
    const char *s = getenv(name);

    return s && *s ? strtol(s, NULL, 10) : otherwise;
}

/* Returns 1 in a copy of this process, and 0 in this one after the copy has
 * ended. Uses the system call directly: no SIGCHLD, and no malloc as in
 * fork. */
static int in_a_copy(long n)
{
    int status;

    __atomic_add_fetch(&seen->tried, 1, __ATOMIC_RELAXED);
    pid_t copy = (pid_t)real_syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
    if (copy == 0) {
        every = 0;
        return 1;
    }
    while (waitpid(copy, &status, __WCLONE) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 9) {
        __atomic_add_fetch(&seen->other, 1, __ATOMIC_RELAXED);
        seen->last = n;
        seen->status = status;
    }
    return 0;
}

static int fails(void)
{
    if (!forked && getpid() != first)
        return 0;
    long n = __atomic_add_fetch(&seen->calls, 1, __ATOMIC_RELAXED);
    if (every)
        return n % every == 0 && in_a_copy(n);
    return k && (n == k || (stays && n > k));
}

/* ---- memory ---- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t to, size_t n);
void *mmap(void *at, size_t n, int prot, int flags, int file, off_t from);

static int starved(void)
{
    begin();
    if (what != MEMORY || !fails())
        return 0;
    errno = ENOMEM;
    return 1;
}

void *__libc_malloc(size_t n)
{
    NEXT(void *, "__libc_malloc", size_t);
    return starved() ? NULL : next(n);
}

void *__libc_calloc(size_t n, size_t size)
{
    NEXT(void *, "__libc_calloc", size_t, size_t);
    return starved() ? NULL : next(n, size);
}

void *__libc_realloc(void *p, size_t n)
{
    NEXT(void *, "__libc_realloc", void *, size_t);
    return starved() ? NULL : next(p, n);
}

void *__libc_memalign(size_t to, size_t n)
{
    NEXT(void *, "__libc_memalign", size_t, size_t);
    return starved() ? NULL : next(to, n);
}

/* The entry point that memory.c uses. */
long syscall(long nr, ...)
{
    long a[6];
    va_list ap;

    NEXT(long, "syscall", long, ...);
    va_start(ap, nr);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(ap, long);
    va_end(ap);
    if (nr == SYS_mmap && a[3] & MAP_ANONYMOUS && starved())
        return -1;
    return next(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int pthread_create(pthread_t *t, const pthread_attr_t *attributes,
                   void *(*run)(void *), void *arg)
{
    NEXT(int, "pthread_create", pthread_t *, const pthread_attr_t *,
         void *(*)(void *), void *);
    return starved() ? EAGAIN : next(t, attributes, run, arg);
}

/* ---- disk ---- */

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#define REG(i) REG_##i
#define AT(c) ((c)->uc_mcontext.gregs)

/* This function has the only instruction whose system calls the filter
 * permits. */
long inject_call(long nr, long a, long b, long c, long d, long e, long f);
extern const char inject_passed[];
__asm__(".text\n.globl inject_call\n.hidden inject_call\n"
        ".globl inject_passed\n.hidden inject_passed\n"
        "inject_call:\n"
        "mov %rdi,%rax\nmov %rsi,%rdi\nmov %rdx,%rsi\nmov %rcx,%rdx\n"
        "mov %r8,%r10\nmov %r9,%r8\nmov 8(%rsp),%r9\nsyscall\n"
        "inject_passed:\nret\n");

static void on_call(int signal, siginfo_t *info, void *context)
{
    greg_t *r = AT((ucontext_t *)context);
    int kept = errno;

    (void)signal;
    r[REG(RAX)] = fails() ? -cause
                          : inject_call(info->si_syscall, r[REG(RDI)],
                                        r[REG(RSI)], r[REG(RDX)], r[REG(R10)],
                                        r[REG(R8)], r[REG(R9)]);
    errno = kept;
}

/* stderr is excluded, so that messages are written. */
static int catch_calls(void)
{
    static const int call[] = {SYS_write, SYS_pwrite64, SYS_writev, SYS_fsync,
                               SYS_fdatasync, SYS_rename, SYS_renameat,
                               SYS_mkdir, SYS_ftruncate, SYS_link};
    enum { CALLS = sizeof call / sizeof *call, END = 10 + CALLS };
    uintptr_t passed = (uintptr_t)inject_passed;
    struct sock_filter f[END + 2] = {
#define LOAD(x) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, x)
#define UNLESS(x, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, x, 0, skip)
        LOAD(offsetof(struct seccomp_data, instruction_pointer)),
        UNLESS((uint32_t)passed, 2),
        LOAD(offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(passed >> 32),
                 END - 4, 0),
        LOAD(offsetof(struct seccomp_data, nr)),
        UNLESS(SYS_write, 3),
        LOAD(offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 2, END - 8, 0),
        LOAD(offsetof(struct seccomp_data, nr)),
        LOAD(offsetof(struct seccomp_data, nr)),
    };
    for (int i = 0; i < CALLS; i++)
        f[10 + i] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call[i],
            (uint8_t)(CALLS - i), 0);
    f[END] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    f[END + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                              SECCOMP_RET_TRAP);
    struct sock_fprog program = {END + 2, f};
    struct sigaction act = {.sa_sigaction = on_call,
                            .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};

    return sigaction(SIGSYS, &act, NULL) ||
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static int catch_calls(void) { return 1; }
#endif

/* ---- start and end ---- */

enum { NO_SECCOMP = 99 };

/* Runs at the first call: constructors of other libraries allocate memory
 * before this one runs. */
__attribute__((constructor)) static void begin(void)
{
    const char *name = environ && what == NEW ? getenv("FAULT") : NULL;

    if (!name)
        return;
    what = OFF;
    k = number("FAULT_K", 0);
    every = number("FAULT_EVERY", 0);
    forked = (int)number("FAULT_FORKED", 0);
    stays = (int)number("FAULT_STAYS", 0);
    cause = (int)number("FAULT_ERRNO", EIO);
    first = getpid();
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsetenv("LD_PRELOAD");
    if (!strcmp(name, "disk") && catch_calls())
        _exit(NO_SECCOMP);
    what = !strcmp(name, "disk") ? DISK : MEMORY;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAULT_COUNT");

    if (what < MEMORY || !path || getpid() != first)
        return;
    what = OFF;
    FILE *f = fopen(path, "w");
    if (f) {
        fprintf(f, "calls %ld tried %ld other %ld", seen->calls, seen->tried,
                seen->other);
        if (seen->other)
            fprintf(f, " last %ld status %#lx", seen->last, seen->status);
        fputc('\n', f);
        fclose(f);
    }
}
