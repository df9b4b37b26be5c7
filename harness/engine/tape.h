/*
 * tape: records what was computed so that gradients can be taken.
 *
 *     tape_begin(t, TAPE_TRAIN, key, row, dropout);   forgets the last step
 *     loss = ad_vocab_loss(t, model(t, x), ...);
 *     tape_backward(t, loss);                         fills every wanted ->g
 *
 * Backward visits the nodes from last to first.  It creates a node's gradient
 * when the first later node adds to it, and releases the gradient and the
 * node's value after the node's own backward has run.  At the end of a step
 * only the tensors of leaves remain.
 *
 * The tape owns nothing that outlives the step; parameters do (nn/params.h).
 * One thread uses a tape at a time.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/rng.h"
#include "harness/engine/backend.h"

enum tape_mode { TAPE_EVAL, TAPE_TRAIN };

/* Observer, called with every attention layer and its position.  `watch`
 * receives the weights P, `logits` the input B of each softmax (the weights
 * themselves if it is linear).  A convolution calls only `logits`, with its
 * taps as rows that see all keys. */
enum tape_place { TAPE_ENCODER, TAPE_DECODER, TAPE_CROSS };
typedef void tape_watch(void *arg, enum tape_place place, int layer,
                        const struct attend *a, const real *x);

/* Rows of a packing are rounded up to a multiple of PACKED_ROWS, because each
 * shape of a product costs the library memory. */
#ifdef PLAIN_PRODUCTS
enum { PACKED_ROWS = 1 };
#else
enum { PACKED_ROWS = 32 };
#endif

/* Operands in the form that products read: n values from x on. */
struct lowered { const real *x; size_t n; const uint16_t *low; };

struct tape {
    const struct backend *be;
    struct lowered        weights, operand; /* of the step, of the
                                    current node (tape_lower); or nothing */
    struct arena         *nodes; /* the tensors themselves                */
    struct arena         *data;  /* their x, g and aux: buffers           */
    struct arena         *kept;  /* buffers that outlive a step; the caller that
                                    starts to use them resets it          */
    enum tape_mode        mode;
    struct rng_key        key;   /* dropout: seed, stream, step; site: op */
    int                   row;   /* first row of this shard in the batch  */
    real                  keep;  /* 1 - dropout rate, in training         */
    const struct packing *packing; /* of tensors (1,rows,..); set by the model,
                                      or NULL                             */
    tape_watch           *watch, *logits; /* or NULL                      */
    void                 *watch_arg;
    enum tape_place       place; /* set by the model, for observers       */
    int                   layer;
    int                   n;
    size_t                cap;
    tensor              **node;  /* in order of creation                  */
    double                flops; /* of products and convolutions since tape_new:
                                    multiply-adds times two               */
    struct products      *products; /* tape_dry: shapes of the products   */
    /* Called once, before anything is added to a leaf's gradient; or NULL. */
    void                (*leaves)(void *arg);
    void                 *leaves_arg;
    /* Called by backward, for leaves whose gradients lie in one array: nothing
     * more is added from `from` on, or, at the end (NULL), to any of them; or
     * NULL. */
    void                (*whole)(void *arg, const real *from);
    void                 *whole_arg;
};

struct tape *tape_new(const struct backend *be);
/* Returns a tape of backend_dry: its tensors have shapes but no memory.  p is
 * the precision of the products of the estimated cell. */
struct tape *tape_dry(enum precision p);
/* Returns the memory of the products on a tape_dry since the last call of this
 * function, each shape once (backend_product_bytes): batched products, which
 * are those of attention, and single products of all tokens. */
struct product_bytes { double batched, single; };
struct product_bytes tape_product_bytes(struct tape *t);
/* Returns the bytes of the buffers in which a thread converts operands, at most
 * over all products since tape_dry. */
double       tape_scratch_bytes(const struct tape *t);
void         tape_free(struct tape *t);
void         tape_begin(struct tape *t, enum tape_mode mode,
                        struct rng_key key, int row, double dropout);
void         tape_backward(struct tape *t, tensor *loss);

/* Returns a new node of shape dim, which needs a gradient if an input does.
 * Its inputs have gradients when back is called, unless the node sets
 * `writes`. */
tensor *tape_node(struct tape *t, int nd, const int dim[], tensor_back *back,
                  int nin, tensor *const in[]);

/* Returns a leaf without gradient; its values are not initialised. */
tensor *tape_leaf(struct tape *t, int nd, const int dim[]);

/* For ops that compute a gradient during forward: returns x->g, which starts as
 * zeros, or NULL if x needs no gradient. */
real *tape_gradient(struct tape *t, tensor *x);

/* For the back of a node that sets `writes`: creates x->g.  Returns 1 if the
 * caller must add to x->g, or 0 if x->g is blank and the caller must write all
 * of it.  If x needs no gradient, x->g stays NULL. */
int tape_adds(struct tape *t, tensor *x);

/* x' += y' for a node y that no longer needs y'.  If x has no gradient yet, it
 * takes over that of y. */
void tape_pass(struct tape *t, tensor *y, tensor *x);

/* Announces that gradients of leaves are added to from here on: calls `leaves`.
 * An op that adds to them during forward must call this; backward calls it as
 * well. */
void tape_leaves(struct tape *t);

/* Saves a copy of what backward needs in y->aux. */
void tape_keep(struct tape *t, tensor *y, const void *x, size_t bytes);

/* tape_lower converts n values of x to the form that products read, once for
 * all products up to tape_raise that read them.  Only one array at a time can
 * be converted. */
void tape_lower(struct tape *t, size_t n, const real *x);
void tape_raise(struct tape *t);

/* tape_gemm calls the backend's product and counts it.  tape_count counts
 * float32 products that another kernel computes. */
void tape_gemm(struct tape *t, const struct gemm *s, const real *a,
               const real *b, const real *bias, real *c);
void tape_count(struct tape *t, const struct gemm *s);

/* Releases the value of x, which neither a later op nor a backward other than
 * x's own may read.  Does nothing if x is a leaf or if x's own back reads the
 * value. */
void tape_give_up(struct tape *t, tensor *x);

/* Draws dropout for n values, nrow of them in each row of the batch.  Returns
 * one byte per value, or NULL if nothing is dropped.  Each call is a site of
 * its own. */
unsigned char *tape_dropout(struct tape *t, size_t n, size_t nrow);

/* Draws the same for packed rows of d values: each token gets what it would
 * have in the rectangle. */
unsigned char *tape_dropout_packed(struct tape *t, int d);

/* Returns a packing of sentences of these lengths in a rectangle (b,n,..) for
 * this step, or NULL if length is NULL or there is little padding. */
const struct packing *tape_packing(struct tape *t, const int *length, int b,
                                   int n);
int packing_is_of(const struct packing *p, const tensor *x);
