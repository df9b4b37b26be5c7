/* likeness: is one finished cell the repetition of another, to the bit? */
#pragma once

#include "harness/base/arena.h"
#include "harness/store/cell_diff.h"

struct likeness {
    int                 n[CELL_KINDS];     /* differences of each kind  */
    struct cell_change *of[CELL_KINDS];    /* in the arena              */
    const char         *weights[2];        /* digests; "" of none       */
    struct arena       *memory;
};

/* Texts live in a.  ERR_EMPTY: one is not there; ERR_STORE: damaged. */
int likeness_read(struct likeness *out, const char *store_a, const char *id_a,
                  const char *store_b, const char *id_b, struct arena *a);

/* "metrics/ce 4.21 and 4.2, ... and 3 more"; "": they do not differ so. */
const char *likeness_text(const struct likeness *l, enum cell_kind k);

/* What differs of results; and of builds where results do. */
const char *likeness_why(const struct likeness *l);
