/* folder: lists folders, suggests names, and creates temporary folders for the
 * duration of a command. */
#pragma once

#include "harness/base/owned.h"

struct arena;

/* Sets *out to the sorted names in a folder, without hidden ones.  The list is
 * allocated from arena `a` and ends with NULL.  If the folder cannot be read,
 * returns -1 with errno set, and *out is an empty list. */
int folder_names(const char ***out, const char *path, struct arena *a);

/* Suggests a name for `path`, which does not exist: returns the nearest NAME
 * for which NAME followed by `end` is a file, or NULL if none is near.  For
 * example, if `end` is ".tsv" and "DIR/quick.tsv" is a file, returns
 * "DIR/quick" for "DIR/quik".  If `end` is "/experiment.json", the file must be
 * "DIR/quick/experiment.json".  `path` may end with `end`. */
const char *folder_nearest(const char *path, const char *end, struct arena *a);

/* Creates a folder "synthbench-NAME-XXXXXX" in $TMPDIR or /tmp.  Sets *out to
 * its path, which the caller passes to folder_unmake.  Returns ERR_USAGE if
 * $TMPDIR is not a folder. */
int folder_make(char **out, const char *name);

/* Removes a folder and its contents; links are not followed.  NULL is
 * allowed. */
void folder_remove(const char *path);

/* Removes a folder that folder_make created, and frees its path. */
void folder_unmake(char *made);
OWNER(folder_unmake, char *)
