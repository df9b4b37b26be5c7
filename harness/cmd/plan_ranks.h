/* plan_ranks: plan --ranks: estimates the time of a step with several MPI
 * processes. */
#pragma once

#include "harness/plan/project.h"

enum { PLAN_RANKS_ASKED = 16, PLAN_RANKS_MOST = 65536 };

struct ranks_asked {
    int            n, of[PLAN_RANKS_ASKED]; /* n 0: not requested */
    struct network net;
};

/* Prints the projection for the selected cell with the most parameters of each
 * task, and draws it into folder (NULL: draws nothing).  Returns ERR_EMPTY if
 * no cell is selected. */
int plan_ranks_print(const struct plan *p, const struct ranks_asked *asked,
                     const char *format, const char *folder);
