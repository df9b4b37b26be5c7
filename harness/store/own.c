/* What a store writes stays below its own folder: whoever made the store may
 * have put a link there that leads elsewhere. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/store_private.h"

#include <stdlib.h>
#include <sys/stat.h>

static const struct { const char *name; int folder; } own[] = {
    {"cells", 1}, {"claims", 1}, {"failed", 1}, {"checkpoints", 1},
    {"logs", 1}, {"weights", 1}, {"plots", 1}, {"quarantine", 1},
    {"rerun", 1}, {"speed", 1}, {"journal.tsv", 0}, {"lock", 0},
    {"claims/.lock", 0}};

static const char *fault(const char *path, int folder)
{
    struct stat st;

    if (lstat(path, &st))
        return NULL; /* whoever needs it tells why it cannot be had */
    if (S_ISLNK(st.st_mode))
        return "is a link, which may lead out of the store: put there what "
               "it leads to, or remove it";
    return folder || S_ISREG(st.st_mode) ? NULL : "is not a file: remove it";
}

int store_own(const char *store)
{
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        OWNED(free) char *path = str_format("%s/%s", store, own[i].name);
        const char *what = fault(path, own[i].folder);

        if (what)
            return err_set(ERR_STORE, "%s: %s", path, what);
    }
    return OK;
}
