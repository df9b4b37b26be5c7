/*
 * watch: shows the progress of a store, for `status --watch`, until every cell
 * is finished or failed or cannot be trained.  On a terminal, the display is
 * redrawn in place; otherwise, a line is printed whenever something changes.
 * watch writes no files.
 */
#pragma once

#include "harness/plan/plan.h"

/* Reads the state of the store every `seconds` seconds.  Returns OK, 1 if cells
 * failed, ERR_EMPTY if no cell is selected, or an error of plan_open or
 * plan_look. */
int watch(const struct plan_of *of, double seconds);
