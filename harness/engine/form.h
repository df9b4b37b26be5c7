/*
 * form: scores whose values are not computed until an op reads them.
 *
 * If attention is fused, the ops of scores return deferred tensors: the value x
 * is NULL, and `form` says of which parts it is the sum (struct score_part,
 * backend.h).  ad_attend computes these sums while it runs, without storing
 * them, and adds to the gradients of the parts' tensors itself, so that no
 * gradient of the scores is stored either.  For any other op that takes a
 * deferred tensor, tape_node computes the value; so ops must not read the
 * values of their inputs before they call tape_node.
 *
 * Products are deferred if their width is at most FUSED_WIDTH, and so are their
 * mixtures.  Tables are not deferred, because they are stored anyway, most of
 * them once for all sentences.
 */
#pragma once

#include "harness/engine/tape.h"

/* A part and the tensors that its pointers refer to; y is NULL for a table. */
struct formed { struct score_part as; tensor *x, *y; };

struct form {
    void        (*make)(struct tape *t, tensor *y); /* computes y->x */
    /* Returns scores like y, computed from x instead of y->in[0].  The member
     * is NULL if the op of y has no such function. */
    tensor     *(*with)(struct tape *t, const tensor *y, tensor *x);
    int           parts;
    struct formed part[SCORE_PARTS];
    /* For mixtures: w and gw are as in struct fused; w has `weights` values,
     * which are computed from `a`.  `a` is NULL if there are no weights. */
    int           weights, sigmoid;
    double       *w, *gw;
    tensor       *a;
};

/* Returns 1 if ops defer scores: attention is fused, and no observer reads the
 * scores or the weights. */
int tape_defers(const struct tape *t);

/* Sets y->form to a copy of f, allocated on the tape. */
void form_set(struct tape *t, tensor *y, const struct form *f);

/* Returns the form of scores x (h,b,n,m) or (h,1,n,m): x->form if x is
 * deferred, else the form of the table x. */
struct form form_of(const tensor *x);

/* Returns the lattice of a tensor ([h,]b,n,k): heads one after another if it
 * has four dimensions, else side by side, each k values wide. */
struct lattice form_lattice(const tensor *x, int k);
