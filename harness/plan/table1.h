/*
 * table1: computes Table 1 of the paper, the cost of each attention variant,
 * and compares the published parameter counts with ours.  It reads no store.
 * No cost is a constant in the source: all are computed from the definitions of
 * the models.  cmd/table1_sheet.h prints it.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/plan/param_count.h"
#include "harness/nn/layer_cost.h"

/* The sequence lengths N, up to 65536, at which a variant is cheaper than
 * dot-product attention: none, all, those below `n`, or those from `n` on. */
enum cheaper { CHEAPER_NEVER, CHEAPER_ALWAYS, CHEAPER_BELOW, CHEAPER_FROM };
struct break_even { enum cheaper when; int n; };

struct table1_row {
    const struct variant *variant;
    struct layer_cost     cost;
    struct break_even     params, flops; /* flops: of scores and mixing */
};

/* One published column of parameter counts. */
struct table1_published {
    const char *task, *experiment, *title;
    const char *why;  /* what contradicts the counts, or NULL */
    int         free; /* 1: the vocabulary size is not known  */
    int         code; /* 1: uses count.code (param_count.h)   */
};

struct table1_column {
    const struct table1_published *of;
    struct plan  *plan;
    int           n;
    struct count *row;   /* the Transformer first; counted with a vocabulary
                            size in `fit`                           */
    struct pieces fit;   /* range of vocabulary sizes found by count_fit */
    int           matches; /* number of rows that match             */
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

/* Computes the table.  `set` holds the settings of -S, which override the
 * paper's base shape.  Returns ERR_USAGE or ERR_DATA. */
int  table1_fill(struct table1 **out, const struct assigns *set);
void table1_close(struct table1 *t); /* t may be NULL */
OWNER(table1_close, struct table1 *)
