/* plan_ranks: plan --ranks: what a step would take of so many. */
#pragma once

#include "harness/plan/project.h"

enum { PLAN_RANKS_ASKED = 16, PLAN_RANKS_MOST = 65536 };

struct ranks_asked {
    int            n, of[PLAN_RANKS_ASKED]; /* n 0: nothing was asked */
    struct network net;
};

/* Of each task the selected cell of most parameters.  folder: where the picture
 * goes, or NULL.  ERR_EMPTY: none. */
int plan_ranks_print(const struct plan *p, const struct ranks_asked *asked,
                     const char *format, const char *folder);
