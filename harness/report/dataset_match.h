/*
 * dataset_match: checks that the compared cells of a task were trained and
 * tested on the same data.  evidence_read.c adds the cells.
 *
 * Rows with the same varied settings ("random,N=32" and "dense,N=32") must have
 * the same data, and so must rows without varied settings.  Rows with different
 * varied settings ("random,N=32" and "random,N=64") may have different data.
 */
#pragma once

#include "harness/base/arena.h"

/* Set `memory` and zero the other members, then add every cell. */
struct dataset_match {
    struct arena     *memory;
    int               n, sets; /* number of rows; number of data sets */
    struct dataset_row *row;
};

struct dataset_cell {
    const char *id, *variant, *digest; /* digest: of all data */
    size_t      examples;              /* in the test set     */
};

/* Adds a cell and sets *set to the number, from 0, of the cell's data set.
 * Returns ERR_STORE if a row with the same varied settings has a different data
 * set.  `where`, such as "table", is used in the message. */
int dataset_match_add(int *set, struct dataset_match *a,
                      const struct dataset_cell *c, const char *where);
