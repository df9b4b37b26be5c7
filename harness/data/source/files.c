#include "harness/data/source/files.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 16 };

struct search {
    struct files *out;
    const char *path, *pattern;
};

static void add(struct files *f, const char *file)
{
    ARRAY_ROOM(f->file, f->n, f->cap);
    f->file[f->n++] = str_copy(file);
}

static int walk(const struct search *s, const char *below, int depth);

static int visit(const struct search *s, const char *file, int depth)
{
    OWNED(free) char *path = str_format("%s/%s", s->path, file);
    struct stat st;
    int rc = OK, n = s->out->n;

    if (!stat(path, &st) && S_ISDIR(st.st_mode))
        rc = walk(s, file, depth + 1);
    if (s->out->n == n && !fnmatch(s->pattern, file, 0))
        add(s->out, file);
    return rc;
}

static int walk(const struct search *s, const char *below, int depth)
{
    OWNED(free) char *path = str_format("%s/%s", s->path, below);
    DIR *d = depth < DEEPEST ? opendir(path) : NULL;
    struct dirent *e;
    int rc = OK;

    if (!d && depth < DEEPEST && errno != ENOENT && errno != ENOTDIR)
        rc = err_errno(ERR_DATA, "%s", path);
    while (d && rc == OK && (e = readdir(d))) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        char *file = str_format("%s%s%s", below, *below ? "/" : "", e->d_name);
        rc = visit(s, file, depth);
        free(file);
    }
    if (d)
        closedir(d);
    return rc;
}

static int present(const char *path, const char *file)
{
    OWNED(free) char *name = str_format("%s/%s", path, file);
    struct stat st;
    int yes = !stat(name, &st);

    return yes;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A pattern says in its first folders where to look. */
int files_find(struct files *out, const char *path, const char *pattern)
{
    struct search s = {out, path, pattern};
    OWNED(free) char *below = str_copy(pattern);
    int rc = OK;

    *out = (struct files){.n = 0};
    if (below[strcspn(below, "*?[")]) {
        below[strcspn(below, "*?[")] = 0;
        char *slash = strrchr(below, '/');
        *(slash ? slash : below) = 0;
        TRY(walk(&s, below, 0));
    } else if (present(path, pattern)) {
        add(out, pattern);
    }
    if (out->n)
        qsort(out->file, (size_t)out->n, sizeof *out->file, by_name);
out:
    if (rc < 0)
        files_close(out);
    return rc;
}

void files_close(struct files *f)
{
    for (int i = 0; i < f->n; i++)
        free(f->file[i]);
    free(f->file);
    *f = (struct files){.n = 0};
}
