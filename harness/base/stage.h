/*
 * stage: reports on stderr how far a stage of long work is.  On a terminal, one
 * line is redrawn; otherwise a line is printed after 5 s and then every 20 s.
 * Work that takes less time prints nothing.
 *
 *     OWNED(stage_end) struct stage s = {"reading cells", 0, 0, 0};
 *     for (int i = 0; i < n; i++) {
 *         stage_show(&s, i, n);
 *         ...
 *     }
 */
#pragma once

#include "harness/base/owned.h"

struct stage {
    const char *what;         /* "reading cells" */
    double      began, shown; /* start as 0 */
    int         on_screen;    /* 1: a line of a terminal is to be cleared */
};

/* Reports that `done` of `total` units are done. */
void stage_show(struct stage *s, int done, int total);

/* Clears the line on a terminal. */
void stage_end(struct stage *s);
OWNER_OF_VALUE(stage_end, struct stage)
