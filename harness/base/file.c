#include "harness/base/file.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* What may be wrong with a name, as against the machine behind it. */
static int is_of_name(int cause)
{
    return cause == ENOENT || cause == ENOTDIR || cause == EISDIR ||
           cause == EACCES || cause == EPERM || cause == EROFS ||
           cause == ELOOP || cause == ENAMETOOLONG || cause == EEXIST;
}

/* The error for a name that the user chose. */
static int of_user(const char *path)
{
    return err_errno(is_of_name(errno) ? ERR_USAGE : ERR_IO, "%s", path);
}

enum { PIECE = 1 << 16 };

/* All that f gives; closes it. */
static int read_all(FILE *f, char **out, size_t *bytes, const char *path)
{
    size_t used = 0, cap = 0;
    char *p = NULL;
    int rc = OK;

    do {
        ARRAY_MORE(p, used, cap, PIECE);
        used += fread(p + used, 1, cap - used - 1, f);
    } while (used == cap - 1);
    if (ferror(f)) {
        rc = err_errno(ERR_IO, "%s", path);
        free(p);
    } else {
        p[used] = 0;
        *out = p;
        if (bytes)
            *bytes = used;
    }
    fclose(f);
    return rc;
}

/* What lies at path instead of a regular file. */
static int not_a_file(const char *path, int is_folder)
{
    return err_set(ERR_IO, "%s: is not a file, but %s: remove it, or put the "
                   "file in its place", path, is_folder ? "a folder"
                   : "a pipe, a device or a socket");
}

int file_open(FILE **out, struct stat *st, const char *path, int flags)
{
    OWNED(close) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY |
                                         O_CLOEXEC | flags);
    struct stat own;

    *out = NULL;
    if (fd < 0 && errno == ENXIO)
        return not_a_file(path, 0);
    if (fd < 0 || fstat(fd, &own))
        return err_errno(ERR_IO, "%s", path);
    if (!S_ISREG(own.st_mode))
        return not_a_file(path, S_ISDIR(own.st_mode));
    if (st)
        *st = own;
    *out = fdopen(fd, "rb");
    fd = -1;
    return OK;
}

int file_read(char **out, size_t *bytes, const char *path)
{
    FILE *f;

    *out = NULL;
    PASS(file_open(&f, NULL, path, 0));
    return read_all(f, out, bytes, path);
}

int file_read_stream(char **out, size_t *bytes, const char *path)
{
    FILE *f = fopen(path, "rb");

    *out = NULL;
    return f ? read_all(f, out, bytes, path) : err_errno(ERR_IO, "%s", path);
}

int file_map(struct file_map *out, const char *path)
{
    OWNED(fclose) FILE *f = NULL;
    struct stat st = {.st_size = 0};

    *out = (struct file_map){.data = NULL};
    PASS(file_open(&f, &st, path, 0));
    if (!st.st_size)
        return OK;
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
                      fileno(f), 0);
    if (data == MAP_FAILED)
        return err_errno(ERR_IO, "%s", path);
    *out = (struct file_map){data, (size_t)st.st_size};
    return OK;
}

void file_unmap(struct file_map *m)
{
    if (m->data)
        munmap((void *)(uintptr_t)m->data, m->bytes);
    *m = (struct file_map){.data = NULL};
}

static int sync_path(const char *path, int flags)
{
    OWNED(close) int fd = open(path, flags);

    return fd < 0 || fsync(fd) ? err_errno(ERR_IO, "%s", path) : OK;
}

int file_commit(const char *temporary, const char *path)
{
    OWNED(free) char *copy = str_copy(path);

    PASS(sync_path(temporary, O_RDONLY));
    if (rename(temporary, path))
        return err_errno(ERR_IO, "%s", path);
    return sync_path(dirname(copy), O_RDONLY | O_DIRECTORY);
}

char *file_temporary(const char *path)
{
    unsigned drawn = 0;

    while (getrandom(&drawn, sizeof drawn, 0) < 0 && errno == EINTR)
        ;
    return str_format("%s.%08x.%ld.tmp", path, drawn, (long)getpid());
}

/* 0, or -1 and errno; closes f, which may be NULL. */
static int put(FILE *f, const void *data, size_t bytes)
{
    if (!f)
        return -1;
    int bad = fwrite(data, 1, bytes, f) != bytes || fflush(f);
    int cause = errno;
    if (fclose(f) && !bad)
        return -1;
    errno = cause;
    return bad ? -1 : 0;
}

int file_write(const char *path, const void *data, size_t bytes)
{
    OWNED(free) char *tmp = file_temporary(path);
    FILE *f = fopen(tmp, "wbx");

    if (!f)
        return err_errno(ERR_IO, "%s", path);
    int rc = put(f, data, bytes) ? err_errno(ERR_IO, "%s", path)
                                 : file_commit(tmp, path);
    if (rc < 0)
        unlink(tmp);
    return rc;
}

int file_output(const char *path, const void *data, size_t bytes)
{
    struct stat st;

    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return put(fopen(path, "wb"), data, bytes) ? of_user(path) : OK;
    OWNED(free) char *copy = str_copy(path);
    const char *folder = dirname(copy);
    int rc = file_named(folder, 1);

    if (rc < 0)
        return err_wrap(rc, "%s", path);
    if (access(folder, W_OK))
        return of_user(path);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return of_user(path);
    }
    return file_write(path, data, bytes);
}

const char *file_stdin(const char *path)
{
    return strcmp(path, "-") ? path : "/dev/stdin";
}

int file_named(const char *path, int folder)
{
    struct stat st;

    if (stat(path, &st))
        return of_user(path);
    errno = folder ? ENOTDIR : EISDIR;
    if (!S_ISDIR(st.st_mode) == !!folder)
        return of_user(path);
    return access(path, folder ? R_OK | X_OK : R_OK) ? of_user(path) : OK;
}

int file_is_folder(const char *path)
{
    struct stat st;

    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

int file_mkdirs(const char *path)
{
    OWNED(free) char *p = str_copy(path);

    for (char *s = p + 1;; s++) {
        if (*s && *s != '/')
            continue;
        char keep = *s;
        *s = 0;
        if (mkdir(p, 0777) && errno != EEXIST)
            PASS(of_user(p));
        *s = keep;
        if (!keep)
            break;
    }
    return file_is_folder(path)
               ? OK
               : err_set(ERR_USAGE, "%s: not a folder", path);
}

int file_exists(const char *path)
{
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}
