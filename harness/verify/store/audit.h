/*
 * audit: is all that a store holds as it was written, and does it belong
 * together?  It only reads; `verify store` tells it, `repair` mends it.
 *
 *     experiment.json  sealed; each id is that of its configuration
 *     journal.tsv      head and lines are sound; each has its file
 *     cells/ID.h5      seal, journal line, id against configuration, labels,
 *                      shape (cell.h); of a configuration of the experiment;
 *                      those that others start from have their weights, and
 *                      these are what the others started from
 *     weights/ID.h5    sealed, and those whose digest the cell holds
 *     checkpoints/     whole (trailing hash), of the cell they are named by
 *     failed/ID.json   sealed
 *     index.h5         sealed; links to the cells that there are
 *     claims/ID        somebody is at work, or was
 *     speed/           a store of timings, by the same rules
 *
 * What is rendered (tables, plots) and what is text without a seal (logs) is
 * named and not judged.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/store/cell.h"
#include "harness/verify/facts.h"

/* What mends it: put the file aside; and train the cell again; or make the
 * file again from the others. */
enum cure { CURE_NONE, CURE_ASIDE, CURE_CELL, CURE_JOURNAL, CURE_INDEX };

struct audit_row {
    enum verdict verdict;  /* NONE: nothing to judge, or not damage         */
    enum cure    cure;
    const char  *store;    /* STORE, or STORE/speed                         */
    const char  *subject;  /* "cells/ID.h5", below store                    */
    const char  *property, *remark;
    char         id[CELL_ID]; /* of its cell; "" of none                    */
};

struct audit {
    int               n, alive; /* alive: runners at work, by their claims  */
    struct audit_row *row;
    struct arena     *memory;
    size_t            cap;
};

/* Returns 1 if a run that ended early left only empty folders, without
 * experiment.json: nothing is damaged. */
int audit_never_begun(const char *store);

/* ERR_EMPTY: there is no store; ERR_IO: a folder of it cannot be read. */
int  audit_store(struct audit **out, const char *store);
void audit_close(struct audit *a); /* NULL is fine */
OWNER(audit_close, struct audit *)
