/*
 * audit: checks that everything in a store is as it was written and consistent.
 * It only reads: `verify store` prints the result, and `repair` repairs damage.
 *
 *     experiment.json  sealed; each id is that of its configuration
 *     journal.tsv      head and lines are undamaged; each line has its file
 *     cells/ID.h5      seal, journal line, id against configuration, labels,
 *                      shape (cell.h); belongs to a configuration of the
 *                      experiment; cells that others start from have weights,
 *                      which are those that the others started from
 *     weights/ID.h5    sealed; its digest is the one that the cell holds
 *     checkpoints/     complete (trailing hash); belong to the cell in the name
 *     failed/ID.json   sealed
 *     index.h5         sealed; links to the existing cells
 *     claims/ID        a lease: a run is training the cell, or has died
 *     speed/           a store of timings, by the same rules
 *
 * Rendered output (tables, plots) and text without a seal (logs) are listed,
 * but not judged.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/store/cell.h"
#include "harness/verify/facts.h"

/* What repairs it: quarantining the file; also retraining the cell; or
 * recreating the journal or the index from the other files. */
enum cure { CURE_NONE, CURE_ASIDE, CURE_CELL, CURE_JOURNAL, CURE_INDEX };

struct audit_row {
    enum verdict verdict;  /* NONE: not judged, or not damaged              */
    enum cure    cure;
    const char  *store;    /* STORE, or STORE/speed                         */
    const char  *subject;  /* "cells/ID.h5", below store                    */
    const char  *property, *remark;
    char         id[CELL_ID]; /* of its cell; "": no cell                   */
};

struct audit {
    int               n, alive; /* alive: cells that runs are training  */
    struct audit_row *row;
    struct arena     *memory;
    size_t            cap;
};

/* Returns 1 if a run that ended early left only empty folders, without
 * experiment.json: nothing is damaged. */
int audit_never_begun(const char *store);

/* Audits a store.  Returns OK, ERR_EMPTY if there is no store, or ERR_IO if a
 * folder of it cannot be read.  The caller closes *out. */
int  audit_store(struct audit **out, const char *store);
void audit_close(struct audit *a); /* NULL is allowed */
OWNER(audit_close, struct audit *)
