/*
 * Factorized Dense Synthesizer (paper, section 3.1.1; symbols in
 * variants/variants.h)
 *
 *     A = X_h Wa_h + ba_h (n,a),  C = X_h Wc_h + bc_h (n,c),  a c = N,
 *     B_h[i, j] = A[i, j mod a] C[i, j div a]
 *
 * j -> (j mod a, j div a) is a bijection onto the pairs, so all N columns
 * differ.  (Public code tiles both factors; then only lcm(a,c) columns differ.)
 * If neither a nor c is set, a is the largest divisor of N up to sqrt(N).  If
 * `inner` is set, X is first replaced by relu(X W), W (d,d).
 *
 * Learned per layer: h k (a + c), h (a + c) biases if dense_bias is set, and
 * d^2 for W.  Without `inner` the reach of a logit is
 * ((k + 1) (A^2 + C^2))^1/2, its maximum mu (mu k + 1) (A + C), where
 * A^2 = 2 k / (k + a) and C^2 = 2 k / (k + c) are the mean squares of A and C
 * (train/watch.h).
 */
#include "harness/base/err.h"
#include "harness/nn/attention.h"

struct factors { tensor *w, *wa, *ba, *wc, *bc; }; /* w: NULL if not `inner` */

static const struct key knobs[] = {
    {.name = "a", .type = &key_int, KNOB(a), .initial = "0", .high = 65536,
     .help = "short side of factorized-dense, a c = N; 0: nearest to sqrt(N)"},
    {.name = "c", .type = &key_int, KNOB(c), .initial = "0", .high = 65536,
     .help = "long side of factorized-dense; 0: N / a"},
    {.name = "inner", .type = &key_bool, KNOB(inner), .initial = "false",
     .help = "d x d inner layer of factorized-dense"},
    {.name = NULL}};

static int nearest_factor(int n)
{
    int a = 1;

    for (int i = 2; i * i <= n; i++)
        a = n % i ? a : i;
    return a;
}

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct factors *me = self;
    int h = c->heads, k = c->d / h;
    int a = c->a ? c->a : c->c ? c->N / c->c : nearest_factor(c->N);
    int b = c->c ? c->c : c->N / a;
    struct init zero = init_constant(0);

    REQUIRE(a * b == c->N, "a %d, c %d, N %d", a, b, c->N);
    if (c->inner)
        me->w = params_add(ps, "w", PARAM_LEARNED, init_matrix(c->init, 1), 2,
                           (int[]){c->d, c->d});
    me->wa = params_add(ps, "wa", PARAM_LEARNED, init_matrix(c->init, 1), 3,
                        (int[]){h, k, a});
    if (c->dense_bias)
        me->ba = params_add(ps, "ba", PARAM_LEARNED, zero, 2, (int[]){h, a});
    me->wc = params_add(ps, "wc", PARAM_LEARNED, init_matrix(c->init, 1), 3,
                        (int[]){h, k, b});
    if (c->dense_bias)
        me->bc = params_add(ps, "bc", PARAM_LEARNED, zero, 2, (int[]){h, b});
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct factors *me = self;
    int a = tensor_last(me->wa), c = tensor_last(me->wc);

    x = window_tokens(w, x);
    if (me->w)
        x = ad_linear(t, x, me->w, NULL, ACT_RELU);
    tensor *fc = ad_head_linear(t, x, me->wc, me->bc, ACT_NONE, c);
    tensor *fa = ad_head_linear(t, x, me->wa, me->ba, ACT_NONE, a);

    return window_spread(w, t, ad_pair(t, fa, fc, w->keys));
}

const struct variant variant_factorized_dense = {
    .name = "factorized-dense",
    .title = "Synthesizer (Factorized Dense)",
    .cite = "Tay et al. 2021, section 3.1.1",
    .formula = "B_h[i,j] = A[i, j mod a] C[i, j div a]; "
               "A = X_h W_{a,h} + b_{a,h}; C = X_h W_{c,h} + b_{c,h}",
    .depends = DEPENDS_TOKEN,
    .traits = VARIANT_SYNTHESIZER | VARIANT_UNIVERSAL,
    .learns = "(d + h) (a + c), a c = N",
    .size = sizeof(struct factors),
    .knobs = knobs,
    .init = init,
    .scores = scores,
};
