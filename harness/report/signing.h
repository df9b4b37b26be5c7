/*
 * signing: the signature (signature.h) that cells of a store give.
 */
#pragma once

#include "harness/report/report.h"
#include "harness/report/signature.h"

/* The finished cells of task, scale and variant as `of` says, by seed, into
 * `cell`, which has room for all of r: of these seeds alone, or, NULL, of any.
 * Returns how many. */
int signing_cells(const struct report_cell **cell, const struct report *r,
                  const struct signed_task *of,
                  const struct signed_seeds *seeds);

/* Those cells, n > 0, as one task of a signature; its metrics are left out:
 * text[i] is that of metric[i] (the list ends with NULL), NULL where they have
 * no such number.  ERR_STORE: one is damaged. */
int signing_task(struct signed_task *out, const char **text,
                 const struct report *r, const struct report_cell **cell,
                 int n, const char *const metric[], struct arena *a);

/*
 * What the store gives of what a signature says, task by task: of the cells
 * whose settings are those that it says, whatever else it says of them; where
 * there are none, of the cells that it names, of other seeds if need be.  "-":
 * of this task there are none.  ERR_EMPTY: of no task; ERR_STORE.
 */
int signing_again(struct signature *out, const struct signature *says,
                  const struct report *r, struct arena *a);
