/*
 * frozen: reads and writes STORE/experiment.json, which describes the
 * experiment that the store belongs to.  `plan` writes the file; `plan`,
 * `report` and the audit of a store read it.
 *
 *     {"schema_version": 2, "name", "title",
 *      "cells": [{"id", "data_recipe", "numerics",
 *                 "config": {the keys that are part of the id},
 *                 "runtime": {the other keys},
 *                 "row": the name of the cell's row (missing: its variant),
 *                 "refused": why the cell's model is impossible}],
 *      "older": [cells of an earlier state of the experiment],
 *      "uncompared": [tasks that are reported, not compared],
 *      "contrasts": [differences that are tested, contrast.h] (missing: all),
 *      "guessed": [assumptions, guess.h],
 *      "own": true unless all settings come from the file NAME.yaml,
 *      "file": the path of the experiment file as the user named it (missing:
 *      the file was installed with the program, or an earlier version wrote
 *      experiment.json),
 *      "seal": "SHA-256 of all bytes before this member"}
 *
 * frozen_read trusts nothing in the file.  It checks that the seal matches the
 * bytes; that every id is the id of its configuration (cell.h), whose variant,
 * task and scale are valid names; that a row is the variant, alone or followed
 * by ",KEY=VALUE"; that texts have no control characters; and that no id occurs
 * twice.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/store/cell.h"

enum { FROZEN_ROW = 256 }; /* maximum bytes of a row name, with NUL */

struct frozen_cell {
    char               id[CELL_ID];
    const char        *config, *runtime; /* JSON objects, canonical text */
    struct cell_labels label;            /* labels of config             */
    const char        *row;              /* NULL: the variant            */
    int                recipe, numerics; /* as for cell_id               */
    int                older;            /* 1: a member of "older"       */
    /* 1: a trial of the tuning of other cells. */
    int                trial;
    const char        *refused;          /* NULL: the model is possible  */
    /* The id of the cell whose weights this cell starts from, "none", or NULL
     * if its configuration does not have the key `pretrained`. */
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
    /* 1: only this file defines the cells, because settings come from the
     * option -S, the command `train` or stdin, not from NAME.yaml alone. */
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

/* Replaces STORE/experiment.json atomically.  Ignores the fields `id`, `label`,
 * `trial` and `parent` of the cells, which follow from the other fields. */
int frozen_write(const struct frozen *f, const char *store);

/*
 * Writes the union of the experiments of `n` stores to the store `to`.  If all
 * stores have the same experiment.json, the result is a copy of it.  Otherwise
 * it contains the cells of all stores, sorted by scale, task, row and seed.  A
 * cell that is in the list "older" of any store is in that list of the result.
 * Ignores stores without an experiment.  Returns ERR_EMPTY if no store has an
 * experiment.  Returns ERR_USAGE if the names of the experiments differ, or if
 * cells with the same labels have different settings.
 */
int frozen_unite(const char *to, const char *const store[], int n);
