/*
 * table1: Table 1 of the paper, the cost of each attention variant, and a
 * comparison of the published parameter counts with ours.  It reads no store,
 * and no number is written in the source: all are counted in the models.  The
 * commands `table` and `report` call it.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/cmd/plan_params.h"
#include "harness/nn/layer_cost.h"
#include "harness/print/sheet.h"

/* The N, up to 65536, for which a variant is cheaper than dot products. */
enum cheaper { CHEAPER_NEVER, CHEAPER_ALWAYS, CHEAPER_BELOW, CHEAPER_FROM };
struct break_even { enum cheaper when; int n; }; /* n: for BELOW, FROM */

struct table1_row {
    const struct variant *variant;
    struct layer_cost     cost;
    struct break_even     params, flops; /* flops: scores, mixing */
};

struct table1_row table1_row(const struct model_config *c,
                             const struct variant *v,
                             const struct variant *dot);

/* One published column of parameter counts. */
struct table1_published {
    const char *task, *experiment, *title;
    const char *why;  /* what contradicts it, or NULL */
    int         free; /* 1: vocabulary unknown        */
    int         code; /* 1: synthesizers have 8 heads */
};

struct table1_column {
    const struct table1_published *of;
    struct plan  *plan;
    int           n;
    struct count *row;   /* the Transformer first; at `fit`   */
    struct pieces fit;   /* vocabularies that match most rows */
    int           matches;
};

enum { TABLE1_COLUMNS = 3 };

struct table1 {
    struct config        config; /* shape of the layer */
    int                  rows;
    struct table1_row   *row;
    struct table1_column column[TABLE1_COLUMNS];
    struct published    *published; /* owns the texts of claims */
    struct arena        *memory;
};

/* Counts everything.  `set` holds the settings of -S, which override the
 * paper's base shape.  Returns ERR_USAGE or ERR_DATA. */
int  table1_fill(struct table1 **out, const struct assigns *set);
void table1_close(struct table1 *t); /* t may be NULL */
OWNER(table1_close, struct table1 *)

struct sheet *table1_sheet(const struct table1 *t);
