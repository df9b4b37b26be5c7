/*
 * signing: the signatures (signature.h) of the cells of a store.  Tables select
 * cells with signing_cells and sign them with signing_task; `verify signature`
 * calls signing_again.
 */
#pragma once

#include "harness/report/report.h"
#include "harness/report/signature.h"

/* Lists the finished cells that have the task, scale and variant of `of`,
 * sorted by seed.  `cell` must have room for all cells of r.  seeds: only these
 * seeds; NULL: any seed.  Returns the number of cells. */
int signing_cells(const struct report_cell **cell, const struct report *r,
                  const struct signed_task *of,
                  const struct signed_seeds *seeds);

/* Signs n > 0 cells as one task of a signature, without its metrics.  text[i]
 * is set to the part of metric[i] (the list ends with NULL), or to NULL if the
 * cells have no such number.  Returns ERR_STORE if a cell is damaged. */
int signing_task(struct signed_task *out, const char **text,
                 const struct report *r, const struct report_cell **cell,
                 int n, const char *const metric[], struct arena *a);

/*
 * Signs, task by task, the cells that correspond to a given signature: the
 * cells whose settings are those of the signature, whatever else it says about
 * them; if there are none, the cells that it names, with other seeds if
 * necessary.  A task without such cells gets "-" in all fields.  Returns
 * ERR_EMPTY if no task has such cells, or ERR_STORE if a cell is damaged.
 */
int signing_again(struct signature *out, const struct signature *says,
                  const struct report *r, struct arena *a);
