/* child: a program run to its end, without a shell, and what it said. */
#pragma once

/* argv ends with NULL; argv[0] is looked for in PATH.  *said: stdout and stderr
 * together; the caller frees.  ERR_DATA: there is no such program, or it did
 * not exit with 0 (*said is set). */
int child_run(char **said, const char *const argv[]);
