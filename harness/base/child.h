/* child: runs a program to its end, without a shell, and returns its output.
 * child_run is for tools such as apt-get and gnuplot.  child_work is for
 * commands that start other programs, such as git, make and sbatch. */
#pragma once

/* Runs the command `argv`, which ends with NULL; argv[0] is searched for in
 * PATH.  Sets *said to the command's stdout and stderr; the caller frees *said.
 * Returns ERR_IO if no temporary file can be created, or ERR_DATA if there is
 * no such program.  Also returns ERR_DATA, and sets *said, if the exit status
 * is not 0 or a signal ended the program. */
int child_run(char **said, const char *const argv[]);

/*
 * Runs `argv` like child_run, but in a process group of its own, and without
 * the environment variables by which another git or make controls its children
 * ("GIT_DIR", "MAKEFLAGS").
 *
 * If `out` is not NULL, sets *out to the command's stdout; the caller frees it.
 * All other output is appended to the file `log`.  If `log` is NULL, the error
 * message contains the end of that output.
 *
 * Returns the exit status.  If it is not 0, the error message names the
 * command, the status and, if `log` is not NULL, the log.  Returns ERR_IO if
 * the program cannot be started or is killed by a signal.  If this process
 * catches a signal (signals_catch), ends the command and all processes that it
 * started, and returns ERR_STOPPED.
 */
int child_work(char **out, const char *log, const char *const argv[]);
