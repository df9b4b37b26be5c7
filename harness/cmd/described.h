/*
 * described: reads what `plan`, `status` and `show` print about a cell, and
 * makes its JSON.  Private to describe.c, which prints lists of cells,
 * describe_cell.c, which prints one cell, and describe_totals.c.
 */
#pragma once

#include "harness/base/json.h"
#include "harness/cmd/describe.h"
#include "harness/print/sheet.h"
#include "harness/site/results.h"

/* A selected cell, and what is printed about it. */
struct shown {
    const struct cell *cell;
    struct results     found;
    /* If the model is impossible, `flops`, `seconds` and all members of `cost`
     * are NAN. */
    struct cost        cost;
    double             flops, seconds;
    double             gpu_bytes;      /* NAN: no GPU */
    long long          seed;
    size_t             saved;
    /* 1: worse than the input-blind baseline; 0: not worse; -1: unknown */
    int                worse;
    /* note: plan_note; spent: time of training, or "-"; result: the metrics,
     * the state of the Slurm job, or the note, followed by the remark. */
    const char        *name, *status, *reason, *note, *spent, *result;
    const char        *remark; /* described_remark; "": none */
};

struct description {
    const struct plan *plan;
    enum detail        detail;
    int                synthetic; /* 1: all selected cells are synthetic, so
                                     their names do not say it      */
    struct sheet      *sheet;
    struct builds      builds;    /* of the cells that were read    */
    int                worst;     /* exit code of the worst damage  */
    /* The texts of the plan that are about selected cells; end with NULL. */
    const char       **uncompared, **guessed;
};

/* Fills *x.  If the file of the cell is damaged, reports the damage, sets
 * d->worst, and leaves the results empty. */
void described_read(struct shown *x, struct description *d,
                    const struct cell *c);

/* Returns the object of a cell (describe.h), without what DESCRIBE_ALL adds. */
json_t *described_json(const struct description *d, const struct shown *x);

/* The columns of a list of struct shown.  described_planned has the estimates,
 * described_results has the results. */
extern const struct column described_planned[], described_results[];

/* Returns a remark such as "worse than the unigram model: ce 12.4 against
 * 6.27", or "" if the cell is not worse. */
const char *described_remark(const struct blind_baseline *b, struct arena *a);

/* Sets d->uncompared and d->guessed, and adds the lists of describe.h to the
 * JSON of the sheet. */
void described_lists(struct description *d);

/* ---- describe_totals.c ---- */

/* described_total adds a line such as "33 cells: 30 done, 3 missing; remaining:
 * 1.2 TFLOP, about 2 min 10 s, one cell at a time; 3 seeds".  described_tasks
 * adds a table with a line for each task and scale: estimates if `planned` is
 * 1, else results. */
void described_total(struct sheet *s, const struct plan *p);
void described_tasks(struct sheet *s, const struct plan *p, int planned);
