/* folder: lists folders, suggests names, and creates temporary folders for the
 * duration of a command. */
#pragma once

#include "harness/base/owned.h"

struct arena;

/* Lists the names in a folder, sorted, without hidden ones.  *out belongs to
 * `a` and ends with NULL.  Returns -1 with errno set, and an empty list, if it
 * cannot be read. */
int folder_names(const char ***out, const char *path, struct arena *a);

/* Returns the name that is nearest to `path`, which does not exist, or NULL if
 * none is near.  It is "DIR/quick" if there is a file "DIR/quick.tsv" (end
 * ".tsv") or "DIR/quick/experiment.json" (end "/experiment.json") and path is
 * similar to that name.  path may include the end. */
const char *folder_nearest(const char *path, const char *end, struct arena *a);

/* Creates a folder "synthbench-NAME-XXXXXX" in $TMPDIR or /tmp.  *out is its
 * path; release it with folder_unmake.  Returns ERR_USAGE if TMPDIR is no
 * folder. */
int folder_make(char **out, const char *name);

/* Removes a folder and its contents; links are not followed.  NULL is
 * allowed. */
void folder_remove(const char *path);

/* Removes a folder of folder_make and frees its path. */
void folder_unmake(char *made);
OWNER(folder_unmake, char *)
