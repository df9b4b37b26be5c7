/*
 * speed: the speed columns of a table.  The cells of an experiment are not
 * trained: a few steps of each are timed on random ids, and kept.
 *
 *     STORE/speed/cells/ID.h5   attribute kind "speed"; config, provenance,
 *                               and timing: seconds of the median, least, p10
 *                               and p90 of `steps` steps, and the load
 *
 * ID is a hash of the cell, how it is timed, the program's file and the
 * processor, so that no time of another program or machine is taken for one
 * of this.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/plan/plan.h"
#include "harness/report/published.h"
#include "harness/report/table.h"
#include "harness/stats/step_timing.h"

/* What is known of each row, ours and theirs. */
enum speed_claim {
    CLAIM_PARAMS, CLAIM_FLOPS, CLAIM_STEPS, CLAIM_STEPS_AGAIN, CLAIMS
};

struct speed_row {
    const struct cell *cell;
    struct spread step;               /* seconds                    */
    double       log_mean, log_sd;    /* the logarithms of the times */
    struct load  load;                /* while they were timed      */
    double       params, flops;       /* learned numbers; of a step */
    struct published_value claim[CLAIMS]; /* value 0: none is published */
};

struct speed {
    const struct table *table;
    struct plan      *plan;
    struct published *published;
    int               n;
    struct speed_row *row; /* the Transformer first */
};

/* Times what `store` (NULL: results/tableN) has not, or, `fresh`, all. */
int  speed_open(struct speed **out, const struct table *t, const char *store,
                const struct choice *choice, int fresh);
void speed_close(struct speed *s); /* NULL is fine */
OWNER(speed_close, struct speed *)

struct sheet *speed_sheet(const struct speed *s);
