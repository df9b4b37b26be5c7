/* made: cells that no training made.  An id hashes a configuration, so theirs
 * have one, made of a name or of labels. */
#pragma once

#include "harness/store/cell.h"
#include "harness/store/frozen.h"

/* Versions of the program that they are of; at first the same for ever, so that
 * what tests expect of tables stays. */
extern struct made_by { int recipe, numerics; } made_by;

/* Kept until the end of the program. */
const char *made_id(const char *name);
const char *made_cell(const struct cell_labels *l);

/* As cell_begin, with the configuration of an id that one of those gave. */
int made_begin(struct cell_writer **out, const char *store, const char *id);

/* That cell in an experiment. */
struct frozen_cell made_frozen(const char *id);
