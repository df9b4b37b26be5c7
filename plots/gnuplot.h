/*
 * gnuplot: runs gnuplot as a child process.  The caller starts the process,
 * sends commands, reads its output from `socket`, and ends it.  plots/easel.h
 * calls these functions.
 *
 * A script could run shell commands by system(), `!`, backquotes and files
 * named "<command" or "|command", and no option of gnuplot prevents this.  So
 * the child drops the right to call fork, vfork and clone, except to create
 * threads, which drawing of fonts requires (seccomp; only on Linux on x86-64
 * and aarch64).  The child does not read the user's settings of gnuplot: it is
 * started with the option -d and only a few environment variables.
 */
#pragma once

#include "harness/base/owned.h"

#include <sys/types.h>

struct gnuplot {
    pid_t pid;    /* 0: not started                                    */
    int   socket; /* connected to its stdin, stdout and stderr         */
};

/* Starts gnuplot with `folder` as its working directory.  Returns ERR_IO if no
 * process can be started.  Whether gnuplot is installed is known only when the
 * process ends. */
int gnuplot_start(struct gnuplot *g, const char *folder);

/* Sends commands.  If the process has ended, does nothing. */
void gnuplot_tell(const struct gnuplot *g, const char *commands);

/* Waits until the process ends, which it does when it has read all commands.
 * Returns the status that waitpid reports, or 0 if the process was not
 * started. */
int  gnuplot_end(struct gnuplot *g);

/* Returns 1 if the status means that gnuplot is not installed. */
int  gnuplot_is_missing(int status);

void gnuplot_close(struct gnuplot *g); /* kills the process */
OWNER_OF_VALUE(gnuplot_close, struct gnuplot)
