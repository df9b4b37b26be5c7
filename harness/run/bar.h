/*
 * bar: how a run is getting on, on stderr: on a terminal a progress bar with
 * one line a worker, drawn in place; elsewhere one line a minute.
 */
#pragma once

#include "harness/run/worker.h"

struct bar {
    int    terminal, colour;
    int    lines;     /* on the screen, of the last drawing */
    double drawn;     /* when                               */
};

struct bar_view {
    int    done, failed, total;   /* cells                             */
    double fraction, elapsed, left; /* left: seconds; NAN: nobody knows */
    const struct worker *worker;
    int    workers;
};

void bar_open(struct bar *b);
void bar_draw(struct bar *b, const struct bar_view *v); /* when it is time */
void bar_clear(struct bar *b); /* before anything else is written */
