/*
 * speed: makes the speed columns of a table.  The cells of its experiment are
 * not trained; run/step_times.h times a few steps of each.  cmd_table.c calls
 * speed_open, speed_sheet and speed_close.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/plan/plan.h"
#include "harness/report/published.h"
#include "harness/report/table.h"
#include "harness/run/step_times.h"

/* Values of a row for which published numbers exist.  Steps per second are
 * published in the paper (CLAIM_STEPS) and by Narang et al. 2021
 * (CLAIM_STEPS_AGAIN). */
enum speed_claim {
    CLAIM_PARAMS, CLAIM_FLOPS, CLAIM_STEPS, CLAIM_STEPS_AGAIN, CLAIMS
};

struct speed_row {
    const struct cell *cell;
    struct step_times  is;
    struct published_value claim[CLAIMS]; /* the member `value` is 0 if the
                                             number is not published */
};

struct speed {
    const struct table *table;
    struct plan      *plan;
    struct published *published;
    int               n;
    struct speed_row *row; /* the Transformer first */
};

/* Times the steps of those cells whose times `store` (NULL: results/tableN)
 * does not have, or of all cells if `fresh` is not 0.  Returns ERR_USAGE if the
 * model of a cell is impossible, or the errors of plan_open and store_open. */
int  speed_open(struct speed **out, const struct table *t, const char *store,
                const struct choice *choice, int fresh);
void speed_close(struct speed *s); /* s may be NULL */
OWNER(speed_close, struct speed *)

/* Returns the speed columns as a sheet; the caller closes it. */
struct sheet *speed_sheet(const struct speed *s);
