/* porter: ranks as processes of this one, which is their porter
 * (harness/ranks/wire.h): it carries packets late, and some of a cell that is
 * over. */
#pragma once

#include "harness/ranks/ranks.h"

enum { PORTER_RANKS = 4, PORTER_CELL = 7 };

/* Each of n ranks does `work` in a process of its own, which answers 0 where
 * all was as it should be; how many did not. */
int porter_serve(int n, int (*work)(struct ranks *r, void *arg), void *arg);

/* For a rank that waits: its end is exit code 3. */
extern const struct ranks_life porter_life;
