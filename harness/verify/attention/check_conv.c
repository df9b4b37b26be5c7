/*
 * check_conv: the property `band`, which verify.c runs: a convolution equals
 * attention with the scores (symbols: formula_output.c)
 *
 *     B_ij = w_g,j-i-first           lightweight: a banded Toeplitz matrix
 *     B_ij = (u_i W_k)_g,j-i-first   dynamic: dense, in relative columns
 *
 * inside the band and -inf outside.  In rows whose window lies inside the
 * sentence, softmax(B) u W_o is the output of the layer.
 */
#include "harness/verify/attention/formula.h"
#include "harness/verify/attention/verify.h"

#include <stdio.h>

enum { TAPS = 3, LONG = LAYER_N };

/* Scores (h,b,n,n) and values (b,n,d) of the attention that equals the
 * convolution. */
struct twin { tensor *scores, *u; };

/* Returns the score of tap t for group g at row i of u (n,d). */
static double tap_score(const struct formula_layer *at, const char *name,
                        const double *u, int i, int g, int t)
{
    const double *taps = formula_weight(at->f, name, "taps");
    const double *wk = formula_weight(at->f, name, "wk");
    int H = formula_conv_heads(at->f->c), d = at->f->c->d;
    double sum = 0;

    if (taps)
        return taps[g * TAPS + t];
    for (int c = 0; c < d; c++)
        sum += u[i * d + c] * wk[c * H * TAPS + g * TAPS + t];
    return sum;
}

static void fill(struct layer *l, const tensor *x, int b, int causal,
                 struct twin *twin)
{
    int H = formula_conv_heads(&l->c), d = l->c.d;
    double in[LONG * LAYER_D];
    char name[PARAM_NAME];
    struct formula_layer at = {.f = &l->formula, .at = "self", .x = in,
                               .n = LONG, .length = LONG, .causal = causal};
    int first = formula_first(&at, TAPS);

    for (int i = 0; i < LONG * d; i++)
        in[i] = (double)x->x[b * LONG * d + i];
    snprintf(name, sizeof name, "self.%s", l->subject->variant);
    const double *u = formula_gate(&at, name);
    for (int i = 0; i < LONG * d; i++)
        twin->u->x[b * LONG * d + i] = (real)u[i];
    for (int e = 0; e < H * LONG * LONG; e++) {
        int g = e / (LONG * LONG), i = e / LONG % LONG, j = e % LONG;
        int t = j - i - first, inside = t >= 0 && t < TAPS;

        twin->scores->x[((g * LAYER_B + b) * LONG + i) * LONG + j] =
            inside ? (real)tap_score(&at, name, u, i, g, t) : (real)-1e4;
    }
}

static void band(struct layer *l, const struct mask *mask, struct gauge *m)
{
    int causal = mask->causal;
    tensor *x = layer_tokens(l, LONG, 99);
    tensor *o = params_find(&l->params, "self.o")->value;
    struct twin twin;

    tape_begin(l->tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    twin.u = tape_leaf(l->tape, 3, x->dim);
    twin.scores = tape_leaf(l->tape, 4, (int[]){formula_conv_heads(&l->c),
                                                LAYER_B, LONG, LONG});
    for (int b = 0; b < LAYER_B; b++)
        fill(l, x, b, causal, &twin);
    tensor *y = ad_attend(l->tape, twin.scores, twin.u,
                          (struct keys){.causal = causal});
    y = ad_linear(l->tape, y, o, NULL, ACT_NONE);
    size_t n = tensor_len(y);
    double *want = arena_take(l->memory, n * sizeof *want);
    for (size_t i = 0; i < n; i++)
        want[i] = (double)y->x[i];
    y = layer_run(l, TAPE_EVAL, x, mask);
    for (size_t i = 0; i < n; i++) {
        int row = (int)(i / LAYER_D % LONG), left = causal ? TAPS - 1 : 1;

        if (row >= left && row < LONG - 1)
            measure_worst(m, measure_off((double)y->x[i], want[i]),
                          "row %d%s: %g, but %g by attention", row,
                          causal ? ", causal" : "", (double)y->x[i], want[i]);
    }
}

const struct property property_band = {
    .name = "band",
    .title = "the convolution equals attention with scores only in a band "
             "around the diagonal",
    .own = "not a convolution with a softmax form",
    .bound = 3 * ROUNDING,
    .masks = MASK_NONE | MASK_CAUSAL,
    .run = band};
