/*
 * tensor: a dense row-major array of reals that may carry a gradient.
 *
 * A tensor is also a node of the tape: `back` and `in` record how it was
 * computed.  There are no strides and no views: a transpose is an argument of
 * the product that needs it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef REAL_DOUBLE /* MODE=double: for gradient checks */
typedef double real;
#else
typedef float real;
#endif

enum { TENSOR_DIMS = 4, TENSOR_INPUTS = 6 };

typedef struct tensor tensor;
struct tape;

typedef void tensor_back(struct tape *t, tensor *y);

/* What the `back` of a node reads of its own value: nothing, the values, or
 * only their signs, which `low` has, too. */
enum tensor_own { OWN_NOTHING, OWN_VALUES, OWN_SIGNS };

struct tensor {
    int          nd;
    int          dim[TENSOR_DIMS];
    real        *x;                 /* value; NULL after its release       */
    real        *g;                 /* d loss / d x, or NULL               */
    int          blank;             /* g has no values yet and counts as 0 */
    int          wants;             /* 1: a node that needs a gradient     */
    uint16_t    *low;               /* x rounded to bfloat16, as products
                                       read it; or NULL (tape_low)         */
    enum tensor_own own;
    int          reals;             /* 1: `back` reads the x of an input; 0:
                                       of no input, or only its `low`      */
    int          writes;            /* `back` creates in[i]->g itself      */
    tensor_back *back;              /* adds to in[i]->g, or creates it if
                                       `writes` is set; NULL: a leaf       */
    tensor      *in[TENSOR_INPUTS];
    void        *aux;               /* what forward saved for backward     */
    const struct form *form;        /* scores: how they are computed, while x
                                       is NULL (form.h); else NULL         */
    const real  *reach;             /* gradients of leaves lie in one array; of
                                       these, the nodes up to this one on the
                                       tape add only to those below `reach`;
                                       NULL: to none                       */
};

size_t tensor_len(const tensor *a);  /* product of dim          */
int    tensor_last(const tensor *a); /* dim[nd-1]               */
size_t tensor_rows(const tensor *a); /* tensor_len / last       */
