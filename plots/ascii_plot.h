/*
 * ascii_plot: a cell's learning curves in letters, for a terminal: '.' the
 * training loss, 'o' the validation cross-entropy, against the step.
 */
#pragma once

#include <stddef.h>

struct ascii_curve {
    const double *step, *value; /* n of each; nats: those that are not finite,
                                 * or beyond select_sane, are not drawn */
    size_t n;
};

/* *out: lines of at most 79 letters, each ended by a newline; the caller frees
 * it.  ERR_EMPTY: nothing can be drawn; ERR_IO: gnuplot is missing or refused.
 */
int ascii_plot(char **out, const struct ascii_curve *train,
               const struct ascii_curve *valid);
