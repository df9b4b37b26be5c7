/*
 * dataset_match: which data the cells of one task were trained and tested on.
 * Rows that vary a setting of the data ("random,N=32") may have data of their
 * own.  Rows with the same varied settings ("random,N=32" and "dense,N=32")
 * must have the same data, and so must rows that vary nothing.
 */
#pragma once

#include "harness/base/arena.h"

struct dataset_match { /* set `memory`, other members 0; then add every cell */
    struct arena     *memory;
    int               n, sets; /* number of rows; of different data sets */
    struct dataset_row *row;
};

/* Adds a cell and sets *set to the number, from 0, of its data.  Returns
 * ERR_STORE if a row with the same varied settings has other data; `where`,
 * such as "table", is used in the message. */
struct dataset_cell {
    const char *id, *variant, *digest;
    size_t      examples;
};
int dataset_match_add(int *set, struct dataset_match *a,
                      const struct dataset_cell *c, const char *where);
