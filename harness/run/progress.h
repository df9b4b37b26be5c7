/*
 * progress: how a run is getting on, on stderr: on a terminal a progress bar
 * with one line a worker, drawn in place; elsewhere one line a minute.
 */
#pragma once

#include "harness/run/worker.h"

struct progress_lines {
    int    terminal, colour;
    int    lines;     /* on the screen, of the last drawing */
    double drawn;     /* when                               */
};

struct progress_view {
    int    done, failed, total;   /* cells                             */
    double fraction, elapsed, left; /* left: seconds; NAN: nobody knows */
    const struct worker *worker;
    int    workers;
};

void progress_open(struct progress_lines *b);
/* Draws again if it is time to. */
void progress_draw(struct progress_lines *b, const struct progress_view *v);
/* Must be called before anything else is written to the terminal. */
void progress_clear(struct progress_lines *b);
