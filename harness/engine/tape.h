/*
 * tape: records the ops of a forward pass and computes their gradients
 * (reverse-mode differentiation).  train/trainer.c runs a shard, a part of the
 * batch, on it:
 *
 *     tape_begin(t, TAPE_TRAIN, key, row, dropout);   discards all nodes
 *     loss = ad_vocab_loss(t, model(t, x), ...);
 *     tape_backward(t, loss);                         computes gradients ->g
 *
 * Backward visits the nodes in reverse order of their creation.  It creates a
 * node's gradient just before the first addition to that gradient, and releases
 * the gradient and the node's value after the node's own backward has run.  At
 * the end of a step only the tensors of leaves remain.
 *
 * The tape owns nothing that outlives the step; nn/params.h owns the
 * parameters.  One thread uses a tape at a time.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/rng.h"
#include "harness/engine/backend.h"

enum tape_mode { TAPE_EVAL, TAPE_TRAIN };

/* Observer, called for every attention layer with the stack and the index of
 * the layer.  tape.watch receives the attention weights P as x.  tape.logits
 * receives the input B of each softmax, or the weights if the attention is
 * linear.  A convolution calls only tape.logits: x holds its taps, in rows that
 * see all keys. */
enum tape_place { TAPE_ENCODER, TAPE_DECODER, TAPE_CROSS };
typedef void tape_watch(void *arg, enum tape_place place, int layer,
                        const struct attend *a, const real *x);

/* The number of rows of a packing is rounded up to a multiple of PACKED_ROWS,
 * because oneDNN, which computes the products on the CPU, uses memory for each
 * shape. */
#ifdef PLAIN_PRODUCTS
enum { PACKED_ROWS = 1 };
#else
enum { PACKED_ROWS = 32 };
#endif

/* `low` holds the n values from x on, converted to bfloat16 for the
 * products. */
struct lowered { const real *x; size_t n; const uint16_t *low; };

struct tape {
    const struct backend *be;
    struct lowered        weights, operand; /* the weights of the step, and
                                               an operand of the current node
                                               (tape_lower); n is 0 in one
                                               that is not in use */
    struct arena         *nodes; /* the tensors themselves                */
    struct arena         *data;  /* buffers: x, g and low of the tensors, and
                                    arrays to which aux refers            */
    struct arena         *kept;  /* buffers that outlive a step; a caller that
                                    needs such buffers first resets the
                                    arena                                 */
    enum tape_mode        mode;
    struct rng_key        key;   /* for dropout; key.site counts the uses */
    int                   row;   /* first row of this shard in the batch  */
    real                  keep;  /* 1 - dropout rate, in training         */
    const struct packing *packing; /* of tensors (1,rows,..); set by the model,
                                      or NULL                             */
    int                   fuses; /* attention is fused where it can be;
                                    initially as the backend says         */
    tape_watch           *watch, *logits; /* or NULL                      */
    void                 *watch_arg;
    enum tape_place       place; /* set by the model, for observers       */
    int                   layer;
    int                   n;
    size_t                cap;
    tensor              **node;  /* in order of creation                  */
    double                flops; /* of products and convolutions since tape_new:
                                    multiply-adds times two               */
    struct products      *products; /* shapes of the products, on a tape of
                                       tape_dry; else NULL                */
    /* If not NULL, called before the first addition to the gradient of a leaf.
     * The tape then sets `leaves` to NULL, so the caller must set it again for
     * each step. */
    void                (*leaves)(void *arg);
    void                 *leaves_arg;
    /* If not NULL, backward calls it after each node.  The gradients of all
     * leaves must lie in one array.  Its part from `from` on is then complete
     * or, if `from` is NULL, as in the last call, the whole array. */
    void                (*whole)(void *arg, const real *from);
    void                 *whole_arg;
};

struct tape *tape_new(const struct backend *be);
/* Returns a tape for estimates, on backend_dry (backend.h): its tensors have
 * shapes but no memory.  p is the precision of the products of the cell that is
 * estimated. */
struct tape *tape_dry(enum precision p);
/* Returns the memory of the products (backend_product_bytes) that a tape of
 * tape_dry ran since the previous call of this function, or since tape_dry;
 * each shape counts once.  `batched` is the memory of the products of
 * attention, `single` that of the products over all tokens. */
struct product_bytes { double batched, single; };
struct product_bytes tape_product_bytes(struct tape *t);
/* Returns the maximum size, over all products since tape_dry, of the buffers in
 * which a thread converts operands, in bytes. */
double       tape_scratch_bytes(const struct tape *t);
void         tape_free(struct tape *t);
/* Discards all nodes and begins a step.  `row` is the first row of the shard in
 * the batch.  `dropout` is the dropout rate; TAPE_EVAL drops nothing. */
void         tape_begin(struct tape *t, enum tape_mode mode,
                        struct rng_key key, int row, double dropout);
/* Computes the gradients of everything on which `loss`, a single value,
 * depends. */
void         tape_backward(struct tape *t, tensor *loss);

/* Returns a new node of shape `dim` with the `nin` inputs in[], some of which
 * may be NULL.  The node needs a gradient if one of its inputs does.  All
 * inputs that need gradients have them when `back` is called, unless the node
 * sets `writes`. */
tensor *tape_node(struct tape *t, int nd, const int dim[], tensor_back *back,
                  int nin, tensor *const in[]);

/* Like tape_node, but the new node has no memory for its value, and its inputs
 * need not have values (form.h). */
tensor *tape_deferred(struct tape *t, int nd, const int dim[],
                      tensor_back *back, int nin, tensor *const in[]);

/* Computes the value of a deferred tensor, if it has none yet.  tape_node does
 * this for its inputs. */
void tape_form(struct tape *t, tensor *x);

/* Returns a leaf without gradient; its values are not initialised. */
tensor *tape_leaf(struct tape *t, int nd, const int dim[]);

/* Returns x->g, or NULL if x needs no gradient.  A gradient without values
 * becomes 0.  Used by ops that compute a gradient in the forward pass. */
real *tape_gradient(struct tape *t, tensor *x);

/* Creates x->g, for the `back` of a node that sets `writes`.  Returns 1 if the
 * caller must add to x->g, or 0 if x->g is blank and the caller must write all
 * of its values.  If x needs no gradient, x->g stays NULL and the result has no
 * meaning. */
int tape_adds(struct tape *t, tensor *x);

/* Adds the gradient of y to the gradient of x, for a node y that no longer
 * needs its gradient.  If x has no gradient yet, x takes over the array of
 * y. */
void tape_pass(struct tape *t, tensor *y, tensor *x);

/* Must be called before gradients of leaves change.  Its first call in a step
 * calls t->leaves.  Ops that add to such gradients in the forward pass call
 * tape_leaves, and so does tape_backward. */
void tape_leaves(struct tape *t);

/* Saves a copy of the `bytes` bytes at x, which backward needs, in y->aux. */
void tape_keep(struct tape *t, tensor *y, const void *x, size_t bytes);

/* tape_lower converts n values of x as struct lowered says; until tape_raise,
 * all products with the operand x use the converted values.  Only one array at
 * a time can be converted. */
void tape_lower(struct tape *t, size_t n, const real *x);
void tape_raise(struct tape *t);

/* tape_gemm calls the backend's product and adds its operations to t->flops.
 * If s->low_a is set, a may be NULL; if s->low_b is set, b may be NULL.
 * tape_count only adds the operations to t->flops, for float32 products that
 * another kernel computes. */
void tape_gemm(struct tape *t, const struct gemm *s, const real *a,
               const real *b, const real *bias, real *c);
void tape_count(struct tape *t, const struct gemm *s);

/* Returns x->low, for an op that multiplies x and whose `back` needs only
 * x->low; the op sets `reals` of its node to 0.  Returns NULL in each of these
 * cases: products read float32 operands; the tape is in evaluation mode; the
 * value of x is kept anyway. */
const uint16_t *tape_low(struct tape *t, tensor *x);

/* The caller guarantees that no later op reads x.  If x->low exists and no
 * `back` reads the value of x, releases the value, so that only the two bytes
 * per value of x->low remain. */
void tape_shrink(struct tape *t, tensor *x);

/* The caller guarantees that no later op reads the value of x, and no `back`
 * except that of x.  Releases the value, unless x is a leaf or the `back` of x
 * reads it. */
void tape_give_up(struct tape *t, tensor *x);

/* Draws dropout for n values, `nrow` values for each row of the batch.  Returns
 * one byte per value, or NULL if nothing is dropped.  Each call uses the next
 * site of t->key. */
unsigned char *tape_dropout(struct tape *t, size_t n, size_t nrow);

/* Draws dropout for packed rows of d values: each token gets the same bytes as
 * tape_dropout would draw for it if the rows were not packed. */
unsigned char *tape_dropout_packed(struct tape *t, int d);

/* Returns a packing (backend.h), valid for this step, of tensors (b,n,..) whose
 * sentence s has length[s] tokens.  Returns NULL if `length` is NULL or there
 * is little padding. */
const struct packing *tape_packing(struct tape *t, const int *length, int b,
                                   int n);
/* Returns 1 if x has the shape (1,p->rows,..), or 0 if not or if p is NULL. */
int packing_is_of(const struct packing *p, const tensor *x);
