/*
 * speed: the speed columns of a table.  The cells of an experiment are not
 * trained: a few steps of each are timed on random ids, and the times are
 * stored.  cmd_table.c calls it: speed_open, speed_sheet, speed_close.
 *
 *     STORE/speed/cells/ID.h5   attribute kind "speed"; config, provenance,
 *                               and timing: seconds of the median, least, p10
 *                               and p90 of `steps` steps, and the load
 *
 * ID is a hash of the cell, the way it is timed, the program's file and the
 * processor, so that times of another program or machine are never used.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/plan/plan.h"
#include "harness/report/published.h"
#include "harness/report/table.h"
#include "harness/stats/step_timing.h"

/* Values of a row that are also published. */
enum speed_claim {
    CLAIM_PARAMS, CLAIM_FLOPS, CLAIM_STEPS, CLAIM_STEPS_AGAIN, CLAIMS
};

struct speed_row {
    const struct cell *cell;
    struct spread step;               /* seconds                        */
    double       log_mean, log_sd;    /* of the logarithms of the times */
    struct load  load;                /* during the timing              */
    double       params, flops;       /* learned parameters; per step   */
    struct published_value claim[CLAIMS]; /* value 0: not published */
};

struct speed {
    const struct table *table;
    struct plan      *plan;
    struct published *published;
    int               n;
    struct speed_row *row; /* the Transformer first */
};

/* Times the steps that `store` (NULL: results/tableN) does not have, or all if
 * `fresh` is set. */
int  speed_open(struct speed **out, const struct table *t, const char *store,
                const struct choice *choice, int fresh);
void speed_close(struct speed *s); /* s may be NULL */
OWNER(speed_close, struct speed *)

struct sheet *speed_sheet(const struct speed *s);
