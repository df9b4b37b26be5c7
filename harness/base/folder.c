#include "harness/base/folder.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>

int folder_make(char **out, const char *name)
{
    const char *tmp = getenv("TMPDIR");
    int rc = OK;

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
            remove(e->fts_accpath); /* what stays tells where it is */
    fts_close(walk);
}
