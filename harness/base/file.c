#include "harness/base/file.h"

#include "harness/base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_read(char **out, size_t *bytes, const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t used = 0, cap = 1 << 16;
    char *p = NULL;
    int rc = OK;

    *out = NULL;
    if (!f)
        return err_errno(ERR_IO, "%s", path);
    for (;;) {
        char *q = p ? p : malloc(cap);
        REQUIRE(q, "out of memory: %zu bytes", cap);
        p = q;
        used += fread(p + used, 1, cap - used - 1, f);
        if (used < cap - 1)
            break;
        cap *= 2;
        p = realloc(q, cap);
        REQUIRE(p, "out of memory: %zu bytes", cap);
    }
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

int file_load(char **out, size_t *bytes, const char *path, struct arena *a)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    int rc = OK;

    if (!f || fstat(fileno(f), &st)) {
        rc = err_errno(ERR_IO, "%s", path);
        goto out;
    }
    *bytes = (size_t)st.st_size;
    *out = arena_take(a, *bytes + 1);
    if (fread(*out, 1, *bytes, f) != *bytes)
        rc = ferror(f) ? err_errno(ERR_IO, "%s", path)
                       : err_set(ERR_IO, "%s: became shorter", path);
    (*out)[*bytes] = 0;
out:
    if (f)
        fclose(f);
    return rc;
}

static int sync_path(const char *path, int flags)
{
    int fd = open(path, flags);

    if (fd < 0)
        return err_errno(ERR_IO, "%s", path);
    int bad = fsync(fd);
    int cause = errno;
    close(fd);
    errno = cause;
    return bad ? err_errno(ERR_IO, "%s", path) : OK;
}

int file_commit(const char *temporary, const char *path)
{
    char copy[PATH_MAX];
    int rc = OK;

    TRY(sync_path(temporary, O_RDONLY));
    if (rename(temporary, path))
        return err_errno(ERR_IO, "%s", path);
    snprintf(copy, sizeof copy, "%s", path);
    TRY(sync_path(dirname(copy), O_RDONLY | O_DIRECTORY));
out:
    return rc;
}

int file_write(const char *path, const void *data, size_t bytes)
{
    char tmp[PATH_MAX];
    int rc = OK;

    if (snprintf(tmp, sizeof tmp, "%s.%ld.tmp", path, (long)getpid()) >=
        (int)sizeof tmp)
        return err_set(ERR_IO, "%s: the name is too long", path);
    FILE *f = fopen(tmp, "wb");
    if (!f)
        return err_errno(ERR_IO, "%s", path);
    int bad = fwrite(data, 1, bytes, f) != bytes;
    bad |= fflush(f) != 0;
    if (bad)
        rc = err_errno(ERR_IO, "%s", path);
    fclose(f);
    if (rc == OK)
        rc = file_commit(tmp, path);
    if (rc < 0)
        unlink(tmp);
    return rc;
}

int file_mkdirs(const char *path)
{
    char p[PATH_MAX];

    if (snprintf(p, sizeof p, "%s", path) >= (int)sizeof p)
        return err_set(ERR_IO, "%s: the name is too long", path);
    for (char *s = p + 1;; s++) {
        if (*s && *s != '/')
            continue;
        char keep = *s;
        *s = 0;
        if (mkdir(p, 0777) && errno != EEXIST)
            return err_errno(ERR_IO, "%s", p);
        *s = keep;
        if (!keep)
            break;
    }
    struct stat st;
    if (stat(path, &st) || !S_ISDIR(st.st_mode))
        return err_set(ERR_IO, "%s: not a folder", path);
    return OK;
}

int file_exists(const char *path) { return access(path, F_OK) == 0; }
