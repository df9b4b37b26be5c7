/*
 * datadir: finds files that are installed with the program and read at run
 * time: experiments, published numbers, gnuplot scripts, the glossary.
 */
#pragma once

#include <limits.h>

/*
 * Finds the file or folder `name` ("experiments/published.tsv").  *out is its
 * path; the caller frees it.  If $SYNTHBENCH_DATA is set, only that folder is
 * searched.  Otherwise these are searched in order: BIN/../share/synthbench, as
 * `make install` creates it; the folder above build/MODE, where `make` leaves
 * the program; the working directory.  Returns ERR_DATA, whose message names
 * every path that was tried, if there is no such file.
 */
int datadir_find(char **out, const char *name);

/* Writes the folder of the running program, without a closing slash.  Returns
 * ERR_IO if it is unknown. */
int datadir_program(char out[PATH_MAX]);
