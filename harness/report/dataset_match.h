/*
 * dataset_match: which data the cells of one task saw.  Rows that vary what
 * data are made of ("random,N=32") have data of their own; rows that vary
 * alike have the same, and so have those that vary nothing.
 */
#pragma once

#include "harness/base/arena.h"

struct dataset_match { /* zero but for memory; add to it cell by cell */
    struct arena     *memory;
    int               n, sets; /* sets: how many different data there are */
    struct dataset_row *row;
};

/* *set: of the data of a cell with that many examples, from 0.  ERR_STORE:
 * others that vary alike have other data; where they were to stand, "table",
 * is for the message. */
struct dataset_cell {
    const char *id, *variant, *digest;
    size_t      examples;
};
int dataset_match_add(int *set, struct dataset_match *a,
                      const struct dataset_cell *c, const char *where);
