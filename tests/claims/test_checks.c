/* Compares computed checks with known values and with independent
 * computations. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/claims/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- running a check ---- */

/* Runs a check with arguments such as "variant=random;settings=d=64 N=32". */
static int ask(struct check_out *out, const char *name, char *text)
{
    struct check_args a = {0};
    char *rest = text, *word;

    PASS(check_find(&a.of, name));
    while ((word = strtok_r(NULL, ";", &rest))) {
        char *value = strchr(word, '=');

        assert_non_null(value);
        *value++ = 0;
        PASS(check_give(&a, word, value));
    }
    return check_run(out, &a);
}

static struct check_out answer(const char *name, const char *args)
{
    OWNED(free) char *text = str_copy(args);
    struct check_out out;

    if (ask(&out, name, text))
        fail_msg("%s %s: %s", name, args, err_last());
    return out;
}

static const struct check_result *result_of(const struct check_out *o,
                                     const char *measure)
{
    for (int i = 0; i < o->n; i++)
        if (!strcmp(o->result[i].measure, measure))
            return &o->result[i];
    fail_msg("%s says nothing of %s", o->of->name, measure);
    return NULL;
}

static double value(const struct check_out *o, const char *measure)
{
    return result_of(o, measure)->value;
}

/* Fails unless the measure is within `off` of `want`, plus five standard errors
 * if it has one. */
static void near(const struct check_out *o, const char *measure, double want,
                 double off)
{
    const struct check_result *s = result_of(o, measure);

    if (!(fabs(s->value - want) <= off + 5 * s->error))
        fail_msg("%s is %.9g +- %.2g, not %.9g", measure, s->value, s->error,
                 want);
}

static void refuses(const char *name, const char *args, const char *why)
{
    OWNED(free) char *text = str_copy(args);
    struct check_out out;

    assert_int_equal(ask(&out, name, text), ERR_USAGE);
    if (!strstr(err_last(), why))
        fail_msg("%s %s: '%s' says nothing of '%s'", name, args, err_last(),
                 why);
}

/* ---- W ---- */

enum { METHODS = 5 };
static const char *const methods[METHODS] = {"qr", "householder", "polar",
                                             "cayley", "hadamard"};

/* Each method draws its own W, so no two results are bit-identical. */
static void projection(void **state)
{
    double kept[METHODS];

    (void)state;
    for (int i = 0; i < METHODS; i++) {
        OWNED(free) char *args = str_format("variant=orthogonal;d=64;k=16;"
                                            "heads=16;method=%s", methods[i]);
        struct check_out o = answer("projection", args);

        near(&o, "gram", 0, 1e-6);
        near(&o, "inner", 0.25, 0);
        near(&o, "norm", 0.25, 0);
        near(&o, "lift", 1, 1e-5);
        assert_true(value(&o, "turn") > 0.001);
        assert_true(result_of(&o, "inner")->error < 0.02);
        kept[i] = value(&o, "inner");
        for (int k = 0; k < i; k++)
            assert_true(kept[k] != kept[i]);
    }
}

static void square(void **state)
{
    struct check_out o = answer("projection",
                                "variant=orthogonal;d=32;k=32;heads=4");

    (void)state;
    near(&o, "inner", 1, 1e-5);
    near(&o, "norm", 1, 1e-5);
    near(&o, "turn", 0, 1e-9);
    o = answer("spectrum", "variant=orthogonal;d=32;k=32;heads=2");
    near(&o, "least", 1, 1e-5);
    near(&o, "greatest", 1, 1e-5);
    near(&o, "apart", 0, 1e-2); /* both W span R^d; acos is steep at 1 */
}

/* For W from N(0, 1/d), |W^T W - I|^2 has mean k (k + 1) / d; norms are
 * preserved on average. */
static void gaussian(void **state)
{
    struct check_out o = answer("projection", "variant=frozen-gaussian;d=64;"
                                              "k=16;heads=16");

    (void)state;
    assert_true(value(&o, "gram") > 0.1);
    near(&o, "inner", 0.25, 0);
    near(&o, "lift", 1, 0);
}

static void spectrum(void **state)
{
    struct check_out o = answer("spectrum",
                                "variant=orthogonal;d=64;k=16;heads=16");

    (void)state;
    near(&o, "condition", 1, 1e-5);
    near(&o, "product_low", 1, 1e-5);
    near(&o, "product_high", 1, 1e-5);
    near(&o, "least", 0, 1e-6);
    near(&o, "overlap", 0.25, 0); /* k / d = 16 / 64 */
    near(&o, "gain", 1, 1e-5);
    near(&o, "spread", 0, 1e-5);
    assert_true(value(&o, "apart") > 0.5);
}

static void split(void **state)
{
    struct check_out o = answer("spectrum", "variant=orthogonal-split;d=64;"
                                            "k=16;heads=4");

    (void)state;
    near(&o, "overlap", 0, 1e-9);
    near(&o, "apart", acos(0), 1e-5);
}

/* The expected condition number is (1 + s) / (1 - s) with s = sqrt(k / d): 2.09
 * for 512 x 64. */
static void condition(void **state)
{
    struct check_out o = answer("spectrum", "variant=frozen-gaussian;d=512;"
                                            "k=64;heads=2");
    double s = sqrt(64 / 512.0);

    (void)state;
    near(&o, "condition", (1 + s) / (1 - s), 0.1);
    near(&o, "overlap", 0.125, 0.02);
    near(&o, "gain", 1, 0.05);
    assert_true(value(&o, "spread") > 1e-4);
    /* Edelman 1988: the mean of ln(condition number) of n x n is ln n +
     * 1.537 */
    o = answer("spectrum", "variant=frozen-gaussian;d=64;k=64;heads=16");
    near(&o, "condition", 64 * exp(1.537), 0);
}

/* ---- gradients ---- */

static void gradient(void **state)
{
    struct check_out o = answer("gradient", "variant=orthogonal");

    (void)state;
    near(&o, "path", 1, 1e-5);
    /* the signs of both parts are independent: their squares add up, except for
     * their correlation */
    double scores = value(&o, "scores"), values = value(&o, "values");
    double block = value(&o, "block");
    assert_true(block > fabs(scores - values) && block < scores + values);
    assert_true(scores > 0.01 && values > 0.01 && fabs(block - 1) > 0.02);
    o = answer("gradient", "variant=orthogonal;scale=300");
    assert_true(value(&o, "scores") < scores / 10);
    assert_true(value(&o, "values") > values);
}

/* A Gaussian W with mean square 1 / d preserves the norm of the gradient,
 * ||G||, only on average. */
static void gradient_of_gaussian(void **state)
{
    struct check_out o = answer("gradient", "variant=frozen-gaussian");

    (void)state;
    assert_true(fabs(value(&o, "path") - 1) > 1e-3);
    near(&o, "path", 1, 0.2);
}

/* ---- parameters and operations ---- */

static void count(void **state)
{
    struct check_out o = answer("count", "variant=vanilla");

    (void)state;
    near(&o, "layer", 2 * 512 * 512, 0);
    near(&o, "head", 2 * 512 * 64, 0);
    near(&o, "growth", 0, 0);
    near(&o, "ratio", 1, 0);
    o = answer("count", "variant=random;settings=d=64 heads=4 N=32");
    near(&o, "layer", 4 * 32 * 32, 0);
    near(&o, "ratio", 0.5, 0);
    near(&o, "growth", 4 * 3 * 32, 0); /* 4 heads: ((2N)^2 - N^2) / N = 3 N */
    o = answer("count", "variant=dense;against=random;settings=d=64 heads=4 "
                        "N=32");
    near(&o, "layer", 4 * (16 * 16 + 16 * 32) + 4 * (16 + 32), 0);
    near(&o, "growth", 64 + 4, 0);
    near(&o, "ratio", (4 * (16 * 16 + 16 * 32) + 4 * (16 + 32)) / 4096.0, 0);
}

/* The numbers of parameters of T5-base are exact. */
static void count_models(void **state)
{
    static const struct { const char *variant; double want; } row[] = {
        {"vanilla", 222903552}, {"dense-mtf", 224476160},
        {"dense-mtf+vanilla", 243350528}, {"random", 254360576},
        {"random+vanilla", 292109312}, {"factorized-random-mtf", 207174656}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        OWNED(free) char *args = str_format("variant=%s;model=T5-base",
                                            row[i].variant);
        struct check_out o = answer("count", args);

        near(&o, "model", row[i].want, 0);
    }
}

/* Returns the slope of a line through log2 of a n + b n^2 at n = 64, 128, 256
 * and 512. */
static double growth_of(double a, double b)
{
    double slope = 0, half = 1.5;

    for (int i = 0; i < 4; i++) {
        double n = 64 << i;

        slope += (i - half) * log2(a * n + b * n * n) / 5;
    }
    return slope;
}

/* Operations: 4 n d^2 for Q and K, 2 n^2 d for Q K^T, 2 n^2 d for P V, 4 n d^2
 * for V and the output projection. */
static void cost(void **state)
{
    struct check_out o = answer("cost", "variant=vanilla;settings=d=32 "
                                        "heads=4 N=64");
    double d = 32;

    (void)state;
    near(&o, "scores_n", growth_of(4 * d * d, 2 * d), 1e-9);
    o = answer("cost", "variant=random;settings=d=32 heads=4 N=64");
    near(&o, "scores_n", 0, 0);
    near(&o, "layer_n", growth_of(4 * d * d, 2 * d), 1e-9);
    o = answer("cost", "variant=linformer;settings=d=32 heads=4 N=1024 "
                       "projection=16");
    near(&o, "layer_n", 1, 1e-9);
}

static void shape(void **state)
{
    struct check_out o = answer("shape", "variant=dense;matrix=w2;d=64;"
                                         "heads=4;N=32");

    (void)state;
    near(&o, "rows", 16, 0);
    near(&o, "columns", 32, 0);
    o = answer("shape", "variant=linformer;matrix=e;N=32;slots=8");
    near(&o, "rows", 8, 0);
    near(&o, "columns", 32, 0);
}

/* ---- lengths ---- */

static void length(void **state)
{
    static const struct { const char *variant; double grows, longer; } row[] = {
        {"random", 2 * 3 * 144, 0}, {"factorized-random", 2 * 2 * 12 * 2, 0},
        {"dense", 2 * 12 * 9, 0}, {"orthogonal", 0, 1}, {"vanilla", 0, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        OWNED(free) char *args = str_format("variant=%s;d=16;heads=2;rank=2;"
                                            "N=12;n=5", row[i].variant);
        struct check_out o = answer("length", args);

        near(&o, "shorter", 0, 1e-6);
        near(&o, "grows", row[i].grows, 0);
        near(&o, "longer", row[i].longer, 0);
    }
}

/* ---- scores ---- */

static void pairing(void **state)
{
    struct check_out o = answer("pairing", "a=4;c=4;N=16;n=8");

    (void)state;
    near(&o, "pairs", 1, 0);
    near(&o, "columns", 16, 0);
    near(&o, "by_row", 0, 0);
    near(&o, "rank", 8, 0);
    near(&o, "kronecker", 16, 0);
    o = answer("pairing", "way=tile;a=4;c=6;N=24");
    near(&o, "columns", 12, 0); /* lcm(a, c) */
    near(&o, "wide_a", 16, 0);
    near(&o, "wide_c", 36, 0);
    o = answer("pairing", "way=repeat;a=4;c=4;N=16");
    near(&o, "columns", 4, 0);
    o = answer("pairing", "a=4;c=4;N=32");
    near(&o, "pairs", 0.5, 0);
    near(&o, "columns", 16, 0);
}

static void mixture(void **state)
{
    struct check_out o = answer("mixture", "variant=random+vanilla");

    (void)state;
    assert_true(value(&o, "difference") > 0.01);
    /* a single part has one softmax, whichever interpretation */
    o = answer("mixture", "variant=vanilla");
    near(&o, "difference", 0, 0);
}

static void linear(void **state)
{
    struct check_out o = answer("linear", "variant=mixer;d=15");

    (void)state;
    near(&o, "difference", 0, 1e-5);
    o = answer("linear", "variant=random");
    assert_true(value(&o, "difference") > 0.1);
}

static void structure(void **state)
{
    struct check_out o = answer("structure", "variant=factorized-random;"
                                             "rank=3;N=24;n=24");

    (void)state;
    near(&o, "rank", 3, 0);
    assert_true(value(&o, "softmax_rank") > 10);
    assert_true(value(&o, "rows") > 0.1);
    o = answer("structure", "variant=factorized-random-mtf");
    near(&o, "rank", 1, 0);
    near(&o, "softmax_rank", 1, 0);
    near(&o, "rows", 0, 0);
    o = answer("structure", "variant=vanilla");
    near(&o, "skew", 1, 0.1); /* B and B^T are uncorrelated */
    assert_true(value(&o, "negative") > 0.3);
}

/* For n normal scores with deviation s, ln n less the entropy is about s^2 /
 * 2. */
static void scores(void **state)
{
    struct check_out o = answer("scores", "variant=fixed-random;scale=0.1;"
                                          "N=128;n=128");

    (void)state;
    near(&o, "variance", 0.01, 1e-4);
    near(&o, "kurtosis", 3, 0.05);
    near(&o, "kl", 0.005, 2e-4);
    o = answer("scores", "variant=fixed-random;start=glorot;N=128;n=128");
    near(&o, "variance", 2.0 / (128 * 8 + 128 * 128), 1e-6);
    near(&o, "kurtosis", 1.8, 0.02);
    o = answer("scores", "variant=uniform");
    near(&o, "kl", 0, 1e-6);
    near(&o, "peak", 1, 1e-6);
    near(&o, "ratio", 1, 0);
    o = answer("scores", "variant=orthogonal;against=frozen-gaussian;heads=32;"
                         "k=16");
    near(&o, "variance", 1, 0.2);
    near(&o, "ratio", 1, 0.05);
}

/* ---- properties ---- */

static void properties_told(void **state)
{
    struct check_out o = answer("property", "variants=all;property=weight");

    (void)state;
    near(&o, "failed", 0, 0);
    assert_true(value(&o, "tested") > 15 && value(&o, "worst") < 1e-5);
    /* `worst` is the least value, because `order` must be large */
    o = answer("property", "variants=random;property=order");
    double one = value(&o, "worst");
    o = answer("property", "variants=dense;property=order");
    double two = value(&o, "worst");
    o = answer("property", "variants=random dense;property=order");
    near(&o, "tested", 2, 0);
    near(&o, "worst", fmin(one, two), 0);
    assert_true(one != two && fmin(one, two) > 0.01);
}

/* ---- invalid arguments ---- */

static void refused(void **state)
{
    (void)state;
    refuses("projection", "variant=orthogonl", "orthogonal");
    refuses("projection", "method=qr", "variant");
    refuses("projection", "variant=random", "W_Q");
    refuses("projection", "variant=orthogonal;d=64;k=65;heads=2", "columns");
    refuses("projection", "variant=orthogonal;method=lq", "lq");
    refuses("projection", "variant=orthogonal;d=30;heads=4", "multiple");
    refuses("projection", "variant=orthogonal;d=1.5", "whole number");
    refuses("spectrum", "variant=orthogonal;heads=1", "heads");
    refuses("gradient", "variant=random", "W_Q");
    refuses("gradient", "variant=orthogonal;scale=1e300", "out of range");
    refuses("count", "variant=random;settings=heads", "key=value");
    refuses("count", "variant=random;settings=hedas=8", "heads");
    refuses("count", "variant=random;model=T5-large", "T5-base");
    refuses("count", "variant=random;against=uniform", "no learned parameters");
    refuses("cost", "variant=random+vanilla", "mixture");
    refuses("cost", "variant=random;settings=N=16384", "at most");
    refuses("shape", "variant=dense;matrix=w3", "w3");
    refuses("length", "variant=factorized-dense;N=12;n=10", "not part");
    refuses("scores", "variant=random+vanilla", "scores");
    refuses("scores", "variant=random;start=xavier", "glorot");
    refuses("scores", "variant=random;n=65", "whole number");
    refuses("pairing", "way=twice", "unknown way");
    refuses("property", "variants=random;property=wieght", "wieght");
    refuses("property", "variants=random;property=permute", "does not apply");
}

/* Results are bit-identical, whatever was checked before. */
static void repeats(void **state)
{
    static const char *const name[] = {"projection", "spectrum", "gradient",
                                       "scores"};

    (void)state;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct check_out a = answer(name[i], "variant=orthogonal;heads=4");
        struct check_out b = answer(name[i], "variant=orthogonal;heads=4");

        for (int k = 0; k < a.n; k++)
            assert_true(a.result[k].value == b.result[k].value &&
                        a.result[k].error == b.result[k].error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"projection: by every method k/d is kept, W^T W is I", projection,
         NULL, NULL, NULL},
        {"projection, spectrum: of a square W all is kept", square, NULL, NULL,
         NULL},
        {"projection: a Gaussian W keeps k/d on average alone", gaussian, NULL,
         NULL, NULL},
        {"spectrum: singular values are 1, heads overlap by k/d", spectrum,
         NULL, NULL, NULL},
        {"spectrum: heads of one matrix do not overlap", split, NULL, NULL,
         NULL},
        {"spectrum: a Gaussian's condition number is the limit's", condition,
         NULL, NULL, NULL},
        {"gradient: one path keeps the norm, the layer does not, softmax "
         "saturates", gradient, NULL, NULL, NULL},
        {"gradient: a Gaussian path does not keep it", gradient_of_gaussian,
         NULL, NULL, NULL},
        {"count: layers by their formulas", count, NULL, NULL, NULL},
        {"count: T5-base to the digit", count_models, NULL, NULL, NULL},
        {"cost: exponents of a layer's polynomial", cost, NULL, NULL, NULL},
        {"shape: rows are inputs", shape, NULL, NULL, NULL},
        {"length: a shorter sentence takes a corner, a longer one needs no "
         "numbers", length, NULL, NULL, NULL},
        {"pairing: columns of each way, Kronecker row by row", pairing, NULL,
         NULL, NULL},
        {"mixture: mixed scores are not mixed softmaxes", mixture, NULL, NULL,
         NULL},
        {"linear: the mixer is R X, a softmax is not", linear, NULL, NULL,
         NULL},
        {"structure: rank, equal rows, no symmetry", structure, NULL, NULL,
         NULL},
        {"scores: variance, kurtosis and divergence of known draws", scores,
         NULL, NULL, NULL},
        {"property: what verify variants says", properties_told, NULL, NULL,
         NULL},
        {"arguments that cannot be are refused by name", refused, NULL, NULL,
         NULL},
        {"the same arguments give the same bits", repeats, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("checks", tests, NULL, NULL);
}
