/* op_case: a list of small graphs, one or more for every op of engine/ops.h,
 * with awkward shapes: n < N, several heads, unequal lengths, one of which is
 * 0. */
#pragma once

#include "harness/engine/ops.h"

enum { OP_INPUTS = 4 };

struct op_case {
    const char *name;
    tensor *(*run)(struct tape *t, tensor *const in[]);
    int drops;                /* 1: also test with dropout              */
    int whole;                /* 1: no input may be frozen              */
    int relu;                 /* 1: in[0] positive, in[1] leaf_columns  */
    int nin;
    struct { int nd, dim[TENSOR_DIMS]; } in[OP_INPUTS];
};

extern const struct op_case op_case[];
extern const int op_cases;

/* Creates the leaves in[0..nin-1], in arena a. */
void op_inputs(const struct op_case *c, struct arena *a, tensor *in[]);
