/*
 * progress: shows the progress of a run on stderr.  On a terminal, a bar with
 * one line per worker is redrawn in place; otherwise the same lines are printed
 * after five seconds, and then once per minute.
 */
#pragma once

#include "harness/run/worker.h"

struct progress_lines {
    int    terminal, colour;
    int    lines;     /* on the screen                      */
    double drawn;     /* time of the last drawing           */
};

struct progress_view {
    int    done, failed, total;   /* cells                             */
    double fraction, elapsed, left; /* seconds left; NAN: unknown      */
    const struct worker *worker;
    int    workers;
};

void progress_open(struct progress_lines *b);

/* Redraws if the last drawing is at least 0.2 s old on a terminal, or 60 s (5 s
 * for the first) otherwise. */
void progress_draw(struct progress_lines *b, const struct progress_view *v);

/* Removes the bar.  Call it before writing anything else to the terminal. */
void progress_clear(struct progress_lines *b);
