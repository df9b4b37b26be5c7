#include "harness/base/file.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

int file_error(int cause)
{
    return cause == ENOENT || cause == ENOTDIR || cause == EISDIR ||
                   cause == EACCES || cause == EPERM || cause == EROFS ||
                   cause == ELOOP || cause == ENAMETOOLONG ||
                   cause == EEXIST || cause == ENXIO
               ? ERR_USAGE
               : ERR_IO;
}

/* Records the error in errno for a path that the user specified, and returns
 * its code. */
static int of_user(const char *path)
{
    return err_errno(file_error(errno), "%s", path);
}

enum { PIECE = 1 << 16 };

/* Reads `f` to its end and closes it. */
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

/* Returns the error for a path that is not a regular file. */
static int not_a_file(const char *path, int is_folder)
{
    return err_set(ERR_IO, "%s: is not a file, but %s: remove it, or replace "
                   "it by a file", path, is_folder ? "a folder"
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

int file_check_lines(const char *text, const char *path)
{
    const char *what = !strncmp(text, "\xEF\xBB\xBF", 3)
                           ? "begins with a byte order mark"
                       : strstr(text, "\r\n")
                           ? "has CR LF line ends, perhaps because of git's "
                             "autocrlf" : NULL;

    return what ? err_set(ERR_STORE, "%s: %s: put `*.tsv -text` into "
                          ".gitattributes, delete the file and check it out "
                          "again", path, what)
                : OK;
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

/* If a caught signal interrupts the write, gives up, because the reader may
 * never take the remaining bytes. */
int file_put(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    size_t left = bytes;

    while (left) {
        ssize_t n = write(fd, at, left);

        if (n >= 0) {
            at += n;
            left -= (size_t)n;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR || signals_caught()) {
            return -1;
        }
    }
    return 0;
}

/* Writes all bytes and closes `fd`.  Returns 0, or -1 with errno set.  If `fd`
 * is -1 because open failed, only returns -1. */
static int put_closing(int fd, const void *data, size_t bytes)
{
    if (fd < 0)
        return -1;
    int bad = file_put(fd, data, bytes), cause = errno;
    if (close(fd) && !bad)
        return -1;
    errno = cause;
    return bad;
}

static int replace(const char *path, const void *data, size_t bytes,
                   mode_t mode)
{
    OWNED(free) char *tmp = file_temporary(path);
    int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0)
        return err_errno(ERR_IO, "%s", path);
    if (mode)
        /* Some file systems do not support this; the error is ignored. */
        fchmod(fd, mode);
    int rc = put_closing(fd, data, bytes) ? err_errno(ERR_IO, "%s", path)
                                          : file_commit(tmp, path);
    if (rc < 0)
        unlink(tmp);
    return rc;
}

int file_write(const char *path, const void *data, size_t bytes)
{
    return replace(path, data, bytes, 0);
}

/* ---- outputs that the user named ---- */

enum { STREAMS = 256 }; /* the descriptors that a shell opens are below */

/* Returns the descriptor on which this process already has the file open for
 * writing, such as stdout for /dev/stdout, or -1.  Opening such a file by its
 * name would truncate it, or write at its start. */
static int stream_of(const struct stat *st)
{
    for (int fd = 1; fd < STREAMS; fd++) {
        struct stat own;

        if (!fstat(fd, &own) && own.st_dev == st->st_dev &&
            own.st_ino == st->st_ino &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
            return fd;
    }
    return -1;
}

/* Returns the path to which the chain of symbolic links at `path` leads.  There
 * need not be a file at this path.  The caller frees the path. */
static char *behind_links(const char *path)
{
    char *name = str_copy(path), to[PATH_MAX];
    ssize_t n;

    for (int k = 0; k < 40 && (n = readlink(name, to, sizeof to)) > 0; k++) {
        OWNED(free) char *link = name;
        int folder = *to == '/' ? 0 : (int)(str_base(link) - link);

        name = str_format("%.*s%.*s", folder, link, (int)n, to);
    }
    return name;
}

/* The destination of an output. */
struct output {
    char  *path;   /* the file to replace or create; NULL: write in place */
    int    stream; /* the descriptor that is already open for it, or -1 */
    mode_t mode;   /* permissions of the file to replace; 0: a new file */
};

static void output_close(struct output *o) { free(o->path); }
OWNER_OF_VALUE(output_close, struct output)

/* Resolves an output that is a regular file or does not exist yet. */
static int find_file(struct output *out, const char *path)
{
    out->path = behind_links(path);
    OWNED(free) char *copy = str_copy(out->path);
    const char *folder = dirname(copy);
    int rc = file_named(folder, 1);

    if (rc < 0)
        return err_wrap(rc, "%s", path);
    if (!*path || str_ends(path, "/"))
        return err_set(ERR_USAGE, "'%s' does not name a file", path);
    return access(folder, W_OK) || (out->mode && access(out->path, W_OK))
               ? of_user(path) : OK;
}

static int find_output(struct output *out, const char *path)
{
    struct stat st;
    int there = !stat(path, &st);

    *out = (struct output){.stream = -1};
    if (!there && errno != ENOENT)
        return of_user(path);
    if (there && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return of_user(path);
    }
    out->stream = there ? stream_of(&st) : -1;
    if (out->stream >= 0)
        return OK;
    if (there && !S_ISREG(st.st_mode))
        return access(path, W_OK) ? of_user(path) : OK;
    out->mode = there ? st.st_mode & 07777 : 0;
    return find_file(out, path);
}

int file_output_check(const char *path)
{
    OWNED(output_close) struct output o;

    PASS(find_output(&o, path));
    return o.path != NULL;
}

int file_output(const char *path, const void *data, size_t bytes)
{
    OWNED(output_close) struct output o;

    PASS(find_output(&o, path));
    if (o.path)
        return replace(o.path, data, bytes, o.mode);
    fflush(stdout); /* stdout may be the same file */
    int bad = o.stream >= 0 ? file_put(o.stream, data, bytes)
                            : put_closing(open(path, O_WRONLY | O_CLOEXEC),
                                          data, bytes);
    return bad ? of_user(path) : OK;
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
            return err_errno(file_error(errno), "cannot create the folder %s "
                             "(choose one that you may create)", p);
        *s = keep;
        if (!keep)
            break;
    }
    return file_is_folder(path)
               ? OK
               : err_set(ERR_USAGE, "%s: not a folder; choose another name",
                         path);
}

int file_exists(const char *path)
{
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}
