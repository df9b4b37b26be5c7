/* Faulty variants: each has the name of a correct variant, makes one mistake,
 * and otherwise calls the correct variant. */
#include "tests/support/faults.h"

#include "tests/support/select_variants.h"

#include <string.h>

const struct variant *fault_truth(const char *name)
{
    return named_mix(name).part[0];
}

static real *at(const tensor *b, int h, int sentence, int i)
{
    int row = (h * b->dim[1] + sentence) * b->dim[2] + i;

    return b->x + (size_t)row * (size_t)b->dim[3];
}

/* ---- a new R for each element of the batch ---- */

static tensor *drawn_anew(const void *self, struct tape *t, tensor *x,
                          const struct window *w)
{
    tensor *r = fault_truth("random")->scores(self, t, x, w);
    tensor *b = tape_leaf(t, 4, (int[]){r->dim[0], x->dim[0], r->dim[2],
                                        r->dim[3]});

    for (int e = 0; e < b->dim[0] * b->dim[1] * b->dim[2]; e++) {
        int i = e % b->dim[2], s = e / b->dim[2] % b->dim[1];
        int h = e / (b->dim[2] * b->dim[1]);

        for (int j = 0; j < b->dim[3]; j++)
            at(b, h, s, i)[j] = at(r, h, 0, i)[j] * (real)(s + 1);
    }
    return b;
}

static void per_batch(struct variant *v) { v->scores = drawn_anew; }

/* ---- trainable and frozen parameters ---- */

static void unfrozen(struct variant *v)
{
    v->init = fault_truth("random")->init;
}

static void never_learned(struct variant *v)
{
    v->init = fault_truth("fixed-random")->init;
}

static real *frozen_values;

static void remember(void *self, const struct model_config *c,
                     struct params *ps)
{
    fault_truth("fixed-random")->init(self, c, ps);
    frozen_values = ps->list[ps->n - 1].value->x;
}

static tensor *push(const void *self, struct tape *t, tensor *x,
                    const struct window *w)
{
    if (t->mode == TAPE_TRAIN)
        frozen_values[3] += (real)2.4e-7;
    return fault_truth("fixed-random")->scores(self, t, x, w);
}

static void pushed(struct variant *v)
{
    v->init = remember;
    v->scores = push;
}

/* ---- scores ---- */

static void init_unscaled(void *self, const struct model_config *c,
                          struct params *ps)
{
    struct model_config own = *c;

    own.dot_scale = 0;
    fault_truth("vanilla")->init(self, &own, ps);
}

static void unscaled(struct variant *v) { v->init = init_unscaled; }

static tensor *scores_swapped(const void *self, struct tape *t, tensor *x,
                              const struct window *w)
{
    tensor *b = fault_truth("random")->scores(self, t, x, w);
    size_t each = tensor_len(b) / (size_t)b->dim[0];

    for (size_t i = 0; i < each; i++) {
        real *first = b->x + i;
        real *last = b->x + (size_t)(b->dim[0] - 1) * each + i, keep = *first;

        *first = *last;
        *last = keep;
    }
    return b;
}

static void swapped(struct variant *v) { v->scores = scores_swapped; }

/* Shrinks the N x N scores to n x n by nearest-neighbour sampling. */
static tensor *scores_resized(const void *self, struct tape *t, tensor *x,
                              const struct window *w)
{
    int n = x->dim[1], N = LAYER_N;
    struct window whole = {.keys = N};
    tensor rows = {.nd = 3, .dim = {1, N, 1}};
    tensor *b = fault_truth("random")->scores(self, t, x, w);
    tensor *all = fault_truth("random")->scores(self, t, &rows, &whole);

    if (n == 1 || n > N || w->keys != n) /* correct while decoding */
        return b;
    for (int e = 0; e < b->dim[0] * n * n; e++) {
        int h = e / (n * n), i = e / n % n, j = e % n;

        at(b, h, 0, i)[j] = at(all, h, 0, i * N / n)[j * N / n];
    }
    return b;
}

static void resized(struct variant *v) { v->scores = scores_resized; }

/* Uses the scores of position 0 at every decoding step. */
static tensor *scores_stuck(const void *self, struct tape *t, tensor *x,
                            const struct window *w)
{
    struct window first = *w;

    first.from = 0;
    return fault_truth("random")->scores(self, t, x, &first);
}

static void stuck(struct variant *v) { v->scores = scores_stuck; }

/* Adds the products up and uses the sums for every row, a mistake of the
 * released code. */
static tensor *scores_broadcast(const void *self, struct tape *t, tensor *x,
                                const struct window *w)
{
    tensor *b = fault_truth("factorized-random")->scores(self, t, x, w);

    for (int h = 0; h < b->dim[0]; h++)
        for (int i = 1; i < b->dim[2]; i++)
            memcpy(at(b, h, 0, i), at(b, h, 0, 0),
                   (size_t)b->dim[3] * sizeof(real));
    return b;
}

static void broadcast(struct variant *v) { v->scores = scores_broadcast; }

/* Uses elementwise products instead of R1 R2^T, so the rank of the scores is
 * not r. */
static tensor *scores_full_rank(const void *self, struct tape *t, tensor *x,
                                const struct window *w)
{
    tensor *b = fault_truth("factorized-random")->scores(self, t, x, w);

    for (size_t i = 0; i < tensor_len(b); i++)
        b->x[i] *= b->x[i] * b->x[i];
    return b;
}

static void full_rank(struct variant *v) { v->scores = scores_full_rank; }

/* Reshapes (b,n,h,m) to (b,h,n,m) without a transpose. */
static tensor *scores_scrambled(const void *self, struct tape *t, tensor *x,
                                const struct window *w)
{
    tensor *right = fault_truth("dense")->scores(self, t, x, w);
    tensor *b = tape_leaf(t, 4, right->dim);
    int h = b->dim[0], n = b->dim[2];

    for (int e = 0; e < h * b->dim[1] * n; e++) {
        int s = e / n % b->dim[1], flat = e / (n * b->dim[1]) * n + e % n;

        memcpy(at(b, flat / n, s, flat % n), at(right, flat % h, s, flat / h),
               (size_t)b->dim[3] * sizeof(real));
    }
    return b;
}

static void scrambled(struct variant *v) { v->scores = scores_scrambled; }

/* ---- other ---- */

static void gaussian(struct variant *v)
{
    v->init = fault_truth("frozen-gaussian")->init;
}

static void no_softmax(struct variant *v) { v->traits |= VARIANT_LINEAR; }

static void no_order(struct variant *v) { v->traits |= VARIANT_SYMMETRIC; }

static void some_order(struct variant *v)
{
    v->traits &= ~(unsigned)VARIANT_SYMMETRIC;
}

static tensor *output_centred(const void *self, struct tape *t, tensor *x,
                              tensor *v, const struct window *w)
{
    struct window encoder = *w;

    encoder.causal = 0;
    return fault_truth("lightweight-conv")->output(self, t, x, v, &encoder);
}

static void centred(struct variant *v) { v->output = output_centred; }

/* Does not zero keys and values of padding before the projection. */
static tensor *output_padded(const void *self, struct tape *t, tensor *x,
                             tensor *v, const struct window *w)
{
    struct window all = *w;

    all.length = NULL;
    return fault_truth("linformer")->output(self, t, x, v, &all);
}

static void padded(struct variant *v) { v->output = output_padded; }

const struct fault fault_variants[] = {
    {"each batch element has its own R", "random dense", "random",
     "output grad pad still free", "dense", per_batch, NULL},
    {"fixed-random is learned", "fixed-random dense", "fixed-random",
     "frozen params", "dense", unfrozen, NULL},
    {"R is never learned", "random dense", "random", "params", "dense",
     never_learned, NULL},
    {"a frozen tensor is changed", "fixed-random dense", "fixed-random",
     "frozen", "dense", pushed, NULL},
    {"1/sqrt(k) is missing", "vanilla dense", "vanilla", "output grad",
     "dense", unscaled, NULL},
    {"heads are swapped", "random dense", "random", "output grad", "dense",
     swapped, NULL},
    {"R is resized to n x n and not sliced", "random dense", "random",
     "output grad pad decode", "dense", resized, NULL},
    {"decoding always takes row 0 of R", "random dense", "random", "decode",
     "dense", stuck, NULL},
    {"r_j is broadcast over rows", "factorized-random dense",
     "factorized-random", "output grad decode", "dense", broadcast, NULL},
    {"the rank of R is not r", "factorized-random dense",
     "factorized-random", "output grad rank", "dense", full_rank, NULL},
    {"heads and rows are reshaped, not transposed", "dense random",
     "dense", "output grad pad causal decode still local", "random",
     scrambled, NULL},
    {"orthogonal is Gaussian", "orthogonal dense", "orthogonal", "orthog",
     "dense", gaussian, NULL},
    {"the softmax is left out", "random dense", "random",
     "output grad params", "dense", no_softmax, NULL},
    {"a table of positions claims to ignore order", "random dense", "random",
     "permute", "dense", no_order, NULL},
    {"dot products claim to depend on order", "vanilla dense", "vanilla",
     "order", "dense", some_order, NULL},
    {"taps are centred in a decoder", "lightweight-conv dense",
     "lightweight-conv", "output grad causal decode local band", "dense",
     centred, NULL},
    {"padding is projected", "linformer dense", "linformer",
     "output grad pad", "dense", padded, NULL},
    {.sentence = NULL},
};
