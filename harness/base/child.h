/* child: runs a program to its end, without a shell, and returns its output.
 * child_run is for tools whose messages are part of the answer, such as apt-get
 * and gnuplot; child_output is for git and Slurm, whose output is parsed. */
#pragma once

/* Runs the command `argv`, which ends with NULL; argv[0] is searched for in
 * PATH.  Sets *printed to the command's stdout and stderr; the caller frees
 * *printed.  Returns ERR_IO if no temporary file can be created, or ERR_DATA if
 * there is no such program.  Also returns ERR_DATA, and sets *printed, if the
 * exit status is not 0 or a signal ended the program. */
int child_run(char **printed, const char *const argv[]);

/* Runs `argv` like child_run, but without the environment variables by which
 * another git controls its children ("GIT_DIR"), and sets *out to its stdout
 * only; the caller frees *out.  Returns the exit status.  If it is not 0, the
 * error message names the command and the status, and has the end of what the
 * command wrote to stderr.  Returns ERR_IO if the program cannot be started or
 * is killed by a signal. */
int child_output(char **out, const char *const argv[]);
