/*
 * target: STORE#CELL, what show and compare are asked about.
 *
 *     STORE#ID            six or more digits of the id, as many as are needed
 *     STORE#VARIANT/TASK/SEED
 *     STORE#VARIANT/TASK  every seed (target_group)
 *
 * Without STORE# it is in --store.
 */
#ifndef DRIVER_TARGET_H
#define DRIVER_TARGET_H

#include "harness/driver/plan.h"

/* The store's plan, looked at, with nothing selected but the cell or cells.
 * ERR_EMPTY: there is none like that; ERR_USAGE: there are several. */
int target_open(struct plan **out, const char *arg, const struct options *o);

/* 1: arg names every seed of a variant and task. */
int target_group(const char *arg);

#endif
