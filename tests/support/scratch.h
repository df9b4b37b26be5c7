/* scratch: creates a temporary folder for a test, and removes it with its
 * contents. */
#pragma once

/* Creates a folder in $TMPDIR or /tmp; remove it with scratch_remove. */
char *scratch_make(void);
void  scratch_remove(char *path);
