/*
 * calls: a shared object that is loaded before the C library and records the
 * file system calls of a program and its children in the file CALLS, in order
 * (tests/cli/syncs.t):
 *
 *     PID write|fsync|close|unlink PATH
 *     PID rename|link FROM TO
 *
 * The path of a pipe is "pipe:[N]". Data written by stdio is recorded at
 * fclose.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Finds the function of this name in the libraries after this object. */
#define NEXT(result, name, ...)                                               \
    static result (*next)(__VA_ARGS__);                                       \
    if (!next)                                                                \
        *(void **)&next = dlsym(RTLD_NEXT, name)

static void note(const char *call, const char *path, const char *to)
{
    const char *calls = getenv("CALLS");
    char line[3 * PATH_MAX];
    int fd = calls ? open(calls, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                          0666) : -1;

    if (fd < 0)
        return;
    int n = snprintf(line, sizeof line, "%ld %s %s%s%s\n", (long)getpid(),
                     call, path, *to ? " " : "", to);
    syscall(SYS_write, fd, line, (size_t)n);
    syscall(SYS_close, fd);
}

static void path_of(int fd, char path[PATH_MAX])
{
    char link[64];

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = 0;
}

static void note_file(const char *call, int fd)
{
    char path[PATH_MAX];

    path_of(fd, path);
    note(call, path, "");
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    NEXT(ssize_t, "write", int, const void *, size_t);
    note_file("write", fd);
    return next(fd, bytes, n);
}

int fsync(int fd)
{
    NEXT(int, "fsync", int);
    int bad = next(fd);

    if (!bad)
        note_file("fsync", fd);
    return bad;
}

int fclose(FILE *f)
{
    NEXT(int, "fclose", FILE *);
    int fd = fileno(f);

    if (fd >= 0)
        note_file("close", fd);
    return next(f);
}

int unlink(const char *path)
{
    NEXT(int, "unlink", const char *);
    note("unlink", path, "");
    return next(path);
}

int unlinkat(int folder, const char *name, int flags)
{
    NEXT(int, "unlinkat", int, const char *, int);
    char path[2 * PATH_MAX];

    path_of(folder, path);
    strcat(strcat(path, "/"), name);
    note("unlink", path, "");
    return next(folder, name, flags);
}

int rename(const char *from, const char *to)
{
    NEXT(int, "rename", const char *, const char *);
    note("rename", from, to);
    return next(from, to);
}

int link(const char *from, const char *to)
{
    NEXT(int, "link", const char *, const char *);
    note("link", from, to);
    return next(from, to);
}
