/*
 * gnuplot: a child process that reads commands until its socket is shut down.
 *
 * A script can reach the shell by system(), `!`, backquotes and files named
 * "<command" or "|command"; gnuplot has no option against that.  So the child
 * gives up fork, vfork and clone but for threads, which the fonts need
 * (seccomp; Linux on x86-64 and aarch64, elsewhere nothing is given up).  It
 * reads no settings of the user (-d, and little of the environment), and its
 * working directory is the folder.
 */
#pragma once

#include "harness/base/owned.h"

#include <sys/types.h>

struct gnuplot {
    pid_t pid;    /* 0: not started                                    */
    int   socket; /* its stdin, and its stdout and stderr together     */
};

/* ERR_IO: no process can be started.  Whether gnuplot is installed is known
 * only when the process ends. */
int gnuplot_start(struct gnuplot *g, const char *folder);

/* Sends commands.  If the process has ended, does nothing. */
void gnuplot_tell(const struct gnuplot *g, const char *commands);

/* Waits until the process ends, which it does when it has read all commands.
 * Returns the status of waitpid. */
int  gnuplot_end(struct gnuplot *g);
int  gnuplot_is_missing(int status); /* 1: gnuplot is not installed */

void gnuplot_close(struct gnuplot *g); /* ends it at once */
OWNER_OF_VALUE(gnuplot_close, struct gnuplot)
