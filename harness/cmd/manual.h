/* manual: the man page and the shells' completions, from the rows of every
 * verb. */
#ifndef CMD_MANUAL_H
#define CMD_MANUAL_H

#include <stdio.h>

void manual_page(FILE *out); /* roff, of the man macros */

/* shell: bash, zsh or fish.  ERR_USAGE: another. */
int manual_completion(const char *shell, FILE *out);

#endif
