#include "harness/base/file.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

int file_map(struct file_map *out, const char *path)
{
    int fd = open(path, O_RDONLY), rc = OK;
    struct stat st;

    *out = (struct file_map){.data = NULL};
    if (fd < 0 || fstat(fd, &st))
        rc = err_errno(ERR_IO, "%s", path);
    else if (st.st_size) {
        void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
                          0);
        if (data == MAP_FAILED)
            rc = err_errno(ERR_IO, "%s", path);
        else
            *out = (struct file_map){data, (size_t)st.st_size};
    }
    if (fd >= 0)
        close(fd);
    return rc;
}

void file_unmap(struct file_map *m)
{
    if (m->data)
        munmap((void *)(uintptr_t)m->data, m->bytes);
    *m = (struct file_map){.data = NULL};
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

char *file_temporary(const char *path)
{
    return str_format("%s.%ld.tmp", path, (long)getpid());
}

int file_write(const char *path, const void *data, size_t bytes)
{
    char *tmp = file_temporary(path);
    FILE *f = fopen(tmp, "wb");
    int rc = OK;

    if (!f) {
        rc = err_errno(ERR_IO, "%s", path);
        goto out;
    }
    int bad = fwrite(data, 1, bytes, f) != bytes;
    bad |= fflush(f) != 0;
    if (bad)
        rc = err_errno(ERR_IO, "%s", path);
    fclose(f);
    if (rc == OK)
        rc = file_commit(tmp, path);
    if (rc < 0)
        unlink(tmp);
out:
    free(tmp);
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
