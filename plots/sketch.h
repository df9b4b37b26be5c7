/*
 * sketch: a cell's learning curves in letters, for a terminal: '.' the
 * training loss, 'o' the validation cross-entropy, against the step.
 */
#pragma once

#include <stddef.h>

struct sketch_curve {
    const double *step, *value; /* n of each; nats: those that are not finite,
                                 * or beyond select_sane, are not drawn */
    size_t n;
};

/* *out: lines of at most 79 letters, each ended by a newline; the caller frees
 * it.  ERR_EMPTY: nothing can be drawn; ERR_IO: gnuplot is missing or refused.
 */
int sketch(char **out, const struct sketch_curve *train,
           const struct sketch_curve *valid);
