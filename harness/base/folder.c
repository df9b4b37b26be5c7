#include "harness/base/folder.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"

#include <dirent.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int visible(const struct dirent *e) { return *e->d_name != '.'; }

int folder_names(const char ***out, const char *path, struct arena *a)
{
    static const char *none[] = {NULL};
    OWNED(free) struct dirent **entry = NULL;
    int n = scandir(path, &entry, visible, alphasort);

    *out = none;
    if (n < 0)
        return -1;
    *out = arena_zero(a, ((size_t)n + 1) * sizeof **out);
    for (int i = 0; i < n; i++) {
        (*out)[i] = arena_text(a, entry[i]->d_name);
        free(entry[i]);
    }
    return 0;
}

/* Keeps each NAME for which NAME followed by `end` is a file in the folder.
 * `name` lists the names in the folder; the kept ones do not include `end`. */
static void keep_ending(const char **name, const char *folder, const char *end,
                        struct arena *a)
{
    int n = 0;

    for (int i = 0; name[i]; i++) {
        size_t all = strlen(name[i]), behind = strlen(end);

        if (*end != '/' && str_ends(name[i], end))
            name[n++] = arena_format(a, "%.*s", (int)(all - behind), name[i]);
        else if (*end == '/' &&
                 file_exists(arena_format(a, "%s/%s%s", folder, name[i], end)))
            name[n++] = name[i];
    }
    name[n] = NULL;
}

const char *folder_nearest(const char *path, const char *end, struct arena *a)
{
    size_t n = strlen(path);
    const char **name, *folder = ".";

    n -= str_ends(path, end) ? strlen(end) : 0;
    while (n > 1 && path[n - 1] == '/')
        n--;
    char *word = arena_format(a, "%.*s", (int)n, path);
    char *slash = strrchr(word, '/');

    if (slash)
        folder = slash == word ? "/" : arena_format(
            a, "%.*s", (int)(slash - word), word);
    if (folder_names(&name, folder, a))
        return NULL;
    keep_ending(name, folder, end, a);
    const char *near = str_nearest(slash ? slash + 1 : word, name);
    return !near || !slash ? near : arena_format(
        a, "%.*s%s", (int)(slash + 1 - word), word, near);
}

int folder_make(char **out, const char *name)
{
    const char *tmp = getenv("TMPDIR");
    int rc = OK;

    *out = NULL;
    if (tmp && *tmp && file_named(tmp, 1) < 0)
        return err_wrap(ERR_USAGE, "TMPDIR");
    *out = str_format("%s/synthbench-%s-XXXXXX", tmp && *tmp ? tmp : "/tmp",
                      name);
    if (!mkdtemp(*out)) {
        rc = err_errno(ERR_IO, "%s", *out);
        free(*out);
        *out = NULL;
    }
    return rc;
}

void folder_remove(const char *path)
{
    char *const root[] = {(char *)path, NULL};
    FTS *walk = path ? fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;

    if (!walk)
        return;
    for (FTSENT *e; (e = fts_read(walk));)
        if (e->fts_info != FTS_D)
            /* Failures are ignored: files that cannot be removed remain. */
            remove(e->fts_accpath);
    fts_close(walk);
}

void folder_unmake(char *made)
{
    folder_remove(made);
    free(made);
}
