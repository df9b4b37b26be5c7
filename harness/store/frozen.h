/*
 * frozen: reads and writes STORE/experiment.json, the experiment that a store
 * belongs to, so that the folder describes itself.  plan writes the file; plan,
 * report and the audit of a store read it, all with these functions.
 *
 *     {"schema_version": 2, "name", "title",
 *      "cells": [{"id", "data_recipe", "numerics",
 *                 "config": {keys that the id hashes},
 *                 "runtime": {other keys},
 *                 "row": its row name in tables (if not its variant),
 *                 "refused": why there is no such model}],
 *      "older": [cells of an earlier state of the experiment],
 *      "uncompared": [tasks that are reported, not compared],
 *      "contrasts": [differences that are judged, contrast.h] (missing: all),
 *      "guessed": [assumptions, guess.h],
 *      "own": true if settings do not come only from a file of that name,
 *      "file": the experiment file as named by the user (missing: installed
 *      with the program, or written by an earlier version),
 *      "seal": "SHA-256 of all bytes before this member"}
 *
 * The file is not trusted until it is checked: the seal must match the bytes.
 * Every id must be that of its configuration (cell.h), from which variant,
 * task, scale and seed are taken; they must be valid names.  A row must be the
 * variant, alone or followed by ",KEY=VALUE".  Texts must have no control
 * characters, and no id may occur twice.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/store/cell.h"

enum { FROZEN_ROW = 256 }; /* most bytes of a row name, with its NUL */

struct frozen_cell {
    char               id[CELL_ID];
    const char        *config, *runtime; /* JSON objects, canonical text */
    struct cell_labels label;            /* labels of config             */
    const char        *row;              /* NULL: its variant            */
    int                recipe, numerics; /* versions that the id hashes  */
    int                older;
    /* 1: a trial, by which other cells are tuned. */
    int                trial;
    const char        *refused;          /* NULL: there is such a model  */
    /* The id of the cell that it starts from, "none", or NULL. */
    const char        *parent;
};

/* Returns the name of the cell's row in tables. */
static inline const char *frozen_row(const struct frozen_cell *c)
{
    return c->row ? c->row : c->label.variant;
}

struct frozen {
    const char         *name, *title;
    const char        **uncompared; /* tasks, ends with NULL; NULL: none  */
    const char        **contrasts;  /* likewise, see contrast.h           */
    const char        **guessed;    /* likewise, see guess.h              */
    const char         *file;   /* "file" as above, or NULL               */
    /* 1: only this file defines the cells, because settings come from -S,
     * `train` or stdin, and not from NAME.yaml alone. */
    int                 own;
    int                 n;      /* number of cells; older ones are last  */
    struct frozen_cell *cell;
    struct arena       *memory; /* owns everything here                  */
};

/* Reads STORE/experiment.json.  Returns ERR_EMPTY if no experiment has been run
 * in the folder, or ERR_STORE if the file is damaged, edited or of another
 * version. */
int  frozen_read(struct frozen **out, const char *store);
void frozen_close(struct frozen *f); /* NULL is allowed */
OWNER(frozen_close, struct frozen *)

/* Replaces the file atomically.  The fields `id` and `label` of the cells are
 * ignored: they follow from `config`. */
int frozen_write(const struct frozen *f, const char *store);

/*
 * Writes the union of the experiments of n stores into the store `to`.  If all
 * files are equal, it is the same file.  Otherwise it contains all cells, in
 * the order of scale, task, row and seed; a cell that is older in one store is
 * older.  Stores without an experiment are ignored.  Returns ERR_EMPTY if no
 * store has an experiment, or ERR_USAGE if their names differ, or if cells with
 * the same labels have different settings.
 */
int frozen_unite(const char *to, const char *const store[], int n);
