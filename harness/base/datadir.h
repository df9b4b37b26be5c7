/*
 * datadir: finds files that are installed with the program and read at run
 * time: experiments, published numbers, gnuplot scripts, the glossary.
 */
#pragma once

#include <limits.h>

/*
 * Sets *out to the path of the file or folder `name`, such as
 * "experiments/published.tsv"; the caller frees *out.  If $SYNTHBENCH_DATA is
 * set, searches only that folder.  Otherwise searches, in this order:
 * BIN/../share/synthbench, which `make install` creates (BIN is the folder of
 * the program); the folder that contains build/MODE, into which `make` builds
 * the program; and the working directory.  Returns ERR_DATA if there is no such
 * file; the message names every path that was tried.
 */
int datadir_find(char **out, const char *name);

/* Writes the path of the folder that contains the running program, without a
 * slash at the end.  Returns ERR_IO if it is unknown. */
int datadir_program(char out[PATH_MAX]);
