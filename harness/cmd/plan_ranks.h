/* plan_ranks: estimates the time of a training step with several MPI processes,
 * for `plan --ranks`. */
#pragma once

#include "harness/plan/project.h"

enum { PLAN_RANKS_ASKED = 16, PLAN_RANKS_MOST = 65536 };

struct ranks_asked {
    int            n, of[PLAN_RANKS_ASKED]; /* n numbers of processes; if n is
                                               0, --ranks was not given */
    struct network net;
};

/* For each task, takes the selected cell with the most parameters and prints
 * its estimate.  Returns ERR_EMPTY if no cell is selected. */
int plan_ranks_print(const struct plan *p, const struct ranks_asked *asked,
                     const char *format);
