/* Facts about individual variants that harness/verify does not test as
 * properties. */
#include "harness/stats/linalg.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCORES = LAYER_HEADS * LAYER_ROWS * LAYER_ROWS };

static struct subject one;

/* Opens a layer with this variant alone. */
static void open_as(struct layer *l, const char *name,
                    const struct model_config *c)
{
    one = named_subject(name, MIX_LOGITS);
    layer_open(l, &one, c, &backend_cpu);
}

static void open_layer(struct layer *l, const char *name)
{
    open_as(l, name, &layer_config[0]);
}

static tensor *value(const struct layer *l, const char *name)
{
    return params_find(&l->params, name)->value;
}

/* ---- traits ---- */

static void symmetric(void **state)
{
    static const char *const without_order[] = {
        "vanilla", "orthogonal", "orthogonal-split", "orthogonal-tied",
        "frozen-gaussian", "uniform"};

    (void)state;
    for (int i = 0; variant_all[i]; i++) {
        const struct variant *v = variant_all[i];
        int wanted = 0;

        for (int k = 0; k < 6; k++)
            wanted |= !strcmp(v->name, without_order[k]);
        assert_int_equal((v->traits & VARIANT_SYMMETRIC) != 0, wanted);
    }
}

static void dependence(void **state)
{
    static const struct { const char *name; enum depends depends; } want[] = {
        {"random", DEPENDS_NOTHING}, {"fixed-random", DEPENDS_NOTHING},
        {"factorized-random", DEPENDS_NOTHING},
        {"factorized-random-mtf", DEPENDS_NOTHING},
        {"uniform", DEPENDS_NOTHING}, {"mixer", DEPENDS_NOTHING},
        {"dense", DEPENDS_TOKEN}, {"dense-mtf", DEPENDS_TOKEN},
        {"dense-literal", DEPENDS_TOKEN},
        {"factorized-dense", DEPENDS_TOKEN},
        {"lightweight-conv", DEPENDS_NEIGHBOURS},
        {"dynamic-conv", DEPENDS_NEIGHBOURS}, {"vanilla", DEPENDS_PAIRS},
        {"orthogonal", DEPENDS_PAIRS}, {"linformer", DEPENDS_PAIRS}};

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_int_equal(named_mix(want[i].name).part[0]->depends,
                         want[i].depends);
}

/* ---- gradients of scores ---- */

static void pick_back(struct tape *t, tensor *y)
{
    (void)t;
    y->in[0]->g[*(const size_t *)y->aux] += y->g[0];
}

/* Returns element *i of x as a scalar of the graph. */
static tensor *pick(struct tape *t, tensor *x, size_t *i)
{
    tensor *y = tape_node(t, 0, NULL, pick_back, 1, &x);

    y->x[0] = x->x[*i];
    y->aux = i;
    return y;
}

/* The derivative dB_ij / dX_m is 0 for m != i, and not 0 for m = i. */
static void own_token(void **state)
{
    static const char *const name[] = {"dense", "dense-mtf", "dense-literal",
                                       "factorized-dense"};

    (void)state;
    for (int v = 0; v < 4; v++) {
        struct layer l;
        int own = 0;

        open_layer(&l, name[v]);
        for (size_t at = 0; at < SCORES * LAYER_B; at++) {
            size_t row = at / LAYER_ROWS % (LAYER_B * LAYER_ROWS);

            memset(l.x->g, 0, LAYER_X * sizeof(real));
            tensor *b = layer_scores(&l, TAPE_TRAIN, l.x, &layer_mask[0]);

            tape_backward(l.tape, pick(l.tape, b, &at));
            for (size_t i = 0; i < LAYER_X; i++) {
                assert_true(l.x->g[i] == 0 || i / LAYER_D == row);
                own += l.x->g[i] != 0;
            }
        }
        assert_true(own > SCORES * LAYER_B); /* a relu may disable some */
        layer_close(&l);
    }
}

/* In a decoder, masked scores have no gradient, and all others have one: in R,
 * the values up to the diagonal. Row 0 has none, because it sees one key, whose
 * weight is always 1. */
static void triangle(void **state)
{
    struct layer l;

    (void)state;
    open_layer(&l, "random");
    layer_backward(&l, &layer_mask[1]);
    const real *g = params_find(&l.view, "self.random.R")->value->g;
    for (int i = 0; i < LAYER_HEADS * LAYER_N * LAYER_N; i++) {
        int row = i / LAYER_N % LAYER_N, column = i % LAYER_N;
        int seen = row < LAYER_ROWS && column <= row && row > 0;

        assert_true(seen == (g[i] != 0));
    }
    layer_close(&l);
}

/* ---- shapes ---- */

static int rank_of(const char *name)
{
    double b[LAYER_ROWS * LAYER_ROWS];
    struct layer l;

    open_layer(&l, name);
    const real *x = layer_scores(&l, TAPE_EVAL, l.x, &layer_mask[0])->x;
    for (int i = 0; i < LAYER_ROWS * LAYER_ROWS; i++)
        b[i] = (double)x[i];
    layer_close(&l);
    return linalg_rank(LAYER_ROWS, LAYER_ROWS, b, 10 * CLOSE);
}

static void rank(void **state)
{
    (void)state;
    assert_int_equal(rank_of("factorized-random"), LAYER_RANK);
    assert_int_equal(rank_of("factorized-random-mtf"), 1);
    assert_int_equal(rank_of("random"), LAYER_ROWS);
    assert_int_equal(rank_of("uniform"), 0);
}

static int factor(int N, int a, int c)
{
    struct model_config config = layer_config[0];
    struct layer l;

    config.N = N;
    config.a = a;
    config.c = c;
    open_as(&l, "factorized-dense", &config);
    int found = value(&l, "self.factorized-dense.wa")->dim[2];
    int other = value(&l, "self.factorized-dense.wc")->dim[2];
    assert_int_equal(found * other, N);
    layer_close(&l);
    return found;
}

static void factor_sizes(void **state)
{
    (void)state;
    assert_int_equal(factor(512, 0, 0), 16);
    assert_int_equal(factor(60, 0, 0), 6);
    assert_int_equal(factor(49, 0, 0), 7);
    assert_int_equal(factor(13, 0, 0), 1);
    assert_int_equal(factor(48, 4, 0), 4);
    assert_int_equal(factor(48, 0, 24), 2);
    assert_int_equal(factor(48, 16, 3), 16);
}

/* ---- dot products ---- */

static const real *scores_of(struct layer *l, real to[SCORES * LAYER_B])
{
    const tensor *b = layer_scores(l, TAPE_EVAL, l->x, &layer_mask[0]);

    return memcpy(to, b->x, SCORES * LAYER_B * sizeof *to);
}

/* Returns a parameter of the scores. The call of scores_of copies the layer's
 * values to l->part, if they have not been copied yet. */
static tensor *own(struct layer *l, const char *name)
{
    real first[SCORES * LAYER_B];

    scores_of(l, first);
    return params_find(&l->part, name)->value;
}

/* A bias b_k of the keys has no effect, because q_i.b_k is the same for all
 * keys and softmax cancels it. A bias b_q of the queries has one, because
 * b_q.k_j differs between keys. */
static void bias_of_keys(void **state)
{
    struct model_config c = layer_config[0];
    real with[SCORES * LAYER_B], without[SCORES * LAYER_B];
    struct layer l;

    (void)state;
    c.attention_bias = 1;
    open_as(&l, "vanilla", &c);
    tensor *bias = own(&l, "self.vanilla.k.bias");
    scores_of(&l, with);
    memset(bias->x, 0, tensor_len(bias) * sizeof(real));
    scores_of(&l, without);
    for (int i = 0; i < SCORES * LAYER_B; i++) {
        real by = with[i] - without[i];
        real first = with[i - i % LAYER_ROWS] - without[i - i % LAYER_ROWS];

        assert_true(fabs((double)by) > 0);
        assert_true(fabs((double)(by - first)) < CLOSE);
    }
    layer_close(&l);
}

static void factors(void **state)
{
    static const char *const name[] = {"orthogonal", "orthogonal-split",
                                       "frozen-gaussian"};
    enum { HEAD = LAYER_B * LAYER_ROWS * LAYER_ROWS };
    struct model_config c = layer_config[0];
    real one_each[SCORES * LAYER_B], b[SCORES * LAYER_B];

    (void)state;
    c.gain = 1;
    for (int v = 0; v < 3; v++) {
        struct layer l;
        char gain[64];

        open_as(&l, name[v], &c);
        snprintf(gain, sizeof gain, "self.%s.gain", name[v]);
        tensor *g = own(&l, gain);
        for (int h = 0; h < LAYER_HEADS; h++)
            g->x[h] = 1;
        scores_of(&l, one_each);
        g->x[1] = -3;
        scores_of(&l, b);
        for (int i = 0; i < SCORES * LAYER_B; i++)
            assert_true(fabs((double)(b[i] - (i / HEAD == 1 ? -3 : 1) *
                                                 one_each[i])) < CLOSE);
        layer_close(&l);
    }
}

/* Returns the largest |w_a . w_b| over columns a and b of different heads. */
static double across(const tensor *w)
{
    double worst = 0;

    for (int a = 0; a < LAYER_D; a++)
        for (int b = 0; b < a / LAYER_K * LAYER_K; b++) {
            double sum = 0;

            for (int i = 0; i < LAYER_D; i++)
                sum += (double)w->x[i * LAYER_D + a] *
                       (double)w->x[i * LAYER_D + b];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

static void orthogonal(void **state)
{
    struct layer l;

    (void)state;
    open_layer(&l, "orthogonal");
    const tensor *q = value(&l, "self.orthogonal.q");
    const tensor *k = value(&l, "self.orthogonal.k");
    assert_memory_not_equal(q->x, k->x, sizeof(real) * LAYER_D);
    assert_memory_not_equal(q->x, q->x + LAYER_K, sizeof(real) * LAYER_K);
    assert_true(across(q) > 0.05); /* heads are drawn separately */
    layer_close(&l);
    open_layer(&l, "orthogonal-split");
    assert_true(across(value(&l, "self.orthogonal-split.q")) < CLOSE);
    layer_close(&l);
}

/* W is drawn from N(0, 1/d), so its columns have length about 1 and are only
 * approximately orthogonal. */
static void gaussian(void **state)
{
    struct layer l;
    double square = 0;

    (void)state;
    open_layer(&l, "frozen-gaussian");
    const tensor *q = value(&l, "self.frozen-gaussian.q");
    for (int i = 0; i < LAYER_D * LAYER_D; i++)
        square += (double)q->x[i] * (double)q->x[i] / LAYER_D;
    assert_true(fabs(square - 1) < 0.5);
    assert_true(across(q) > 0.1);
    layer_close(&l);
}

/* ---- dropout ---- */

/* Returns the output of the layer, in which half of the mixing weights are
 * dropped. */
static const real *dropped(struct layer *l, enum tape_mode mode, double rate)
{
    struct window w = {.keys = LAYER_ROWS};

    tape_begin(l->tape, mode, (struct rng_key){.stream = RNG_DROPOUT}, 0,
               rate);
    return attention(l->attention, l->tape, l->x, &w)->x;
}

/* Dropout applies to the weights with which a variant mixes tokens: attention
 * weights, taps, or weights of slots. */
static void weights_dropped(void **state)
{
    (void)state;
    for (int i = 0; variant_all[i]; i++) {
        real still[LAYER_X];
        struct layer l;

        open_layer(&l, variant_all[i]->name);
        memcpy(still, dropped(&l, TAPE_EVAL, 0.5), sizeof still);
        assert_bits(variant_all[i]->name, dropped(&l, TAPE_TRAIN, 0),
                    still, LAYER_X);
        if (!memcmp(dropped(&l, TAPE_TRAIN, 0.5), still, sizeof still))
            fail_msg("%s drops no weight", variant_all[i]->name);
        layer_close(&l);
    }
}

/* ---- faults ---- */

static void faults(void **state)
{
    struct model_config c = layer_config[0];
    struct mix mix = named_mix("linformer"), lone = {2, {NULL}};

    (void)state;
    c.family = FAMILY_SEQ2SEQ;
    assert_non_null(mix_fault(&mix, &c));
    c.family = FAMILY_LM;
    assert_non_null(mix_fault(&mix, &c));
    c.family = FAMILY_ENCODER;
    assert_null(mix_fault(&mix, &c));
    lone.part[1] = named_mix("vanilla").part[0];
    for (int i = 0; variant_all[i]; i++) {
        lone.part[0] = variant_all[i];
        assert_int_equal(mix_fault(&lone, &c) != NULL,
                         variant_alone(variant_all[i]));
    }
    mix = named_mix("random+dense+vanilla");
    c.mix = MIX_SIGMOID;
    assert_non_null(mix_fault(&mix, &c));
    mix = named_mix("orthogonal");
    c.orthogonal = LINALG_HADAMARD;
    assert_null(mix_fault(&mix, &c));
    c.d = 12;
    assert_non_null(mix_fault(&mix, &c));
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        {"only dot products and uniform ignore the order of tokens", symmetric,
         NULL, NULL, NULL},
        {"each variant states correctly what its scores depend on", dependence,
         NULL, NULL, NULL},
        {"a row of dense scores has gradients only at its own token", own_token,
         NULL, NULL, NULL},
        {"every visible score of R has a gradient", triangle, NULL, NULL, NULL},
        {"the rank of the scores is that of their factors", rank, NULL, NULL,
         NULL},
        {"factorized-dense uses the given a and c, otherwise the nearest "
         "factors", factor_sizes, NULL, NULL, NULL},
        {"the bias of K changes all scores of a row alike", bias_of_keys, NULL,
         NULL, NULL},
        {"a learned factor scales the frozen scores of its head", factors,
         NULL, NULL, NULL},
        {"orthogonal heads are drawn separately, split ones are orthogonal",
         orthogonal, NULL, NULL, NULL},
        {"frozen-gaussian is N(0, 1/d)", gaussian, NULL, NULL, NULL},
        {"training drops weights or taps of every variant", weights_dropped,
         NULL, NULL, NULL},
        {"impossible combinations are refused", faults, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("variant facts", facts, NULL, NULL);
}
