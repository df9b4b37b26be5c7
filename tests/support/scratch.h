/* scratch: a folder of its own for a test, removed with all that is in it. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

/* In $TMPDIR or /tmp; the caller gives it to scratch_remove. */
char *scratch_make(void);
void  scratch_remove(char *path);

#endif
