/*
 * frozen: STORE/experiment.json, the experiment that a store belongs to, so
 * that the folder explains itself.  The only reader of that file.
 *
 *     {"schema_version": 2, "name", "title",
 *      "cells": [{"id", "data_recipe", "numerics", "config": {keys of the id},
 *                 "runtime": {the others}, "row": the name of its row in tables
 *                 (none: its variant), "refused": why there is no model}],
 *      "older": [cells that an earlier state of the experiment had],
 *      "uncompared": [tasks that run and are not compared] (none: no such),
 *      "contrasts": [differences that are judged, contrast.h] (none: all),
 *      "guessed": [what no source tells, guess.h] (none: nothing),
 *      "own": true where settings are not of a file of that name alone,
 *      "file": the experiment's file, as it was named (none: it came with the
 *      program, or an earlier version wrote this),
 *      "seal": "SHA-256 of all bytes before this member"}
 *
 * What was read is somebody else's until checked: the seal is that of the
 * bytes, every id is the one of its configuration (cell.h), variant, task,
 * scale and seed come from there and are names, a row is that variant or its
 * name with ",KEY=VALUE" behind it, texts have no control characters, and no id
 * stands twice.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/store/cell.h"

enum { FROZEN_ROW = 256 }; /* bytes of a row's name at most, with its NUL */

struct frozen_cell {
    char               id[CELL_ID];
    const char        *config, *runtime; /* JSON objects, canonical text */
    struct cell_labels label;            /* of config                    */
    const char        *row;              /* NULL: its variant            */
    int                recipe, numerics; /* versions that the id hashes  */
    int                older;
    int                trial;            /* others choose settings by it */
    const char        *refused;          /* NULL: there is such a model  */
    const char        *parent;           /* id of the cell that it starts from,
                                            or NULL                      */
};

static inline const char *frozen_row(const struct frozen_cell *c)
{
    return c->row ? c->row : c->label.variant;
}

struct frozen {
    const char         *name, *title;
    const char        **uncompared; /* tasks, ends with NULL; NULL: none  */
    const char        **contrasts;  /* contrast.h, with tasks; likewise   */
    const char        **guessed;    /* guess.h, likewise                  */
    const char         *file;   /* as above, or NULL                      */
    int                 own;    /* 1: only this file says what its cells are:
                                   -S, `train`, stdin; not NAME.yaml      */
    int                 n;      /* older ones last                       */
    struct frozen_cell *cell;
    struct arena       *memory; /* owns all of it                        */
};

/* ERR_EMPTY: nothing was run into the folder; ERR_STORE: damaged, edited, or
 * of another program. */
int  frozen_read(struct frozen **out, const char *store);
void frozen_close(struct frozen *f); /* NULL is fine */
OWNER(frozen_close, struct frozen *)

/* Replaces the file at once.  The fields `id` and `label` of the cells are not
 * looked at: they follow from `config`. */
int frozen_write(const struct frozen *f, const char *store);

/*
 * Writes into `to` what the experiments of several stores are together: the
 * same file where all have the same, else their cells in the order of scale,
 * task, row and seed.  What is older in one is older.  A store without one adds
 * nothing.  ERR_EMPTY: none has one; ERR_USAGE: they have other names, or cells
 * of one name and other settings.
 */
int frozen_unite(const char *to, const char *const store[], int n);
