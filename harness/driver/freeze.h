/*
 * freeze: STORE/experiment.json, the resolved experiment that the cells of a
 * store belong to, so that the folder explains itself.
 *
 *     {"schema_version": 1, "name", "title", "data_recipe", "numerics",
 *      "cells": [{"id", "variant", "task", "scale", "seed",
 *                 "config": {keys of the id}, "runtime": {the others}}],
 *      "older": [cells that an earlier state of the experiment had]}
 */
#ifndef DRIVER_FREEZE_H
#define DRIVER_FREEZE_H

#include "harness/driver/plan.h"

/* Cells that stand there and not in the plan move to "older". */
int freeze_write(const struct plan *p);

/* ERR_EMPTY: nothing was run there; ERR_STORE: damaged, or newer. */
int freeze_read(struct plan **out, const char *store);

#endif
