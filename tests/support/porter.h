/* porter: runs ranks as child processes of the test, which acts as their MPI
 * helper process (harness/ranks/wire.h). It delays packets, and sends each rank
 * a packet of an earlier cell first. */
#pragma once

#include "harness/ranks/ranks.h"

enum { PORTER_RANKS = 4, PORTER_CELL = 7 };

/* Runs `work` in n processes, one per rank. `work` returns 0 on success.
 * Returns the number of ranks that failed. */
int porter_serve(int n, int (*work)(struct ranks *r, void *arg), void *arg);

/* Lets a rank exit with code 3 if it has waited for 20 s. */
extern const struct ranks_life porter_life;
