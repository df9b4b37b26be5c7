#include "harness/data/prepared.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FORMAT "synthbench prepared "
#define MAGIC FORMAT "2 "
enum {
    FORMAT_BYTES = sizeof FORMAT - 1,
    MAGIC_BYTES = sizeof MAGIC - 1,
    HEAD = 128,
    NEW_SECONDS = 10
};

static char *path_of(const char *cache, const char *key, const char *kind)
{
    return str_format("%s/prepared/%s.%s", cache, key, kind);
}

/* ---- reading ---- */

static int is_sound(const struct file_map *f)
{
    char hex[HASH_HEX];

    if (f->bytes < HEAD || memcmp(f->data, MAGIC, MAGIC_BYTES))
        return 0;
    hash_sha256(f->data + HEAD, f->bytes - HEAD, hex);
    return !memcmp(f->data + MAGIC_BYTES, hex, HASH_HEX - 1);
}

static int is_other_format(const struct file_map *f)
{
    return f->bytes >= MAGIC_BYTES && !memcmp(f->data, FORMAT, FORMAT_BYTES) &&
           memcmp(f->data, MAGIC, MAGIC_BYTES);
}

/* Returns 1 if the file is mapped, or 0 if it does not exist. */
static int map_there(struct file_map *f, const char *path)
{
    if (!file_exists(path))
        return 0;
    PASS(file_map(f, path));
    return 1;
}

int prepared_open(struct prepared *out, const char *cache, const char *key,
                  const char *kind)
{
    OWNED(free) char *path = path_of(cache, key, kind);
    struct file_map f = {.data = NULL};
    int rc = map_there(&f, path);

    *out = (struct prepared){.data = NULL};
    if (rc <= 0)
        return rc;
    if (is_sound(&f)) {
        *out = (struct prepared){f.data + HEAD, f.bytes - HEAD, f};
        return 1;
    }
    if (!is_other_format(&f))
        say("%s: damaged; preparing it again", path);
    file_unmap(&f);
    return 0;
}

int prepared_last(void *out, size_t bytes, const char *cache, const char *key,
                  const char *kind)
{
    OWNED(free) char *path = path_of(cache, key, kind);
    struct file_map f = {.data = NULL};
    int rc = map_there(&f, path);

    if (rc <= 0)
        return rc;
    int has = f.bytes >= HEAD + bytes && !memcmp(f.data, MAGIC, MAGIC_BYTES);
    if (has)
        memcpy(out, f.data + f.bytes - bytes, bytes);
    file_unmap(&f);
    return has;
}

void prepared_close(struct prepared *p)
{
    file_unmap(&p->file);
    *p = (struct prepared){.data = NULL};
}

/* ---- writing ---- */

struct preparing {
    char *path, *temporary;
    FILE *file;
    struct sha256_ctx *hash;
};

/* Returns 1 if no process writes this temporary file.  A writer holds a lock,
 * which ends with its process; a file younger than NEW_SECONDS may not have its
 * lock yet.  If the file system has no locks, returns 0. */
static int is_left_behind(const char *path)
{
    OWNED(close) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
                                         O_CLOEXEC);
    struct stat st;

    return fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
           time(NULL) - st.st_mtime > NEW_SECONDS &&
           !flock(fd, LOCK_EX | LOCK_NB);
}

/* Removes temporary files of `path` that killed processes left.  The cache's
 * path may hold any character, so names are compared and no pattern is used. */
static void sweep(const char *folder, const char *path)
{
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(free) char *begin = str_format("%s.", path + strlen(folder) + 1);
    const char **name;

    if (folder_names(&name, folder, a))
        return;
    for (; *name; name++) {
        const char *own = arena_format(a, "%s/%s", folder, *name);

        if (!strncmp(*name, begin, strlen(begin)) && str_ends(*name, ".tmp") &&
            is_left_behind(own))
            unlink(own);
    }
}

static int failed(const struct preparing *p)
{
    return err_errno(ERR_IO, "%s", p->path);
}

int preparing_begin(struct preparing **out, const char *cache,
                    const char *key, const char *kind)
{
    OWNED(free) char *folder = str_format("%s/prepared", cache);
    struct preparing *p = calloc(1, sizeof *p);
    p->path = path_of(cache, key, kind);
    p->temporary = file_temporary(p->path);
    *out = p;
    PASS(file_mkdirs(folder));
    sweep(folder, p->path);
    p->hash = hash_new();
    p->file = fopen(p->temporary, "wbx");
    if (!p->file || fseek(p->file, HEAD, SEEK_SET))
        return failed(p);
    flock(fileno(p->file), LOCK_EX | LOCK_NB); /* for is_left_behind */
    return OK;
}

int preparing_add(struct preparing *p, const void *data, size_t bytes)
{
    hash_add(p->hash, data, bytes);
    return fwrite(data, 1, bytes, p->file) == bytes ? OK : failed(p);
}

int preparing_end(struct preparing *p)
{
    char hex[HASH_HEX], head[HEAD + 1];

    hash_end(p->hash, hex);
    p->hash = NULL;
    snprintf(head, sizeof head, MAGIC "%-*s\n", HEAD - MAGIC_BYTES - 1, hex);
    int bad = fseek(p->file, 0, SEEK_SET) != 0;
    bad |= fwrite(head, 1, HEAD, p->file) != HEAD;
    bad |= fflush(p->file) != 0;
    if (bad)
        return failed(p);
    PASS(file_commit(p->temporary, p->path));
    preparing_drop(p);
    return OK;
}

void preparing_drop(struct preparing *p)
{
    char hex[HASH_HEX];

    if (!p)
        return;
    if (p->file) {
        fclose(p->file);
        unlink(p->temporary);
    }
    if (p->hash)
        hash_end(p->hash, hex);
    free(p->temporary);
    free(p->path);
    free(p);
}

int prepared_put(const void *data, size_t bytes, const char *cache,
                 const char *key, const char *kind)
{
    OWNED(preparing_drop) struct preparing *p = NULL;

    PASS(preparing_begin(&p, cache, key, kind));
    PASS(preparing_add(p, data, bytes));
    PASS(preparing_end(p));
    p = NULL;
    return OK;
}
