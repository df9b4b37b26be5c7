/* Checks that each initial matrix of a model has the distribution of its rule,
 * with tolerances that separate it from similar distributions. */
#include "harness/nn/transformer.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { D = 48, HEADS = 4, WIDE = 20, N = 60, FF = 80, VOCAB = 100 };

static struct model_config sized(enum family family)
{
    return (struct model_config){
        .family = family, .layers = 1, .d = D, .heads = HEADS,
        .head_width = WIDE, .cross_heads = 3, .ff = FF, .N = N,
        .vocab = VOCAB, .classes = 70, .dense_bias = 1, .rank = 7,
        .dot_scale = 1, .r_scale = 1, .norm_eps = 1e-6, .projection = 13,
        .conv_heads = 24, .conv_width = {1, {31}}, .relative_buckets = 32,
        .relative_distance = 128};
}

static struct model_config t5(enum family family)
{
    struct model_config c = sized(family);

    c.init = INIT_FAN_IN;
    c.dot_scale = 0;
    c.norm = NORM_RMS;
    c.position = POSITION_NONE;
    c.relative_bias = 1;
    return c;
}

static struct params drawn(const struct model_config *c, const char *variant)
{
    struct mix mix = named_mix(variant);
    struct params plan, ps;

    params_count(&plan);
    model_new(c, &mix, &plan);
    params_open(&ps, &plan, &backend_cpu, 5);
    model_new(c, &mix, &ps);
    params_close(&plan);
    return ps;
}

struct drawn { const char *name; double mean, sd, most, kurtosis; size_t n; };

static struct drawn look(const struct params *ps, const char *name)
{
    const struct param *p = params_find(ps, name);
    struct drawn x = {.name = name};
    double four = 0;

    if (!p)
        fail_msg("there is no %s", name);
    x.n = tensor_len(p->value);
    for (size_t i = 0; i < x.n; i++) {
        double w = (double)p->value->x[i];

        x.mean += w / (double)x.n;
        x.sd += w * w / (double)x.n;
        four += w * w * w * w / (double)x.n;
        x.most = fmax(x.most, fabs(w));
    }
    x.kurtosis = four / (x.sd * x.sd);
    x.sd = sqrt(x.sd);
    return x;
}

/* Checks n values of mean 0: |mean| < 5 sd / sqrt(n) fails once in a million;
 * if they are normal, their sd is within 5 / sqrt(2 n) of the expected one. */
static void spread(const struct drawn *x, double sd)
{
    double n = (double)x->n;

    if (!(fabs(x->mean) < 5 * sd / sqrt(n)))
        fail_msg("%s: a mean of %g", x->name, x->mean);
    if (!(fabs(x->sd / sd - 1) < 5 / sqrt(2 * n)))
        fail_msg("%s: %zu values of sd %g, not %g", x->name, x->n, x->sd, sd);
}

/* Checks that a parameter is normally distributed: its kurtosis is 3, with a
 * standard error of sqrt(24 / n). */
static void normal(const struct params *ps, const char *name, double sd)
{
    struct drawn x = look(ps, name);

    spread(&x, sd);
    if (!(fabs(x.kurtosis - 3) < 6 * sqrt(24 / (double)x.n)))
        fail_msg("%s: kurtosis %g is not normal", name, x.kurtosis);
}

/* Checks that a parameter is uniform on +-`limit`: no value is above `limit`,
 * and one of n values is above (1 - 14 / n) `limit`, except with probability
 * e^-14 = 1e-6. */
static void uniform(const struct params *ps, const char *name, double limit)
{
    struct drawn x = look(ps, name);

    spread(&x, limit / sqrt(3));
    if (!(x.most <= limit * (1 + 1e-6) &&
          x.most > limit * (1 - 14 / (double)x.n)))
        fail_msg("%s: up to %.9g of %.9g", name, x.most, limit);
}

static void constant(const struct params *ps, const char *name, double value)
{
    const tensor *w = params_find(ps, name)->value;

    for (size_t i = 0; i < tensor_len(w); i++)
        if (w->x[i] != (real)value)
            fail_msg("%s starts with %g", name, (double)w->x[i]);
}

static double glorot(double in, double out) { return sqrt(6 / (in + out)); }

/* ---- weights outside the scores ---- */

static void model_t2t(void **state)
{
    struct model_config c = sized(FAMILY_SEQ2SEQ);
    struct params ps = drawn(&c, "vanilla");
    double inner = HEADS * WIDE;

    (void)state;
    normal(&ps, "embed.table", 1 / sqrt(D));
    normal(&ps, "softmax.table", 1 / sqrt(D));
    uniform(&ps, "encoder.0.self.v", glorot(D, inner));
    uniform(&ps, "encoder.0.self.o", glorot(inner, D));
    uniform(&ps, "encoder.0.self.vanilla.q", glorot(D, inner));
    uniform(&ps, "encoder.0.self.vanilla.k", glorot(D, inner));
    uniform(&ps, "decoder.0.cross.q", glorot(D, D));
    uniform(&ps, "encoder.0.ffn.w1", glorot(D, FF));
    uniform(&ps, "decoder.0.ffn.w2", glorot(FF, D));
    constant(&ps, "encoder.norm.gain", 1);
    constant(&ps, "encoder.norm.bias", 0);
    params_close(&ps);
    c.init_embed = 0.02;
    c.position = POSITION_LEARNED;
    ps = drawn(&c, "vanilla");
    normal(&ps, "embed.table", 0.02);
    normal(&ps, "decoder.position", 0.02);
    params_close(&ps);
}

/* T5 draws weights from N(0, 1 / fan in), embeddings from N(0, 1), and divides
 * Q by sqrt(k). */
static void model_t5(void **state)
{
    struct model_config c = t5(FAMILY_SEQ2SEQ);
    struct params ps = drawn(&c, "vanilla");

    (void)state;
    normal(&ps, "embed.table", 1);
    normal(&ps, "encoder.0.self.vanilla.q", 1 / sqrt(D * WIDE));
    normal(&ps, "encoder.0.self.vanilla.k", 1 / sqrt(D));
    normal(&ps, "decoder.0.self.vanilla.q", 1 / sqrt(D * WIDE));
    normal(&ps, "decoder.0.cross.q", 1 / sqrt(D * (D / 3)));
    normal(&ps, "decoder.0.cross.k", 1 / sqrt(D));
    normal(&ps, "decoder.0.cross.v", 1 / sqrt(D));
    normal(&ps, "encoder.0.self.v", 1 / sqrt(D));
    normal(&ps, "encoder.0.self.o", 1 / sqrt(HEADS * WIDE));
    normal(&ps, "encoder.0.ffn.w1", 1 / sqrt(D));
    normal(&ps, "encoder.0.ffn.w2", 1 / sqrt(FF));
    uniform(&ps, "encoder.relative", glorot(32, HEADS));
    params_close(&ps);
    c.dot_scale = 1; /* the factor sqrt(k) is then in the scores */
    ps = drawn(&c, "vanilla");
    normal(&ps, "encoder.0.self.vanilla.q", 1 / sqrt(D));
    normal(&ps, "decoder.0.cross.q", 1 / sqrt(D));
    params_close(&ps);
}

/* ---- the scores ---- */

static void of_variants(void **state)
{
    struct model_config c = sized(FAMILY_ENCODER);
    struct params ps = drawn(&c, "linformer");
    double small = sqrt(2.0 / (N * (HEADS + N)));

    (void)state;
    normal(&ps, "encoder.0.self.linformer.e", 1 / sqrt(13));
    normal(&ps, "encoder.0.self.linformer.f", 1 / sqrt(13));
    params_close(&ps);
    c.projection = 0; /* 0: N / 4 */
    ps = drawn(&c, "linformer");
    normal(&ps, "encoder.0.self.linformer.f", 1 / sqrt(N / 4));
    params_close(&ps);
    ps = drawn(&c, "mixer");
    normal(&ps, "encoder.0.self.mixer.R", 1 / sqrt(N));
    params_close(&ps);
    c.head_width = 0;
    ps = drawn(&c, "random+factorized-random+dense");
    normal(&ps, "encoder.0.self.random.R", 1);
    normal(&ps, "encoder.0.self.factorized-random.R1", pow(7, -0.25));
    normal(&ps, "encoder.0.self.factorized-random.R2", pow(7, -0.25));
    uniform(&ps, "encoder.0.self.dense.w1", glorot(D / HEADS, D / HEADS));
    uniform(&ps, "encoder.0.self.dense.w2", glorot(D / HEADS, N));
    constant(&ps, "encoder.0.self.dense.b2", 0);
    params_close(&ps);
    c.r_init = R_GLOROT;
    ps = drawn(&c, "random+factorized-random");
    uniform(&ps, "encoder.0.self.random.R", sqrt(3) * small);
    normal(&ps, "encoder.0.self.factorized-random.R1",
           sqrt(small / sqrt(7)));
    params_close(&ps);
    ps = drawn(&c, "factorized-random-mtf");
    uniform(&ps, "encoder.0.self.factorized-random-mtf.R1",
            sqrt(6.0 / (7 * (HEADS + N))));
    uniform(&ps, "encoder.0.self.factorized-random-mtf.R2",
            sqrt(6.0 / (7 * (HEADS + N))));
    params_close(&ps);
}

static void of_others(void **state)
{
    struct model_config c = sized(FAMILY_ENCODER);
    struct params ps = drawn(&c, "lightweight-conv");

    (void)state;
    uniform(&ps, "encoder.0.self.lightweight-conv.taps", glorot(24, 31));
    uniform(&ps, "encoder.0.self.lightweight-conv.w1", glorot(D, 2 * D));
    uniform(&ps, "classifier.w", glorot(D, 70));
    params_close(&ps);
    ps = drawn(&c, "dynamic-conv");
    uniform(&ps, "encoder.0.self.dynamic-conv.wk", glorot(D, 24 * 31));
    params_close(&ps);
    c.gain = 1;
    ps = drawn(&c, "frozen-gaussian");
    normal(&ps, "encoder.0.self.frozen-gaussian.q", 1 / sqrt(D));
    constant(&ps, "encoder.0.self.frozen-gaussian.gain", 1);
    params_close(&ps);
    c.init = INIT_FAN_IN;
    ps = drawn(&c, "lightweight-conv");
    uniform(&ps, "encoder.0.self.lightweight-conv.taps", glorot(24, 31));
    normal(&ps, "encoder.0.self.lightweight-conv.w1", 1 / sqrt(D));
    params_close(&ps);
    ps = drawn(&c, "dynamic-conv");
    normal(&ps, "encoder.0.self.dynamic-conv.wk", 1 / sqrt(D));
    params_close(&ps);
}

/* Each matrix that a variant adds is drawn from N(0, 1 / rows). */
static void of_variants_t5(void **state)
{
    static const struct { const char *variant, *matrix; int rows; } each[] = {
        {"dense", "w1", D / HEADS}, {"dense", "w2", D / HEADS},
        {"dense-mtf", "q", D * (D / HEADS)}, /* like q of vanilla */
        {"dense-mtf", "p", D / HEADS},
        {"dense-literal", "w1", D}, {"dense-literal", "w2", D},
        {"factorized-dense", "w", D},
        {"factorized-dense", "wa", D / HEADS},
        {"factorized-dense", "wc", D / HEADS},
        {"lightweight-conv-mtf", "w1", D}, {"lightweight-conv-mtf", "w2", D},
        {"dynamic-conv-mtf", "wk", D}, {"dynamic-conv-mtf", "w2", D}};
    struct model_config c = t5(FAMILY_ENCODER);
    char name[80];

    (void)state;
    c.head_width = 0;
    c.inner = 1;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        struct params ps = drawn(&c, each[i].variant);

        snprintf(name, sizeof name, "encoder.0.self.%s.%s", each[i].variant,
                 each[i].matrix);
        normal(&ps, name, 1 / sqrt(each[i].rows));
        params_close(&ps);
    }
}

int main(void)
{
    const struct CMUnitTest starts[] = {
        {"t2t: weights have Glorot's limits, embeddings are N(0, 1/d)",
         model_t2t, NULL, NULL, NULL},
        {"t5: weights are N(0, 1/fan in); Q includes the scores' 1/sqrt(k)",
         model_t5, NULL, NULL, NULL},
        {"Linformer, mixer and synthesizers start as documented", of_variants,
         NULL, NULL, NULL},
        {"t5: the matrices of variants are N(0, 1/fan in)", of_variants_t5,
         NULL, NULL, NULL},
        {"taps, gates, classifier and frozen Gaussians start as documented",
         of_others, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("starts", starts, NULL, NULL);
}
