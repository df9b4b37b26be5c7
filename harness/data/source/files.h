/*
 * files: lists the files below a folder in an order that is the same on every
 * system.  Corpora and manifests call files_find, then files_close.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct files {
    int    n;
    size_t cap;
    char **file; /* relative to the folder, in byte order */
};

/* Finds the files below the folder `path` whose relative name matches the
 * pattern (fnmatch(3); a * also matches slashes).  A subfolder that matches but
 * contains no matching file is listed, too: the caller then fails to open it,
 * so that it is not overlooked. If nothing matches or there is no folder
 * `path`, out->n is 0.  Call files_close to free. */
int  files_find(struct files *out, const char *path, const char *pattern);
void files_close(struct files *f);
OWNER_OF_VALUE(files_close, struct files)
