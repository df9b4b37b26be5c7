/* untrained_cells: writes cells without training. The id of a cell is the hash
 * of its configuration, so each cell has a configuration made from a name or
 * from labels. */
#pragma once

#include "harness/store/cell.h"
#include "harness/store/frozen.h"

/* Program versions that the cells carry. The initial values are fixed, so that
 * expected tables do not change. */
extern struct made_by { int recipe, numerics; } made_by;

/* made_id and made_cell return the id of a cell. The returned text is valid
 * until the program ends. */
const char *made_id(const char *name);
const char *made_cell(const struct cell_labels *l);

/* Calls cell_begin, then stores the configuration of an id that made_id or
 * made_cell returned. */
int made_begin(struct cell_writer **out, const char *store, const char *id);

/* Returns the cell with this id as an entry of an experiment. */
struct frozen_cell made_frozen(const char *id);
