/*
 * gnuplot: runs a script in a child process that can start no other.
 *
 * A script can reach the shell by system(), `!`, backquotes and files named
 * "<command" or "|command"; gnuplot has no option against that.  So the child
 * gives up fork, vfork and clone but for threads, which the fonts need
 * (seccomp; Linux on x86-64 and aarch64, elsewhere nothing is given up).  It
 * reads no settings of the user (-d, and little of the environment).
 */
#ifndef PLOTS_GNUPLOT_H
#define PLOTS_GNUPLOT_H

/* Runs `gnuplot script` in folder.  ERR_IO: gnuplot is missing, or refused,
 * with what it said. */
int gnuplot_run(const char *folder, const char *script);

#endif
