/* scratch: a folder of its own for a test, removed with all that is in it. */
#pragma once

/* In $TMPDIR or /tmp; the caller gives it to scratch_remove. */
char *scratch_make(void);
void  scratch_remove(char *path);
