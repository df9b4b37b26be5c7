/* The initial values of a layer's parameters, and the numbers of parameters of
 * layers and models. */
#include "harness/nn/transformer.h"
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

/* ---- initial values ---- */

static struct params drawn(const char *name, const struct model_config *c)
{
    struct params plan, ps;
    struct mix m = named_mix(name);

    params_count(&plan);
    attention_new(&m, c, &plan);
    params_open(&ps, &plan, &backend_cpu, 1);
    attention_new(&m, c, &ps);
    params_close(&plan);
    return ps;
}

static void same_draw(void **state)
{
    const struct model_config *config = &layer_config[0];
    struct params a = drawn("random", config);
    struct params b = drawn("fixed-random", config);
    struct params c = drawn("random+dense", config);
    size_t n = LAYER_HEADS * LAYER_N * LAYER_N;
    const real *r = params_find(&a, "random.R")->value->x;

    (void)state;
    assert_bits("fixed-random", params_find(&b, "fixed-random.R")->value->x, r,
                n);
    assert_bits("random+dense", params_find(&c, "random.R")->value->x, r, n);
    assert_bits("W_v", params_find(&b, "v")->value->x,
                params_find(&a, "v")->value->x, LAYER_D * LAYER_D);
    params_close(&a);
    params_close(&b);
    params_close(&c);
}

/* Two parts start with equal shares: sigmoid(0) = 1/2, softmax(0, 0) = (1/2,
 * 1/2). */
static void equal_shares(void **state)
{
    struct model_config c = layer_config[0];

    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        c.mix = rule ? MIX_SIGMOID : MIX_LOGITS;
        struct params ps = drawn("random+dense", &c);
        const tensor *a = params_find(&ps, "mix.a")->value;

        for (size_t i = 0; i < tensor_len(a); i++)
            assert_true(a->x[i] >= 0 && a->x[i] <= 0);
        params_close(&ps);
    }
}

/* Returns the mean square of the initial B, for variants that ignore X. */
static double spread(const char *name, enum r_init init, double scale)
{
    enum { N = 64, H = 4 };
    struct model_config c = {.d = 8, .heads = H, .N = N, .rank = 16,
                             .r_init = init, .r_scale = scale};
    struct params ps = drawn(name, &c);
    double x[N * 8] = {0}, b[N * N], sum = 0;
    struct formula f;

    formula_open(&f, &ps, &c, name);
    struct formula_layer l = {.f = &f, .x = x, .n = N, .length = N};
    for (int h = 0; h < H; h++) {
        formula_rule(name)->scores(&l, name, h, b);
        for (int i = 0; i < N * N; i++)
            sum += b[i] * b[i] / (H * N * N);
    }
    formula_close(&f);
    params_close(&ps);
    return sum;
}

static void starts(void **state)
{
    /* Variances under Glorot: of R, with fans of (N,h,N); and of R1 and R2,
     * with fans of (r,h,N), so that a sum of r = 16 products has 16 factor^2 */
    const double full = 2 / (64.0 * (64 + 4));
    const double factor = 2 / (16.0 * (64 + 4));
    const struct { const char *name; double off, glorot; } each[] = {
        {"random", 0.05, full}, {"fixed-random", 0.05, full},
        {"factorized-random", 0.15, full},
        {"factorized-random-mtf", 0.3, 16 * factor * factor}};

    (void)state;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        const char *name = each[i].name;
        double off = each[i].off;

        assert_true(fabs(spread(name, R_NORMAL, 1) - 1) < off);
        assert_true(fabs(spread(name, R_NORMAL, 3) / 9 - 1) < off);
        assert_true(fabs(spread(name, R_GLOROT, 1) / each[i].glorot - 1) <
                    off);
    }
}

/* ---- parameters of a layer ---- */

enum { BIG_D = 64, BIG_H = 4, BIG_K = 16, BIG_N = 24, BIG_R = 8 };

static const struct model_config big = {
    .d = BIG_D, .heads = BIG_H, .N = BIG_N, .rank = BIG_R, .dense_bias = 1,
    .projection = 6, .conv_heads = 8, .conv_width = {1, {7}}};

static long count(const char *name, enum param_kind kind,
                  const struct model_config *c)
{
    struct mix m = named_mix(name);
    struct params plan;

    params_count(&plan);
    attention_new(&m, c, &plan);
    long n = (long)params_total(&plan, kind);
    params_close(&plan);
    return n;
}

static long learned(const char *name)
{
    return count(name, PARAM_LEARNED, &big);
}

static void factors(void **state)
{
    static const char *const of[] = {"orthogonal", "orthogonal-split",
                                     "orthogonal-tied",
                                     "frozen-gaussian"};
    struct model_config c = big;

    (void)state;
    c.gain = 1;
    for (int i = 0; i < 4; i++)
        assert_int_equal(count(of[i], PARAM_LEARNED, &c),
                         learned(of[i]) + BIG_H);
    assert_int_equal(count("vanilla", PARAM_LEARNED, &c), learned("vanilla"));
}

static void counts_dense_literal(void **state)
{
    long both = BIG_H * (BIG_D * BIG_D + BIG_D * BIG_N);
    struct model_config plain = big;

    (void)state;
    plain.dense_bias = 0;
    assert_int_equal(count("dense-literal", PARAM_LEARNED, &plain),
                     learned("uniform") + both);
    assert_int_equal(learned("dense-literal"),
                     learned("uniform") + both + BIG_H * (BIG_D + BIG_N));
}

static void counts(void **state)
{
    long fixed = 2 * BIG_D * BIG_D, full = BIG_H * BIG_N * BIG_N;
    long dense = BIG_H * (BIG_K * BIG_K + BIG_K * BIG_N);
    long pair = 2 * BIG_H * BIG_N * BIG_R, gate = 2 * BIG_D * (BIG_D + 1);
    struct model_config plain = big;

    (void)state;
    plain.dense_bias = 0;
    assert_int_equal(learned("fixed-random"), fixed);
    assert_int_equal(learned("uniform"), fixed);
    assert_int_equal(learned("orthogonal"), fixed);
    assert_int_equal(learned("orthogonal-split"), fixed);
    assert_int_equal(learned("orthogonal-tied"), fixed);
    assert_int_equal(learned("frozen-gaussian"), fixed);
    assert_int_equal(learned("random"), fixed + full);
    assert_int_equal(learned("mixer"), fixed + full);
    assert_int_equal(learned("factorized-random"), fixed + pair);
    assert_int_equal(learned("factorized-random-mtf"), fixed + pair);
    assert_int_equal(learned("vanilla"), fixed + 2 * BIG_D * BIG_D);
    assert_int_equal(learned("linformer"),
                     fixed + 2 * BIG_D * BIG_D + 2 * 6 * BIG_N);
    for (int n = 5; n <= 8; n++) { /* a quarter of N, rounded up, is 2 */
        struct model_config c = big;

        c.projection = 0;
        c.N = n;
        assert_int_equal(count("linformer", PARAM_LEARNED, &c) -
                             count("uniform", PARAM_LEARNED, &c),
                         2 * BIG_D * BIG_D + 2 * 2 * n);
    }
    assert_int_equal(learned("dense"),
                     fixed + dense + BIG_H * (BIG_K + BIG_N));
    assert_int_equal(count("dense", PARAM_LEARNED, &plain), fixed + dense);
    assert_int_equal(learned("dense-mtf"),
                     fixed + BIG_D * BIG_D + BIG_K * BIG_N);
    assert_int_equal(learned("factorized-dense"),
                     fixed + BIG_H * (BIG_K + 1) * (4 + 6));
    assert_int_equal(count("factorized-dense", PARAM_LEARNED, &plain),
                     fixed + BIG_H * BIG_K * (4 + 6));
    assert_int_equal(learned("lightweight-conv"),
                     gate + BIG_D * BIG_D + 8 * 7);
    assert_int_equal(learned("dynamic-conv"),
                     gate + BIG_D * BIG_D + BIG_D * 8 * 7);
    /* 5 d biases: 2 d of the gate, d of the depthwise sum, 2 d of two products.
     * 9 d are the taps or, in the dynamic form, their biases. */
    assert_int_equal(learned("lightweight-conv-mtf"),
                     4 * BIG_D * BIG_D + 9 * BIG_D + 5 * BIG_D);
    assert_int_equal(learned("dynamic-conv-mtf"),
                     4 * BIG_D * BIG_D + 9 * BIG_D * BIG_D + 9 * BIG_D +
                     5 * BIG_D);
    assert_int_equal(count("fixed-random", PARAM_FROZEN, &big), full);
    assert_int_equal(count("orthogonal", PARAM_FROZEN, &big),
                     2 * BIG_D * BIG_D);
    assert_int_equal(count("orthogonal-tied", PARAM_FROZEN, &big),
                     BIG_D * BIG_D);
    assert_int_equal(count("vanilla", PARAM_FROZEN, &big), 0);
}

/* With heads side by side, each part has half of the heads: half of R, and half
 * of W_Q and W_K. */
static void side_by_side(void **state)
{
    struct model_config c = big;
    long values = learned("uniform");

    (void)state;
    c.mix = MIX_HEADS;
    assert_int_equal(count("random+vanilla", PARAM_LEARNED, &c) - values,
                     (learned("random") - values) / 2 +
                         (learned("vanilla") - values) / 2);
    assert_int_equal(count("orthogonal-tied+vanilla", PARAM_FROZEN, &c),
                     BIG_D * BIG_D / 2);
    struct mix m = named_mix("random+dense+vanilla");
    assert_string_equal(mix_fault(&m, &c),
                        "mix: heads requires heads to be divisible by the "
                        "number of parts");
}

/* Let `fixed` be the number of parameters of fixed-random, whose attention has
 * none of its own. A mixture has count(a+b) - fixed = (count(a) - fixed) +
 * (count(b) - fixed) + the number of scalars that the mixing rule learns. */
static void additive(void **state)
{
    static const enum mix_rule rules[] = {MIX_LOGITS, MIX_PLUS, MIX_SIGMOID,
                                          MIX_WEIGHTS};
    const char *name[NAMES];
    int names = named_all(name);
    long fixed = learned("fixed-random");

    (void)state;
    for (int e = 0; e < 4 * names; e++) {
        struct mix m = named_mix(name[e / 4]);
        struct model_config c = big;
        long sum = 0, frozen = 0;

        c.mix = rules[e % 4];
        if (mix_fault(&m, &c))
            continue;
        if (m.n > 1 && c.mix != MIX_PLUS)
            sum = c.mix == MIX_SIGMOID ? 1 : m.n;
        for (int p = 0; p < m.n; p++) {
            sum += learned(m.part[p]->name) - fixed;
            frozen += count(m.part[p]->name, PARAM_FROZEN, &big);
        }
        assert_int_equal(count(name[e / 4], PARAM_LEARNED, &c) - fixed, sum);
        assert_int_equal(count(name[e / 4], PARAM_FROZEN, &c), frozen);
    }
}

/* ---- parameters of the scores ---- */

/* The names of the score parameters of each part. A frozen variant has none. */
static const struct { const char *part, *leaves; } score_leaves[] = {
    {"vanilla", " q k q.bias k.bias "},
    {"dense", " w1 b1 w2 b2 "},
    {"dense-mtf", " q p "},
    {"dense-literal", " w1 b1 w2 b2 "},
    {"random", " R "},
    {"fixed-random", ""},
    {"factorized-random", " R1 R2 "},
    {"factorized-random-mtf", " R1 R2 "},
    {"factorized-dense", " w wa ba wc bc "},
    {"orthogonal", " gain "},
    {"orthogonal-split", " gain "},
    {"orthogonal-tied", " gain "},
    {"frozen-gaussian", " gain "},
    {"linformer", " q k q.bias k.bias e "},
    {"lightweight-conv", " taps "},
    {"lightweight-conv-mtf", " taps "},
    {"dynamic-conv", " wk "},
    {"dynamic-conv-mtf", " wk bk "},
    {"mixer", " R "},
    {"uniform", ""}};

/* Returns whether `name`, such as "decoder.0.self.dense.w1", is that of a score
 * parameter: its last word must be in the row of its part. */
static int of_scores(const char *name)
{
    const char *self = strstr(name, ".self."), *part, *leaf;
    char word[PARAM_NAME];

    if (!self || !(leaf = strchr(part = self + strlen(".self."), '.')))
        return 0;
    snprintf(word, sizeof word, " %s ", leaf + 1);
    for (size_t i = 0; i < sizeof score_leaves / sizeof *score_leaves; i++)
        if (strlen(score_leaves[i].part) == (size_t)(leaf - part) &&
            !strncmp(score_leaves[i].part, part, (size_t)(leaf - part)))
            return strstr(score_leaves[i].leaves, word) != NULL;
    return 0;
}

/* Checks the marks of all parameters. Returns how many names of the row the
 * model has. */
static int check_marks(const char *name, const struct model_config *c)
{
    struct mix m = named_mix(name);
    struct params plan;
    int marked = 0;

    params_count(&plan);
    model_new(c, &m, &plan);
    for (int i = 0; i < plan.n; i++) {
        const struct param *p = &plan.list[i];

        if (p->score != of_scores(p->name))
            fail_msg("%s: %s is %s", name, p->name,
                     p->score ? "of scores" : "of no scores");
        marked += p->score;
    }
    params_close(&plan);
    return marked;
}

static int words_of(const char *s)
{
    int n = 0;

    for (; *s; s++)
        n += *s == ' ';
    return n ? n - 1 : 0;
}

static void score_marks(void **state)
{
    struct model_config c = big;
    const char *name[NAMES];
    int names = named_all(name);

    (void)state;
    c.layers = 1;
    c.ff = 96;
    c.vocab = 100;
    c.classes = 2;
    c.inner = c.attention_bias = c.relative_bias = c.gain = 1;
    c.relative_buckets = 8;
    for (int family = 0; family < 3; family++)
        for (int i = 0; i < names; i++) {
            struct mix m = named_mix(name[i]);

            c.family = (enum family)family;
            if (!model_fault(&c, &m))
                check_marks(name[i], &c);
        }
    c.family = FAMILY_ENCODER;
    for (size_t i = 0; i < sizeof score_leaves / sizeof *score_leaves; i++)
        assert_int_equal(check_marks(score_leaves[i].part, &c),
                         words_of(score_leaves[i].leaves));
    for (int i = 0; variant_all[i]; i++) /* each variant has a row */
        assert_string_equal(variant_all[i]->name, score_leaves[i].part);
}

/* ---- parameters of whole models ---- */

static long whole(const char *name, const struct model_config *c)
{
    struct mix m = named_mix(name);
    struct params plan;

    params_count(&plan);
    model_new(c, &m, &plan);
    long n = (long)params_total(&plan, PARAM_LEARNED);
    params_close(&plan);
    assert_int_equal(n, formula_model_learned(c, name));
    return n;
}

static void identities(void **state)
{
    struct model_config c = big;
    long L = 6;

    (void)state;
    c.layers = 3;
    c.ff = 96;
    c.vocab = 100;
    c.tied = c.ffn_bias = 1;
    long fixed = whole("fixed-random", &c);
    assert_int_equal(whole("random", &c) - fixed, L * BIG_H * BIG_N * BIG_N);
    assert_int_equal(whole("factorized-random", &c) - fixed,
                     2 * L * BIG_H * BIG_N * BIG_R);
    assert_int_equal(whole("vanilla", &c) - fixed, 2 * L * BIG_D * BIG_D);
    assert_int_equal(whole("random+vanilla", &c) - fixed,
                     L * (BIG_H * BIG_N * BIG_N + 2 * BIG_D * BIG_D + 2));
    c.family = FAMILY_LM;
    assert_int_equal(whole("random", &c) - whole("fixed-random", &c),
                     L / 2 * BIG_H * BIG_N * BIG_N);
}

/* Checks the paper's Table 4 as the released code builds it: T5-base with its
 * own vocabulary, and synthesizers with 8 heads of 128. */
static void released(void **state)
{
    struct model_config c = {
        .family = FAMILY_SEQ2SEQ, .layers = 12, .d = 768, .heads = 12,
        .ff = 3072, .N = 512, .vocab = 32128, .tied = 1, .norm = NORM_RMS,
        .position = POSITION_NONE, .relative_bias = 1, .relative_buckets = 32,
        .relative_distance = 128, .rank = 16, .mix = MIX_PLUS, .share_q = 1};

    (void)state;
    assert_int_equal(whole("vanilla", &c), 222903552);
    c.cross_heads = 12;
    c.heads = 8;
    c.head_width = 128;
    assert_int_equal(whole("dense-mtf", &c), 224476160);
    assert_int_equal(whole("dense-mtf+vanilla", &c), 243350528);
    assert_int_equal(whole("random", &c), 254360576);
    assert_int_equal(whole("random+vanilla", &c), 292109312);
    assert_int_equal(whole("factorized-random-mtf", &c), 207174656);
    c.mix = MIX_SIGMOID;
    assert_int_equal(whole("random+vanilla", &c), 292109312 + 24);
    c.heads = 12;
    c.head_width = c.cross_heads = 0;
    c.position = POSITION_LEARNED;
    assert_int_equal(lround((double)whole("lightweight-conv-mtf", &c) / 1e4),
                     22395); /* the paper prints 223.95 million */
    c.ff = 512;
    assert_int_equal(lround((double)whole("dynamic-conv-mtf", &c) / 1e4),
                     25698);
}

/* With `heads: code`, synthesizers have 8 heads of 128; other variants keep
 * their heads. */
static void code_heads(void **state)
{
    static const char *const name[] = {"random", "dense-mtf", "dense+vanilla",
                                       "vanilla", "orthogonal"};
    struct model_config c = big, own;

    (void)state;
    c.layers = 1;
    c.ff = 96;
    c.vocab = 100;
    c.tied = 1;
    for (int i = 0; i < 5; i++) {
        struct mix m = named_mix(name[i]);
        struct params plan;

        own = c;
        if (i < 3) {
            own.cross_heads = c.heads;
            own.heads = 8;
            own.head_width = 128;
        }
        c.code_heads = 1;
        params_count(&plan);
        model_new(&c, &m, &plan);
        assert_int_equal(params_total(&plan, PARAM_LEARNED),
                         formula_model_learned(&own, name[i]));
        params_close(&plan);
        c.code_heads = 0;
    }
}

int main(void)
{
    const struct CMUnitTest params[] = {
        {"random, fixed-random and their mixtures start with the same weights",
         same_draw, NULL, NULL, NULL},
        {"a mixture starts with equal shares", equal_shares, NULL, NULL, NULL},
        {"R starts with the variance of R.init", starts, NULL, NULL, NULL},
        {"parameter counts equal the formulas", counts, NULL, NULL, NULL},
        {"the factor of frozen scores is one parameter per head", factors, NULL,
         NULL, NULL},
        {"dense-literal has a layer of the full width in each head",
         counts_dense_literal, NULL, NULL, NULL},
        {"parameters of mixtures add up", additive, NULL, NULL, NULL},
        {"with mix: heads, each part has half of its parameters", side_by_side,
         NULL, NULL, NULL},
        {"whole models differ by the parameters of the scores of L layers",
         identities, NULL, NULL, NULL},
        {"models of the released code have its parameter counts exactly",
         released, NULL, NULL, NULL},
        {"exactly the parameters of the scores are marked", score_marks, NULL,
         NULL, NULL},
        {"heads: code widens only synthesizers", code_heads, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("variant params", params, NULL, NULL);
}
