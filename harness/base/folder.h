/* folder: one for the while of a verb. */
#pragma once

/* A new one in $TMPDIR or /tmp, "synthbench-NAME-XXXXXX"; caller frees. */
int folder_make(char **out, const char *name);

/* With all that is in it; links are not followed.  NULL is fine. */
void folder_remove(const char *path);
