/* projected: plan --ranks: what a step would take of so many. */
#pragma once

#include "harness/plan/project.h"

enum { PROJECTED_RANKS = 16, PROJECTED_MOST = 65536 };

struct ranks_asked {
    int            n, of[PROJECTED_RANKS]; /* n 0: nothing was asked */
    struct network net;
};

/* Of each task the selected cell of most parameters.  folder: where the picture
 * goes, or NULL.  ERR_EMPTY: none. */
int projected_tell(const struct plan *p, const struct ranks_asked *asked,
                   const char *format, const char *folder);
