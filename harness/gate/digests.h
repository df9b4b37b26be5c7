/*
 * digests: checks whether two stores are bit-identical, for `compare --digests
 * STORE STORE`.
 *
 * Cells are matched by id.  The remaining cells are matched by row (the name in
 * tables, such as "random,steps=700"), task, scale and seed, if these identify
 * one cell in each store.
 */
#pragma once

#include "harness/gate/pair_cells.h"
#include "harness/store/likeness.h"

enum digests_outcome {
    DIGESTS_EQUAL, DIGESTS_WEIGHTS, DIGESTS_NUMBERS, DIGESTS_ONLY_A,
    DIGESTS_ONLY_B, DIGESTS_DAMAGED, DIGESTS_OUTCOMES
};
extern const char *const digests_word[]; /* "different weights" */

struct digests_pair {
    const char          *name;   /* "random/lm1b/smoke/1"                */
    const char          *id[2];  /* in A and B; NULL: not in this store  */
    enum digests_outcome outcome;
    const char          *what;   /* what differs; or ""                  */
    const char          *damage; /* why a cell cannot be read; or NULL   */
    struct likeness      like;   /* of cells that both stores have       */
};

struct digests {
    struct digests_pair *pair; /* (n) those with equal ids first */
    int                  n, count[DIGESTS_OUTCOMES];
    struct baseline     *side[2]; /* own the names and ids        */
    struct arena        *memory;
};

/* Compares the stores in folders `a` and `b`.  Returns ERR_EMPTY if both have
 * no finished cell, or an error of store_open.  Call digests_close in any
 * case. */
int  digests_compare(struct digests *out, const char *a, const char *b);
void digests_close(struct digests *d);
OWNER_OF_VALUE(digests_close, struct digests)
