#include "harness/engine/tape.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/engine/form.h"

#include <stdlib.h>
#include <string.h>

size_t tensor_len(const tensor *a)
{
    size_t n = 1;

    for (int i = 0; i < a->nd; i++)
        n *= (size_t)a->dim[i];
    return n;
}

int tensor_last(const tensor *a) { return a->dim[a->nd - 1]; }

size_t tensor_rows(const tensor *a)
{
    size_t n = 1;

    for (int i = 0; i < a->nd - 1; i++)
        n *= (size_t)a->dim[i];
    return n;
}

/* ---- memory of products ---- */

enum { SHAPES = 1024 };

/* The properties of a product that determine its memory.  If `low` is set, the
 * operands have the cell's precision, otherwise float32. */
struct noted { struct gemm shape; int bias, low; };

struct products {
    enum precision         precision; /* of the cell                    */
    struct backend_scratch scratch;   /* maximum so far, bytes        */
    int                    n;
    struct noted           of[SHAPES];
};

static int same(const struct noted *x, const struct noted *y)
{
    const struct gemm *a = &x->shape, *b = &y->shape;

    return x->bias == y->bias && x->low == y->low && a->m == b->m &&
           a->n == b->n && a->k == b->k && a->ta == b->ta && a->tb == b->tb &&
           a->lda == b->lda && a->ldb == b->ldb && a->outer == b->outer &&
           a->inner == b->inner && a->add == b->add && a->relu == b->relu;
}

static void note(struct products *p, struct noted x)
{
    struct backend_scratch s = {0, 0};
    int i = 0;

    if (x.low && p->precision == PRECISION_BF16)
        s = backend_scratch_bytes(&x.shape);
    p->scratch.a = s.a > p->scratch.a ? s.a : p->scratch.a;
    p->scratch.b = s.b > p->scratch.b ? s.b : p->scratch.b;

    while (i < p->n && !same(&p->of[i], &x))
        i++;
    if (i == p->n && p->n < SHAPES)
        p->of[p->n++] = x;
}

double tape_scratch_bytes(const struct tape *t)
{
    return (double)(t->products->scratch.a + t->products->scratch.b);
}

struct product_bytes tape_product_bytes(struct tape *t)
{
    enum precision p = t->products->precision;
    struct product_bytes bytes = {0, 0};

    for (int i = 0; i < t->products->n; i++) {
        const struct noted *x = &t->products->of[i];
        int batched = x->shape.outer > 1 || x->shape.inner > 1;

        *(batched ? &bytes.batched : &bytes.single) +=
            (double)backend_product_bytes(&x->shape, x->bias,
                                          x->low ? p : PRECISION_FP32);
    }
    t->products->n = 0;
    return bytes;
}

static void count(struct tape *t, struct noted x)
{
    const struct gemm s = x.shape;
    int kinds = s.each && s.length ? s.inner : 1;

    t->flops += gemm_flops(&s);
    for (int i = 0; t->products && i < kinds; i++) {
        x.shape = s.each ? gemm_batch(&s, i) : s;
        if (x.shape.m && x.shape.n && x.shape.k)
            note(t->products, x);
    }
}

void tape_count(struct tape *t, const struct gemm *s)
{
    count(t, (struct noted){.shape = *s});
}

static const uint16_t *lowered_of(const struct tape *t, const real *x)
{
    for (int i = 0; i < 2; i++) {
        const struct lowered *l = i ? &t->operand : &t->weights;
        size_t at = ((uintptr_t)x - (uintptr_t)l->x) / sizeof *x;

        if (at < l->n)
            return l->low + at;
    }
    return NULL;
}

void tape_lower(struct tape *t, size_t n, const real *x)
{
    uint16_t *low;

    REQUIRE(!t->operand.n, "two operands at a time");
    if (!t->be->lower)
        return;
    low = arena_again(t->data, n * sizeof *low);
    t->be->lower(n, x, low);
    t->operand = (struct lowered){x, n, low};
}

void tape_raise(struct tape *t)
{
    const struct lowered *l = &t->operand;

    if (l->n)
        arena_give(t->data, (void *)l->low, l->n * sizeof *l->low);
    t->operand = (struct lowered){0};
}

void tape_gemm(struct tape *t, const struct gemm *s, const real *a,
               const real *b, const real *bias, real *c)
{
    struct gemm of = *s;

    of.low_a = s->low_a ? s->low_a : lowered_of(t, a);
    of.low_b = s->low_b ? s->low_b : lowered_of(t, b);
    count(t, (struct noted){*s, bias != NULL, 1});
    t->be->gemm(&of, a, b, bias, c);
}

/* ---- the tape ---- */

struct tape *tape_new(const struct backend *be)
{
    struct tape *t = calloc(1, sizeof *t);

    t->be = be;
    t->fuses = be->fuses;
    t->nodes = arena_new();
    t->data = arena_of(be->memory);
    t->kept = arena_of(be->memory);
    return t;
}

struct tape *tape_dry(enum precision p)
{
    struct tape *t = tape_new(p == PRECISION_BF16 ? &backend_dry_bf16
                                                  : &backend_dry);

    t->products = calloc(1, sizeof *t->products);
    t->products->precision = p;
    return t;
}

void tape_free(struct tape *t)
{
    if (!t)
        return;
    arena_free(t->nodes);
    arena_free(t->data);
    arena_free(t->kept);
    free(t->node);
    free(t->products);
    free(t);
}

void tape_leaves(struct tape *t)
{
    void (*call)(void *arg) = t->leaves;

    t->leaves = NULL;
    if (call)
        call(t->leaves_arg);
}

void tape_begin(struct tape *t, enum tape_mode mode, struct rng_key key,
                int row, double dropout)
{
    arena_reset(t->nodes);
    arena_reset(t->data);
    t->n = 0;
    t->mode = mode;
    t->key = key;
    t->key.site = 0;
    t->row = row;
    t->packing = NULL;
    t->keep = mode == TAPE_TRAIN ? (real)(1 - dropout) : 1;
}

static size_t bytes_of(const tensor *y)
{
    return tensor_len(y) * sizeof(real);
}

/* Appends a tensor; its value is allocated if `value` is set. */
static tensor *append(struct tape *t, int nd, const int dim[], int value)
{
    tensor *y = arena_zero(t->nodes, sizeof *y);

    REQUIRE(nd >= 0 && nd <= TENSOR_DIMS, "nd %d", nd);
    y->nd = nd;
    for (int i = 0; i < nd; i++) {
        REQUIRE(dim[i] > 0, "dimension %d is %d", i, dim[i]);
        y->dim[i] = dim[i];
    }
    if (value)
        y->x = arena_again(t->data, bytes_of(y));
    if (t->n)
        y->reach = t->node[t->n - 1]->reach;
    ARRAY_ROOM(t->node, t->n, t->cap);
    return t->node[t->n++] = y;
}

tensor *tape_leaf(struct tape *t, int nd, const int dim[])
{
    return append(t, nd, dim, 1);
}

/* If `leaf` is a leaf, extends y->reach to the end of its gradient.  All
 * gradients of leaves lie in one array, so their addresses can be compared. */
static void reach_to(tensor *y, const tensor *leaf)
{
    const real *end = leaf->g ? leaf->g + tensor_len(leaf) : NULL;

    if (!leaf->back && (uintptr_t)end > (uintptr_t)y->reach)
        y->reach = end;
}

static tensor *node(struct tape *t, tensor *y, tensor_back *back, int nin,
                    tensor *const in[])
{
    REQUIRE(nin <= TENSOR_INPUTS, "%d inputs", nin);
    for (int i = 0; i < nin; i++) {
        REQUIRE(!in[i] || !in[i]->back || in[i]->x || in[i]->form,
                "input %d: its value was released", i);
        y->in[i] = in[i];
        y->wants |= in[i] && (in[i]->g || in[i]->wants);
        if (in[i])
            reach_to(y, in[i]);
    }
    y->wants &= t->mode == TAPE_TRAIN;
    y->back = back;
    y->reals = 1;
    return y;
}

void tape_form(struct tape *t, tensor *x)
{
    if (x->x || !x->form)
        return;
    x->x = arena_again(t->data, bytes_of(x));
    x->reals = 1; /* now `back` can run */
    x->form->make(t, x);
    x->form = NULL;
}

tensor *tape_node(struct tape *t, int nd, const int dim[], tensor_back *back,
                  int nin, tensor *const in[])
{
    for (int i = 0; i < nin; i++)
        if (in[i])
            tape_form(t, in[i]);
    return node(t, append(t, nd, dim, 1), back, nin, in);
}

tensor *tape_deferred(struct tape *t, int nd, const int dim[],
                      tensor_back *back, int nin, tensor *const in[])
{
    return node(t, append(t, nd, dim, 0), back, nin, in);
}

void tape_keep(struct tape *t, tensor *y, const void *x, size_t bytes)
{
    y->aux = memcpy(arena_take(t->nodes, bytes), x, bytes);
}

static void room_for_gradient(struct tape *t, tensor *x)
{
    if (!x->g && x->wants) {
        x->g = arena_again(t->data, bytes_of(x));
        x->blank = 1;
    }
}

real *tape_gradient(struct tape *t, tensor *x)
{
    room_for_gradient(t, x);
    if (x->blank)
        t->be->zero(x->g, bytes_of(x));
    x->blank = 0;
    return x->g;
}

int tape_adds(struct tape *t, tensor *x)
{
    room_for_gradient(t, x);
    int adds = !x->blank;

    x->blank = 0;
    return adds;
}

void tape_pass(struct tape *t, tensor *y, tensor *x)
{
    size_t n = tensor_len(y);

    if (!x->g && x->wants) {
        x->g = y->g;
        y->g = NULL;
    } else if (tape_gradient(t, x)) {
        t->be->axpy(n, 1, y->g, x->g);
    }
}

static void give(struct tape *t, const tensor *y, real **values)
{
    if (*values)
        arena_give(t->data, *values, bytes_of(y));
    *values = NULL;
}

const uint16_t *tape_low(struct tape *t, tensor *x)
{
    size_t n = tensor_len(x);

    if (!t->be->lower || t->mode != TAPE_TRAIN || !x->back ||
        x->own == OWN_VALUES)
        return NULL;
    if (!x->low) {
        x->low = arena_again(t->data, n * sizeof *x->low);
        t->be->lower(n, x->x, x->low);
    }
    return x->low;
}

void tape_shrink(struct tape *t, tensor *x)
{
    int read = !x->low;

    for (int i = t->n - 1; !read && t->node[i] != x; i--)
        for (int k = 0; k < TENSOR_INPUTS; k++)
            read |= t->node[i]->reals && t->node[i]->in[k] == x;
    if (!read)
        give(t, x, &x->x);
}

void tape_give_up(struct tape *t, tensor *x)
{
    if (x->back && !x->own)
        give(t, x, &x->x);
}

/* Runs y->back, then releases the gradient and the value of y, because no node
 * before y on the tape needs them. */
static void node_back(struct tape *t, tensor *y)
{
    for (int i = 0; i < TENSOR_INPUTS && !y->writes; i++)
        if (y->in[i])
            tape_gradient(t, y->in[i]);
    y->back(t, y);
    give(t, y, &y->g);
    give(t, y, &y->x);
    if (y->low)
        arena_give(t->data, y->low, tensor_len(y) * sizeof *y->low);
}

void tape_backward(struct tape *t, tensor *loss)
{
    real one = 1;

    REQUIRE(tensor_len(loss) == 1, "loss has %zu elements", tensor_len(loss));
    REQUIRE(loss->wants, "the loss depends on no learned parameter");
    tape_leaves(t);
    t->be->put(tape_gradient(t, loss), &one, sizeof one);
    for (int i = t->n - 1; i >= 0; i--) {
        if (t->node[i]->wants && t->node[i]->g)
            node_back(t, t->node[i]);
        if (t->whole)
            t->whole(t->whole_arg, i ? t->node[i - 1]->reach : NULL);
    }
}

unsigned char *tape_dropout(struct tape *t, size_t n, size_t nrow)
{
    if (t->keep >= 1)
        return NULL;
    unsigned char *kept = arena_take(t->data, n);

    t->key.site++;
    t->be->drop_draw(1, n, t->key, (uint64_t)t->row * nrow, t->keep, kept);
    return kept;
}

unsigned char *tape_dropout_packed(struct tape *t, int d)
{
    const struct packing *p = t->packing;

    if (t->keep >= 1)
        return NULL;
    unsigned char *kept = arena_take(t->data, (size_t)p->rows * (size_t)d);
    t->key.site++;
    t->be->drop_draw_packed(p, d, t->key, t->row, t->keep, kept);
    return kept;
}
