/*
 * gnuplot: runs a gnuplot script in a child process.  plots/easel.h calls these
 * functions.
 *
 * A script could run shell commands by system(), `!`, backquotes and files
 * named "<command" or "|command", and no option of gnuplot prevents this.  So
 * the child drops the right to call fork, vfork and clone, except to create
 * threads, which drawing of fonts requires (seccomp; only on Linux on x86-64
 * and aarch64).  The child does not read the user's settings of gnuplot: it is
 * started with the option -d and only a few environment variables.
 */
#pragma once

#include <sys/types.h>

struct gnuplot {
    pid_t pid;    /* 0: not started                                        */
    int   output; /* a pipe from its stdout and stderr, which the caller reads
                     to the end                                            */
};

/* Starts gnuplot with the script NAME.gp in `folder`, which is also the working
 * directory.  Returns ERR_IO if no process can be started. */
int gnuplot_start(struct gnuplot *g, const char *folder, const char *name);

enum { GNUPLOT_MISSING = 127 };

/* Waits until the process has ended.  Returns 0 if it has drawn the whole
 * script, GNUPLOT_MISSING if gnuplot could not be started, or another number if
 * it has failed. */
int gnuplot_end(struct gnuplot *g);
