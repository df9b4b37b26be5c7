/*
 * gnuplot: a child process that reads commands until its socket is shut down.
 * Start it, send commands, read its output from `socket`, and end it.
 *
 * A script can run shell commands by system(), `!`, backquotes and files named
 * "<command" or "|command"; gnuplot has no option against that.  So the child
 * drops the right to call fork, vfork and clone, except for threads, which the
 * fonts need (seccomp; Linux on x86-64 and aarch64 only: elsewhere it drops
 * nothing).  It does not read the user's settings (-d, and few variables of
 * the environment), and its working directory is the folder.
 */
#pragma once

#include "harness/base/owned.h"

#include <sys/types.h>

struct gnuplot {
    pid_t pid;    /* 0: not started                                    */
    int   socket; /* connected to its stdin, stdout and stderr         */
};

/* Returns ERR_IO if no process can be started.  Whether gnuplot is installed
 * is known only when the process ends. */
int gnuplot_start(struct gnuplot *g, const char *folder);

/* Sends commands.  If the process has ended, does nothing. */
void gnuplot_tell(const struct gnuplot *g, const char *commands);

/* Waits until the process ends, which it does when it has read all commands.
 * Returns its status as of waitpid, or 0 if it was not started. */
int  gnuplot_end(struct gnuplot *g);

/* Returns 1 if the status says that gnuplot is not installed. */
int  gnuplot_is_missing(int status);

void gnuplot_close(struct gnuplot *g); /* kills it */
OWNER_OF_VALUE(gnuplot_close, struct gnuplot)
