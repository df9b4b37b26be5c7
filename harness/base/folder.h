/* folder: what is in one; one for the while of a verb. */
#pragma once

#include "harness/base/owned.h"

struct arena;

/* The names in it but hidden ones, sorted; *out, of `a`, ends with NULL.  -1:
 * it has none, errno says why. */
int folder_names(const char ***out, const char *path, struct arena *a);

/* What somebody may have meant by path, which is not there: "DIR/quick", where
 * "DIR/quick.tsv" (end: ".tsv") or "DIR/quick/experiment.json" (end:
 * "/experiment.json") is and path has a name near to that; path may have the
 * end.  NULL: none is near. */
const char *folder_nearest(const char *path, const char *end, struct arena *a);

/* A new one in $TMPDIR or /tmp, "synthbench-NAME-XXXXXX"; caller frees. */
int folder_make(char **out, const char *name);

/* With all that is in it; links are not followed.  NULL is fine. */
void folder_remove(const char *path);

/* What folder_make made, with its name. */
void folder_unmake(char *made);
OWNER(folder_unmake, char *)
