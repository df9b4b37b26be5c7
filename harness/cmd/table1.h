/*
 * table1: Table 1 of the paper, the cost of each way to make scores, and the
 * published parameter counts against ours.  Nothing here is read from a store
 * and no number is typed in: ours are counted in the models.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/cmd/plan_params.h"
#include "harness/nn/layer_cost.h"
#include "harness/print/sheet.h"

/* For which N it is cheaper than dot product, N up to 65536. */
enum cheaper { CHEAPER_NEVER, CHEAPER_ALWAYS, CHEAPER_BELOW, CHEAPER_FROM };
struct break_even { enum cheaper when; int n; }; /* n: of below and from */

struct table1_row {
    const struct variant *variant;
    struct layer_cost     cost;
    struct break_even     params, flops; /* flops: of scores and mixing */
};

struct table1_row table1_row(const struct model_config *c,
                             const struct variant *v,
                             const struct variant *dot);

/* One published column of parameter counts. */
struct table1_published {
    const char *task, *experiment, *title;
    const char *why;  /* what is wrong with it, or NULL                 */
    int         free; /* 1: its vocabulary is not known                 */
    int         code; /* 1: synthesizers have the released code's heads */
};

struct table1_column {
    const struct table1_published *of;
    struct plan  *plan;
    int           n;
    struct count *row;   /* the Transformer first; at `fit`               */
    struct pieces fit;   /* vocabularies that match most rows               */
    int           matches;
};

enum { TABLE1_COLUMNS = 3 };

struct table1 {
    struct config        config; /* shape of the layer */
    int                  rows;
    struct table1_row   *row;
    struct table1_column column[TABLE1_COLUMNS];
    struct published    *published; /* the claims' texts */
    struct arena        *memory;
};

/* `set`: -S, on the paper's base shape.  ERR_USAGE, ERR_DATA. */
int  table1_fill(struct table1 **out, const struct assigns *set);
void table1_close(struct table1 *t); /* NULL is fine */
OWNER(table1_close, struct table1 *)

struct sheet *table1_sheet(const struct table1 *t);
