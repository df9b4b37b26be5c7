/*
 * tensor: a dense row-major array of reals that may carry a gradient.
 *
 * A tensor is also a node of the tape: `back` and `in` say where it came
 * from.  There are no strides and no views: a transpose is an argument of
 * the product that needs it.
 */
#pragma once

#include <stddef.h>

#ifdef REAL_DOUBLE /* MODE=double: the gradient checks */
typedef double real;
#else
typedef float real;
#endif

enum { TENSOR_DIMS = 4, TENSOR_INPUTS = 6 };

typedef struct tensor tensor;
struct tape;

typedef void tensor_back(struct tape *t, tensor *y);

struct tensor {
    int          nd;
    int          dim[TENSOR_DIMS];
    real        *x;                 /* value; NULL once it was given up    */
    real        *g;                 /* d loss / d x; NULL: none is there   */
    int          blank;             /* g has no value yet, and counts as 0 */
    int          wants;             /* a node: will have a gradient        */
    int          own;               /* its back reads x                    */
    int          writes;            /* its back makes in[i]->g itself      */
    tensor_back *back;              /* adds to in[i]->g, or, where it
                                       `writes`, makes it; NULL: a leaf    */
    tensor      *in[TENSOR_INPUTS];
    void        *aux;               /* what forward kept for backward      */
    const real  *reach;             /* a node: the end of the last leaf's
                                       gradient that it and those before it
                                       add to; NULL: of none               */
};

size_t tensor_len(const tensor *a);  /* product of dim          */
int    tensor_last(const tensor *a); /* dim[nd-1]               */
size_t tensor_rows(const tensor *a); /* tensor_len / last       */
