#include "harness/data/source/files.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 16 };

static void add_file(struct files *f, const char *file)
{
    ARRAY_ROOM(f->file, f->n, f->cap);
    f->file[f->n++] = str_copy(file);
}

/* Adds the files below `top` that match the pattern.  In each path, the name
 * relative to the folder begins after `skip` bytes. */
static int walk(struct files *out, char *top, size_t skip, const char *pattern)
{
    FTS *tree = fts_open((char *const[]){top, NULL},
                         FTS_LOGICAL | FTS_NOCHDIR, NULL);
    int rc = OK;

    for (FTSENT *e; rc == OK && (e = fts_read(tree));) {
        if (e->fts_info == FTS_D) {
            e->fts_number = out->n;
            if (e->fts_level >= DEEPEST)
                fts_set(tree, e, FTS_SKIP);
        } else if (e->fts_info == FTS_DNR && e->fts_errno != ENOENT) {
            errno = e->fts_errno;
            rc = err_errno(ERR_DATA, "%s", e->fts_path);
        } else if (e->fts_level > 0 &&
                   (e->fts_info != FTS_DP || e->fts_number == out->n) &&
                   !fnmatch(pattern, e->fts_path + skip, 0)) {
            add_file(out, e->fts_path + skip);
        }
    }
    fts_close(tree);
    return rc;
}

/* The search starts in the last folder of the pattern before its first
 * wildcard. */
int files_find(struct files *out, const char *path, const char *pattern)
{
    OWNED(free) char *top = str_format("%s/%s", path, pattern);
    size_t skip = strlen(path) + 1, plain = strcspn(pattern, "*?[");
    struct stat st;
    int rc = OK;

    *out = (struct files){.n = 0};
    if (pattern[plain]) {
        top[skip + plain] = 0;
        strrchr(top, '/')[1] = 0;
        rc = walk(out, top, skip, pattern);
    } else if (!stat(top, &st)) {
        add_file(out, pattern);
    }
    if (rc < 0)
        files_close(out);
    else if (out->n)
        qsort(out->file, (size_t)out->n, sizeof *out->file, str_order);
    return rc;
}

void files_close(struct files *f)
{
    for (int i = 0; i < f->n; i++)
        free(f->file[i]);
    free(f->file);
    *f = (struct files){.n = 0};
}
