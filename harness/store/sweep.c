/* Files that a dead process left under temporary names: NAME.PID.tmp of
 * file_temporary, and checkpoints/ID.tmp. */
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/store_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder with other files in it may have been taken for a store: what is not
 * named as ours are is left alone. */
int is_temporary(const char *folder, const char *name)
{
    size_t n = strlen(name), id = strspn(name, "0123456789abcdef");

    if (n <= 4 || strcmp(name + n - 4, ".tmp"))
        return 0;
    return *folder ? id && name[id] == '.'
                   : !strncmp(name, "index.h5.", 9) ||
                         !strncmp(name, "experiment.json.", 16);
}

/* What is written of a cell is written under its claim. */
static int written_under_claim(struct store *s, const char *name)
{
    OWNED(free) char *id = str_format("%.*s", (int)strcspn(name, "."), name);

    return store_claimed(s, id);
}

static long writer(const char *name)
{
    const char *end = name + strlen(name) - strlen(".tmp"), *at = end;
    long pid = 0;

    while (at > name && at[-1] != '.')
        at--;
    return sscanf(at, "%ld.tmp", &pid) == 1 ? pid : 0;
}

/* Where there are no claims: its process is not here, and it has not grown for
 * as long as a process elsewhere would let no claim go stale. */
static int is_written(int folder, const char *name, time_t now)
{
    struct stat st;

    return process_exists(writer(name)) ||
           fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) ||
           now - st.st_mtime < STALE;
}

int store_written(struct store *s, const char *folder, const char *name)
{
    if (strcmp(folder, "claims") && *folder)
        return written_under_claim(s, name);
    return process_exists(writer(name));
}

static void sweep_folder(struct store *s, const char *name, time_t now)
{
    OWNED(free) char *path = str_format("%s/%s", s->path, name);
    OWNED(closedir) DIR *d = opendir(path);

    for (struct dirent *e; d && (e = readdir(d));) {
        if (!is_temporary(name, e->d_name))
            continue;
        if (*name ? !written_under_claim(s, e->d_name)
                  : !is_written(dirfd(d), e->d_name, now))
            unlinkat(dirfd(d), e->d_name, 0);
    }
}

void sweep_temporary(struct store *s, time_t now)
{
    static const char *const folder[] = {"cells", "checkpoints", "failed",
                                         "weights", ""};

    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++)
        sweep_folder(s, folder[i], now);
}
