/*
 * watch: status --watch: how a store fills up, until its cells are all done or
 * nothing can be done any more.  On a terminal drawn in place; elsewhere, a
 * line whenever something has changed.  It looks and touches nothing.
 */
#pragma once

#include "harness/plan/plan.h"

/* Looks every so many seconds.  OK; 1: cells failed; or what plan_open and
 * plan_look return. */
int watch(const struct plan_of *of, double seconds);
