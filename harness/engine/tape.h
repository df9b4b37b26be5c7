/*
 * tape: records what was computed so that gradients can be taken.
 *
 *     tape_begin(t, TAPE_TRAIN, key, row);   forget the last step
 *     loss = ad_vocab_loss(t, model(t, x), ...);
 *     tape_backward(t, loss);                fills every wanted ->g
 *
 * Backward goes from the last node to the first.  A node's gradient is made
 * when the first node behind it adds to it, and given back with the node's
 * value once its own backward has run: of a step's tensors, only the leaves'
 * are there in the end.
 *
 * The tape owns nothing that outlives the step; parameters do (nn/params.h).
 * One thread uses a tape at a time.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/rng.h"
#include "harness/engine/backend.h"

enum tape_mode { TAPE_EVAL, TAPE_TRAIN };

/* Who is told the weights P of each attention, and where it stands; and who
 * the logits of each softmax, B, which are the weights where it is linear.  Of
 * a convolution only the logits are told, its taps: rows that see all. */
enum tape_place { TAPE_ENCODER, TAPE_DECODER, TAPE_CROSS };
typedef void tape_watch(void *arg, enum tape_place place, int layer,
                        const struct attend *a, const real *x);

/* Rows are rounded up to a multiple of it: each shape of a product costs the
 * library memory. */
#ifdef PLAIN_PRODUCTS
enum { PACKED_ROWS = 1 };
#else
enum { PACKED_ROWS = 32 };
#endif

/* Operands as products take them: n values from x on. */
struct lowered { const real *x; size_t n; const uint16_t *low; };

struct tape {
    const struct backend *be;
    struct lowered        weights, operand; /* of the step, of the node at
                                    work (tape_lower); or nothing         */
    struct arena         *nodes; /* the tensors themselves                */
    struct arena         *data;  /* their x, g and aux: buffers           */
    struct arena         *kept;  /* buffers that outlive a step: who begins
                                    with them resets it                   */
    enum tape_mode        mode;
    struct rng_key        key;   /* dropout: seed, stream, step; site = op */
    int                   row;   /* first row of this shard in the batch  */
    real                  keep;  /* 1 - dropout rate, in training         */
    const struct packing *packing; /* of what is (1,rows,..); set by the
                                    model, or NULL                        */
    tape_watch           *watch, *logits; /* or NULL                      */
    void                 *watch_arg;
    enum tape_place       place; /* set by the model, for the watcher     */
    int                   layer;
    int                   n;
    size_t                cap;
    tensor              **node;  /* in order of creation                  */
    double                flops; /* of products and convolutions since
                                    tape_new: multiply-adds times two     */
    struct products      *products; /* tape_dry: their shapes             */
    void                (*leaves)(void *arg); /* called once, before anything
                                    is added to a leaf's gradient; or NULL */
    void                 *leaves_arg;
    void                (*whole)(void *arg, const real *from); /* backward: of
                                    leaves whose gradients lie in one array,
                                    nothing more is added from `from` on, in
                                    the end (NULL) to any of them; or NULL    */
    void                 *whole_arg;
};

struct tape *tape_new(const struct backend *be);
/* A tape of backend_dry: its tensors have shapes but no memory.  p: of the
 * products of a cell that is foretold. */
struct tape *tape_dry(enum precision p);
/* Memory of the products on a tape_dry since the last call of this, each shape
 * once (backend_product_bytes): of attention's, which come in batches, and of
 * tokens side by side. */
struct product_bytes { double batched, single; };
struct product_bytes tape_product_bytes(struct tape *t);
/* Of the operands that a thread makes anew, all products since tape_dry. */
double       tape_scratch_bytes(const struct tape *t);
void         tape_free(struct tape *t);
void         tape_begin(struct tape *t, enum tape_mode mode,
                        struct rng_key key, int row, double dropout);
void         tape_backward(struct tape *t, tensor *loss);

/* A result with the shape of dim; wants a gradient if an input does.  Its
 * inputs have one when back is called, unless it `writes`. */
tensor *tape_node(struct tape *t, int nd, const int dim[], tensor_back *back,
                  int nin, tensor *const in[]);

/* A leaf without gradient, not cleared. */
tensor *tape_leaf(struct tape *t, int nd, const int dim[]);

/* For ops that take it on the way forward: x->g, zeros at first; NULL where
 * none is wanted. */
real *tape_gradient(struct tape *t, tensor *x);

/* For the back of a node that `writes`: makes x->g, and says whether it is to
 * be added to; else it is blank, and all of it is to be written. */
int tape_adds(struct tape *t, tensor *x);

/* x' += y' of a node y that needs y' no more: x takes it where it has none. */
void tape_pass(struct tape *t, tensor *y, tensor *x);

/* Leaves' gradients are added to from here on: calls `leaves`.  An op that
 * does so on the way forward says it; backward does. */
void tape_leaves(struct tape *t);

/* A copy of what backward has to know: y->aux. */
void tape_keep(struct tape *t, tensor *y, const void *x, size_t bytes);

/* n values of x as products take them, once for all the products up to
 * tape_raise that read them: of one array at a time. */
void tape_lower(struct tape *t, size_t n, const real *x);
void tape_raise(struct tape *t);

/* The backend's product, counted; and a count of products that another kernel
 * makes, of float32. */
void tape_gemm(struct tape *t, const struct gemm *s, const real *a,
               const real *b, const real *bias, real *c);
void tape_count(struct tape *t, const struct gemm *s);

/* The value of x has had its last reader: neither another op nor a backward,
 * but x's own, will see it.  Nothing is done for a leaf. */
void tape_give_up(struct tape *t, tensor *x);

/* Dropout of n values, nrow of them a row of the batch: NULL where nothing is
 * dropped, else one byte a value.  Each call is a site of its own. */
unsigned char *tape_dropout(struct tape *t, size_t n, size_t nrow);

/* The same of packed rows of d values: at each token what the rectangle would
 * have there. */
unsigned char *tape_dropout_packed(struct tape *t, int d);

/* Of sentences of these lengths in a rectangle (b,n,..), for this step; NULL:
 * there is hardly any padding, or length is NULL. */
const struct packing *tape_packing(struct tape *t, const int *length, int b,
                                   int n);
int packing_is_of(const struct packing *p, const tensor *x);
