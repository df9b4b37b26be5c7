/*
 * datadir: files that come with the program and are read when it runs:
 * experiments, published numbers, gnuplot scripts, the glossary.
 */
#pragma once

#include <limits.h>

/*
 * *out: the path of NAME ("experiments/published.tsv"); the caller frees.
 * Looked for in $SYNTHBENCH_DATA if that is set, and nowhere else then;
 * beside the program as `make install` lays it (BIN/../share/synthbench);
 * above build/MODE, where `make` leaves the program; in the working directory.
 * ERR_DATA names every path that was tried.
 */
int datadir_find(char **out, const char *name);

/* The folder of the running program, without a closing slash. */
int datadir_program(char out[PATH_MAX]);
