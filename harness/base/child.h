/* child: runs a program to its end, without a shell, and returns its output.
 * child_run is for tools such as apt-get and gnuplot, child_work for commands
 * that start others, such as git, make and sbatch. */
#pragma once

/* Runs argv, which ends with NULL; argv[0] is searched for in PATH.  *said is
 * stdout and stderr together; the caller frees it.  Returns ERR_DATA if there
 * is no such program, or if it does not exit with 0 (*said is then set), or
 * ERR_IO if there is no temporary file. */
int child_run(char **said, const char *const argv[]);

/*
 * Runs argv like child_run, but in a process group of its own, and without the
 * environment variables by which another git or make controls its children
 * ("GIT_DIR", "MAKEFLAGS").
 *
 * If `out` is not NULL, *out is stdout; the caller frees it.  All other output
 * is appended to the file `log`; if log is NULL, the error message contains its
 * end.
 *
 * Returns the exit status.  If it is not 0, the message names the command and
 * the reason or the log.  Returns ERR_IO if the program cannot be started or is
 * killed by a signal, or ERR_STOPPED if this process caught a signal
 * (signals_catch); then the command and all that it started have been ended.
 */
int child_work(char **out, const char *log, const char *const argv[]);
