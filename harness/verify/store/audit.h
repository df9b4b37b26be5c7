/*
 * audit: checks that all files of a store are undamaged and consistent with
 * each other.  It only reads: `verify store` prints the result, and `repair`
 * repairs damage.  A file is `sealed` if it ends with the SHA-256 of the bytes
 * before it.  The checks of each file are:
 *
 *     experiment.json  sealed; each id is that of its configuration
 *     journal.tsv      undamaged first line and cell lines; each cell line has
 *                      its file
 *     cells/ID.h5      sealed; has a journal line; its id is the hash of its
 *                      configuration; labels and shape are right (cell.h); it
 *                      belongs to a configuration of the experiment; if other
 *                      cells started from its weights, these weights exist and
 *                      are unchanged
 *     weights/ID.h5    sealed; its digest is the digest in the cell file
 *     checkpoints/     complete (trailing hash); belong to the cell in the name
 *     failed/ID.json   sealed
 *     index.h5         sealed; links to the existing cells
 *     claims/ID        a lease: a run is training the cell, or has died
 *     speed/           a store of timings; the same checks
 *
 * Rendered output (tables, plots) and text without a seal (logs) are listed,
 * but not judged.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/store/cell.h"
#include "harness/verify/facts.h"

/* What repairs a damaged file: to quarantine it (CURE_ASIDE), to quarantine it
 * and retrain the cell (CURE_CELL), or to recreate the journal (CURE_JOURNAL)
 * or the index (CURE_INDEX) from the other files. */
enum cure { CURE_NONE, CURE_ASIDE, CURE_CELL, CURE_JOURNAL, CURE_INDEX };

struct audit_row {
    enum verdict verdict;  /* VERDICT_NONE: a remark that tells no damage   */
    enum cure    cure;
    const char  *store;    /* STORE, or STORE/speed                         */
    const char  *subject;  /* path in `store`, such as "cells/ID.h5"        */
    const char  *property, *remark;
    char         id[CELL_ID]; /* of the cell; "": no cell                   */
};

struct audit {
    int               n, alive; /* alive: cells being trained by a run  */
    struct audit_row *row;
    struct arena     *memory;
    size_t            cap;
};

/* Returns 1 if the store has no experiment.json, no journal entries and only
 * empty folders, because a run ended early; such a store is not damaged. */
int audit_never_begun(const char *store);

/* Audits a store.  Returns OK, ERR_EMPTY if there is no store, or ERR_IO if a
 * folder of it cannot be read.  The caller closes *out. */
int  audit_store(struct audit **out, const char *store);
void audit_close(struct audit *a); /* NULL is allowed */
OWNER(audit_close, struct audit *)
