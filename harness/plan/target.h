/*
 * target: STORE#CELL, what show and compare are asked about.
 *
 *     STORE#ID            six or more digits of the id, as many as are needed
 *     STORE#VARIANT/TASK/SEED
 *     STORE#VARIANT/TASK  every seed (target_group)
 *
 * Without STORE# it is in `store`, which may be NULL.
 */
#ifndef PLAN_TARGET_H
#define PLAN_TARGET_H

#include "harness/plan/plan.h"

/* The store's plan, looked at, with nothing selected but the cell or cells.
 * ERR_EMPTY: there is none like that; ERR_USAGE: there are several. */
int target_open(struct plan **out, const char *arg, const char *store);

/* 1: arg names every seed of a variant and task. */
int target_group(const char *arg);

#endif
