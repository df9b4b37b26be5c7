/* files: which files lie below a folder, in an order that no system changes.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct files {
    int    n;
    size_t cap;
    char **file; /* relative to the folder, in the order of their bytes */
};

/* Files below `path` whose relative name matches the pattern (fnmatch(3); a *
 * matches slashes too); and a folder whose name does so and that holds no such
 * file, for who opens it to refuse.  None, or no such folder: n is 0. */
int  files_find(struct files *out, const char *path, const char *pattern);
void files_close(struct files *f);
OWNER_OF_VALUE(files_close, struct files)
