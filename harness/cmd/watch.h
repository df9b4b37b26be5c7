/*
 * watch: status --watch: shows the progress of a store until all its cells are
 * finished, failed or cannot be trained.  A terminal is redrawn in place;
 * otherwise a line is printed whenever something has changed.  It changes no
 * files.
 */
#pragma once

#include "harness/plan/plan.h"

/* Looks at the store every `seconds`.  Returns OK, 1 if cells failed, or an
 * error of plan_open or plan_look. */
int watch(const struct plan_of *of, double seconds);
