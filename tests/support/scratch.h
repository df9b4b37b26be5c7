/* scratch: creates a temporary folder for a test, and removes it with its
 * contents. */
#pragma once

/* Creates a folder in $TMPDIR or /tmp; remove it with scratch_remove. */
char *scratch_make(void);
void  scratch_remove(char *path);

/* Setup and teardown of a test, or of a group of tests that share the folder
 * scratch_folder. */
extern char *scratch_folder;
int scratch_begin(void **state);
int scratch_end(void **state);
