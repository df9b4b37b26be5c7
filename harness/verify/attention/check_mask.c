/* check_mask: the properties `weights`, `hull`, `padding`, `empty`, `causal`
 * and `decode`, which verify.c runs.  They concern masks and the ways to run a
 * layer, such as in a batch or row by row. */
#include "harness/nn/cache.h"
#include "harness/verify/attention/leaf.h"
#include "harness/verify/attention/verify.h"

#include <math.h>
#include <string.h>

/* ---- weights ---- */

static const char *no_softmax(const struct subject *s)
{
    return variant_alone(s->mix.part[0]) ? "no softmax over keys" : NULL;
}

struct seen { struct mask mask; struct gauge *m; };

static void see(void *arg, enum tape_place place, int layer,
                const struct attend *a, const real *p)
{
    struct seen *s = arg;
    int once = a->shared && !a->length && !a->kept;

    (void)place, (void)layer;
    for (int r = 0; r < a->h * (once ? 1 : a->b) * a->n; r++) {
        int b = r / a->n % a->b, i = r % a->n;
        double sum = 0;

        for (int j = 0; j < a->m; j++) {
            double w = (double)p[r * a->m + j];
            int hidden = (s->mask.length && j >= s->mask.length[b]) ||
                         (s->mask.causal && j > i);

            measure_worst(s->m, -w, "weight (%d,%d) is %g", i, j, w);
            if (hidden)
                measure_worst(s->m, fabs(w), "hidden key (%d,%d) has weight %g",
                              i, j, w);
            sum += w;
        }
        measure_worst(s->m, fabs(sum - 1), "row %d sums to %g", i, sum);
    }
}

static void weights(struct layer *l, const struct mask *mask, struct gauge *m)
{
    struct seen seen = {*mask, m};

    l->tape->watch = see;
    l->tape->watch_arg = &seen;
    layer_run(l, TAPE_EVAL, l->x, mask);
}

const struct property property_weights = {
    .name = "weight",
    .title = "weights are >= 0, sum to 1 and respect the mask",
    .excuse = no_softmax,
    .bound = ROUNDING,
    .masks = MASK_ALL,
    .run = weights};

/* ---- hull ---- */

static void identity(struct layer *l, const char *name)
{
    real *w = params_find(&l->params, name)->value->x;

    for (int i = 0; i < LAYER_D * LAYER_D; i++)
        w[i] = i % (LAYER_D + 1) == 0;
}

/* If W_v = W_o = I, the values are X, and the output of the layer consists of
 * the outputs of its heads. */
static void hull(struct layer *l, const struct mask *mask, struct gauge *m)
{
    enum { EACH = LAYER_ROWS * LAYER_D };

    identity(l, "self.v");
    identity(l, "self.o");
    const real *y = layer_run(l, TAPE_EVAL, l->x, mask)->x;
    for (int at = 0; at < LAYER_X; at++) {
        int b = at / EACH, column = at % LAYER_D;
        double low = INFINITY, high = -INFINITY, got = (double)y[at];

        for (int j = 0; j < mask->length[b]; j++) {
            double v = (double)l->x->x[b * EACH + j * LAYER_D + column];

            low = fmin(low, v);
            high = fmax(high, v);
        }
        measure_worst(m, fmax(got - high, low - got),
                      "output %g, values from %g to %g", got, low, high);
    }
}

const struct property property_hull = {
    .name = "hull",
    .title = "outputs of a head lie in the hull of its values",
    .excuse = no_softmax,
    .bound = ROUNDING,
    .masks = MASK_LENGTHS,
    .run = hull};

/* ---- padding ---- */

/* Compares the output of each sentence alone, cut to its length, with its
 * output in the padded batch. */
static void padding(struct layer *l, const struct mask *alone,
                    struct gauge *m)
{
    struct mask padded = {alone->causal, layer_length};
    real all[LAYER_X];

    memcpy(all, layer_run(l, TAPE_EVAL, l->x, &padded)->x, sizeof all);
    for (int b = 0; b < LAYER_B; b++) {
        size_t at = (size_t)(b * LAYER_ROWS) * LAYER_D;
        tensor x = {.nd = 3, .dim = {1, layer_length[b], LAYER_D},
                    .x = l->x->x + at};
        const real *y = layer_run(l, TAPE_EVAL, &x, alone)->x;

        for (size_t i = 0; i < tensor_len(&x); i++)
            measure_worst(m, measure_off((double)all[at + i], (double)y[i]),
                          "sentence %d: %g in the batch, %g alone", b,
                          (double)all[at + i], (double)y[i]);
    }
}

const struct property property_padding = {
    .name = "pad",
    .title = "padding changes no output of a sentence",
    .bound = ROUNDING,
    .settings = SETTINGS,
    .masks = MASK_NONE | MASK_CAUSAL,
    .run = padding};

/* ---- empty ---- */

/* Measures the outputs of a sentence of which no row sees a key, and outputs
 * of the whole batch that are not finite. */
static void empty(struct layer *l, const struct mask *alone, struct gauge *m)
{
    static const int length[LAYER_B] = {0, LAYER_ROWS, 1};
    struct mask mask = {alone->causal, length};
    const tensor *y = layer_run(l, TAPE_EVAL, l->x, &mask);
    size_t n = tensor_len(y);

    for (size_t i = 0; i < n; i++)
        if (i < n / LAYER_B || !isfinite((double)y->x[i]))
            measure_worst(m, fabs((double)y->x[i]), "sentence %zu: %g",
                          i / (n / LAYER_B), (double)y->x[i]);
}

const struct property property_empty = {
    .name = "empty",
    .title = "a sentence of only padding gets zeros",
    .excuse = no_softmax,
    .masks = MASK_NONE | MASK_CAUSAL,
    .run = empty};

/* ---- causal ---- */

static const char *encoder_only(const struct subject *s)
{
    return layer_may(s, &layer_mask[1]) ? NULL : "encoder only";
}

/* For each j, from the last row down to 1, changes input row j and measures the
 * largest change in output rows 0 .. j - 1. */
static void causal(struct layer *l, const struct mask *mask, struct gauge *m)
{
    real before[LAYER_X];

    memcpy(before, layer_run(l, TAPE_EVAL, l->x, mask)->x, sizeof before);
    for (int j = LAYER_ROWS - 1; j > 0; j--) {
        for (int b = 0; b < LAYER_B; b++)
            leaf_fill(l->x->x + (b * LAYER_ROWS + j) * LAYER_D, LAYER_D, 30,
                      (uint64_t)(50 + j));
        const real *y = layer_run(l, TAPE_EVAL, l->x, mask)->x;
        for (int i = 0; i < LAYER_X; i++)
            if (i / LAYER_D % LAYER_ROWS < j &&
                memcmp(&y[i], &before[i], sizeof *y))
                measure_worst(m, fabs((double)y[i] - (double)before[i]),
                              "token %d changes output %d", j,
                              i / LAYER_D % LAYER_ROWS);
    }
}

const struct property property_causal = {
    .name = "causal",
    .title = "a later token changes no bit of an earlier output",
    .excuse = encoder_only,
    .settings = SETTINGS,
    .masks = MASK_CAUSAL,
    .run = causal};

/* ---- decode ---- */

/* Runs the layer row by row with a cache, as decoding does, and compares the
 * outputs with those of a full pass. */
static void decode(struct layer *l, const struct mask *mask, struct gauge *m)
{
    real full[LAYER_X], row[LAYER_B * LAYER_D];
    tensor one = {.nd = 3, .dim = {LAYER_B, 1, LAYER_D}, .x = row};
    struct cache *cache = cache_new(l->memory, l->tape, LAYER_B, LAYER_N);

    memcpy(full, layer_run(l, TAPE_EVAL, l->x, mask)->x, sizeof full);
    for (int i = 0; i < LAYER_ROWS; i++) {
        struct window w = {.from = i, .causal = 1, .cache = cache,
                           .keys = cache_begin(cache, i)};

        for (int b = 0; b < LAYER_B; b++)
            memcpy(row + b * LAYER_D,
                   l->x->x + (b * LAYER_ROWS + i) * LAYER_D,
                   sizeof *row * LAYER_D);
        const real *y = layer_window(l, TAPE_EVAL, &one, w)->x;
        for (int e = 0; e < LAYER_B * LAYER_D; e++) {
            int at = (e / LAYER_D * LAYER_ROWS + i) * LAYER_D + e % LAYER_D;

            measure_worst(m, measure_off((double)y[e], (double)full[at]),
                          "row %d: %g, but %g in the full pass", i,
                          (double)y[e], (double)full[at]);
        }
    }
}

const struct property property_decode = {
    .name = "decode",
    .title = "decoding row by row gives the outputs of the full pass",
    .excuse = encoder_only,
    .bound = ROUNDING,
    .settings = SETTINGS,
    .masks = MASK_CAUSAL,
    .run = decode};
