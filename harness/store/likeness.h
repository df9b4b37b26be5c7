/* likeness: compares two finished cells and describes their differences, to
 * show whether one is a bit-identical repetition of the other.  Call
 * likeness_read, then likeness_text or likeness_why. */
#pragma once

#include "harness/base/arena.h"
#include "harness/store/cell_diff.h"

struct likeness {
    int                 n[CELL_KINDS];     /* differences of each kind  */
    struct cell_change *of[CELL_KINDS];    /* lists in `memory`         */
    const char         *weights[2]; /* digests; "": a cell without weights */
    struct arena       *memory;
};

/* Compares two cells; texts are allocated from arena `a`.  Returns ERR_EMPTY if
 * a cell does not exist, or ERR_STORE if a cell is damaged. */
int likeness_of(struct likeness *out, struct cell_reader *x,
                struct cell_reader *y, struct arena *a);
int likeness_read(struct likeness *out, const char *store_a, const char *id_a,
                  const char *store_b, const char *id_b, struct arena *a);

/* Returns the differences of kind `k` as text, such as
 * "metrics/ce 4.21 and 4.2, ..., and 3 more", or "" if there are none.  A
 * digest is shortened to eight digits. */
const char *likeness_text(const struct likeness *l, enum cell_kind k);

/* Returns the differences of results as text, or "" if there are none.  If
 * there are any, the text also states how the builds differ. */
const char *likeness_why(const struct likeness *l);
