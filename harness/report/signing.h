/*
 * signing: computes the signatures (signature.h) of cells of a store.  Tables
 * call sign_measured (result_table.h), `verify signature` calls signing_again
 * to check a given signature.
 */
#pragma once

#include "harness/report/builds.h"
#include "harness/report/report.h"
#include "harness/report/signature.h"

/* Writes to `cell` the finished cells of `r` that have the task, scale and
 * variant of `of`, sorted by seed.  `cell` must have room for all cells of `r`.
 * If `seeds` is not NULL, lists only cells with these seeds.  Returns the
 * number of listed cells. */
int signing_cells(const struct report_cell **cell, const struct report *r,
                  const struct signed_task *of,
                  const struct signed_seeds *seeds);

/* Computes the part of a signature for one task from n > 0 cells of the task.
 * *out gets all fields except the metrics.  text[i] is set to the part of the
 * signature for metric[i] (the list ends with NULL), or to NULL if the cells do
 * not have this metric.  Adds the builds of the cells to `builds`, unless it is
 * NULL.  Returns ERR_STORE if a cell is damaged. */
int signing_task(struct signed_task *out, const char **text,
                 struct builds *builds, const struct report *r,
                 const struct report_cell **cell, int n,
                 const char *const metric[], struct arena *a);

/*
 * Finds the cells of `r` that correspond to each task of the signature `says`,
 * and signs them: the cells with its task, scale, variant and seeds, or else
 * those with its task, scale and variant and any seeds.  A task without such
 * cells gets "-" in all fields.  Returns ERR_EMPTY if no task has such cells,
 * or ERR_STORE if a cell is damaged.
 */
int signing_again(struct signature *out, const struct signature *says,
                  const struct report *r, struct arena *a);
