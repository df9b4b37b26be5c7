/* child: a program run to its end, without a shell, and what it said. */
#pragma once

/* argv ends with NULL; argv[0] is looked for in PATH.  *said: stdout and stderr
 * together; the caller frees.  ERR_DATA: there is no such program, or it did
 * not exit with 0 (*said is set). */
int child_run(char **said, const char *const argv[]);

/*
 * The same for git, make and what they start: a group of processes of its own,
 * without the variables by which another git or make steers its children
 * ("GIT_DIR", "MAKEFLAGS").
 *
 * *out: stdout, where it is asked for (not NULL); the caller frees.  What else
 * it says is written behind what the file `log` holds; NULL: a message keeps
 * it.  Answers the exit status, and keeps a message where that is not 0, with
 * the command and where it said why.  ERR_IO: there is no such program, or a
 * signal killed it; ERR_STOPPED: a signal came while it ran (signals_catch),
 * and it was ended with all that it had started.
 */
int child_work(char **out, const char *log, const char *const argv[]);
