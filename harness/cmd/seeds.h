/* seeds: which ones, as the command line says it. */
#ifndef CMD_SEEDS_H
#define CMD_SEEDS_H

#include "harness/base/arena.h"

enum { SEEDS_MOST = 10000 };

/*
 * "3": 1, 2, 3.  "4,7": those two.  "4..7": 4, 5, 6, 7; lists and ranges mix.
 * *out: *n of them in this order, each once, 0 to 2^32 - 1; it
 * lives in `memory`.  ERR_USAGE says what is wrong with the text.
 */
int seeds_read(long long **out, int *n, const char *text,
               struct arena *memory);

#endif
