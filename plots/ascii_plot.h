/*
 * ascii_plot: draws the learning curves of a cell as text for a terminal,
 * against the training step: the training loss (`.`) and the validation
 * cross-entropy (`o`).  `synthbench show` calls ascii_plot.
 */
#pragma once

#include <stddef.h>

struct ascii_curve {
    const double *step, *value; /* [n]; value: nats; only values for which
                                 * select_sane (select.h) returns 1 are drawn */
    size_t n;
};

/* Sets *out to lines of at most 79 characters, each ended by a newline; the
 * caller frees *out.  Returns ERR_EMPTY if the curves have no value to draw, or
 * ERR_IO if gnuplot is missing or fails. */
int ascii_plot(char **out, const struct ascii_curve *train,
               const struct ascii_curve *valid);
