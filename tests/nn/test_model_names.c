/* Checks the names and shapes of a model's parameters, in order of
 * declaration. */
#include "tests/support/select_variants.h"
#include "tests/support/tiny.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

/* Compares the parameters with `want`, in which each has its name and shape, as
 * "name 2,3"; "!" marks frozen ones. */
static void check_names(const struct model_config *c, const char *variant,
                        const char *const want[])
{
    struct mix mix = named_mix(variant);
    struct params ps;
    int i = 0;

    params_count(&ps);
    model_new(c, &mix, &ps);
    for (; i < ps.n && want[i]; i++) {
        const struct param *p = &ps.list[i];
        char text[160];
        int n = snprintf(text, sizeof text, "%s%s ", p->name,
                         p->kind == PARAM_FROZEN ? "!" : "");

        for (int k = 0; k < p->value->nd; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%s%d",
                          k ? "," : "", p->value->dim[k]);
        assert_string_equal(text, want[i]);
    }
    assert_int_equal(i, ps.n);
    assert_null(want[i]);
    params_close(&ps);
}

static void seq2seq_names(void **state)
{
    struct model_config c = tiny_config(FAMILY_SEQ2SEQ);

    (void)state;
    c.layers = 1;
    check_names(&c, "random+dense", (const char *const[]){
        "embed.table 11,8",
        "encoder.0.self.norm.gain 8", "encoder.0.self.norm.bias 8",
        "encoder.0.self.v 8,8", "encoder.0.self.o 8,8",
        "encoder.0.self.dense.w1 2,4,4", "encoder.0.self.dense.b1 2,4",
        "encoder.0.self.dense.w2 2,4,6", "encoder.0.self.dense.b2 2,6",
        "encoder.0.self.random.R 2,6,6",
        "encoder.0.self.mix.a 2",
        "encoder.0.ffn.norm.gain 8", "encoder.0.ffn.norm.bias 8",
        "encoder.0.ffn.w1 8,10", "encoder.0.ffn.b1 10",
        "encoder.0.ffn.w2 10,8", "encoder.0.ffn.b2 8",
        "encoder.norm.gain 8", "encoder.norm.bias 8",
        "decoder.0.self.norm.gain 8", "decoder.0.self.norm.bias 8",
        "decoder.0.self.v 8,8", "decoder.0.self.o 8,8",
        "decoder.0.self.dense.w1 2,4,4", "decoder.0.self.dense.b1 2,4",
        "decoder.0.self.dense.w2 2,4,6", "decoder.0.self.dense.b2 2,6",
        "decoder.0.self.random.R 2,6,6",
        "decoder.0.self.mix.a 2",
        "decoder.0.cross.norm.gain 8", "decoder.0.cross.norm.bias 8",
        "decoder.0.cross.q 8,8", "decoder.0.cross.k 8,8",
        "decoder.0.cross.v 8,8", "decoder.0.cross.o 8,8",
        "decoder.0.ffn.norm.gain 8", "decoder.0.ffn.norm.bias 8",
        "decoder.0.ffn.w1 8,10", "decoder.0.ffn.b1 10",
        "decoder.0.ffn.w2 10,8", "decoder.0.ffn.b2 8",
        "decoder.norm.gain 8", "decoder.norm.bias 8", NULL});
}

static void lm_names(void **state)
{
    struct model_config c = tiny_config(FAMILY_LM);

    (void)state;
    c.layers = 1;
    check_names(&c, "factorized-random", (const char *const[]){
        "embed.table 11,8",
        "decoder.0.self.norm.gain 8", "decoder.0.self.norm.bias 8",
        "decoder.0.self.v 8,8", "decoder.0.self.o 8,8",
        "decoder.0.self.factorized-random.R1 2,6,2",
        "decoder.0.self.factorized-random.R2 2,6,2",
        "decoder.0.ffn.norm.gain 8", "decoder.0.ffn.norm.bias 8",
        "decoder.0.ffn.w1 8,10", "decoder.0.ffn.b1 10",
        "decoder.0.ffn.w2 10,8", "decoder.0.ffn.b2 8",
        "decoder.norm.gain 8", "decoder.norm.bias 8",
        "softmax.table 11,8", NULL});
}

static void encoder_names(void **state)
{
    struct model_config c = tiny_config(FAMILY_ENCODER);

    (void)state;
    check_names(&c, "fixed-random", (const char *const[]){
        "embed.table 11,8",
        "encoder.0.self.norm.gain 8", "encoder.0.self.norm.bias 8",
        "encoder.0.self.v 8,8", "encoder.0.self.o 8,8",
        "encoder.0.self.fixed-random.R! 2,6,6",
        "encoder.0.ffn.norm.gain 8", "encoder.0.ffn.norm.bias 8",
        "encoder.0.ffn.w1 8,10", "encoder.0.ffn.b1 10",
        "encoder.0.ffn.w2 10,8", "encoder.0.ffn.b2 8",
        "encoder.1.self.norm.gain 8", "encoder.1.self.norm.bias 8",
        "encoder.1.self.v 8,8", "encoder.1.self.o 8,8",
        "encoder.1.self.fixed-random.R! 2,6,6",
        "encoder.1.ffn.norm.gain 8", "encoder.1.ffn.norm.bias 8",
        "encoder.1.ffn.w1 8,10", "encoder.1.ffn.b1 10",
        "encoder.1.ffn.w2 10,8", "encoder.1.ffn.b2 8",
        "encoder.norm.gain 8", "encoder.norm.bias 8",
        "classifier.w 8,3", "classifier.b 3", NULL});
}

static void t5_names(void **state)
{
    struct model_config c = tiny_t5(FAMILY_SEQ2SEQ);

    (void)state;
    c.layers = 1;
    c.cross_heads = 4;
    c.head_width = 3;
    check_names(&c, "dense-mtf+vanilla", (const char *const[]){
        "embed.table 11,8", "encoder.relative 8,2",
        "encoder.0.self.norm.gain 8",
        "encoder.0.self.v 8,6", "encoder.0.self.o 6,8",
        "encoder.0.self.vanilla.q 8,6", "encoder.0.self.vanilla.k 8,6",
        "encoder.0.self.dense-mtf.q 8,6", "encoder.0.self.dense-mtf.p 3,6",
        "encoder.0.self.mix.a 2",
        "encoder.0.ffn.norm.gain 8",
        "encoder.0.ffn.w1 8,10", "encoder.0.ffn.w2 10,8",
        "encoder.norm.gain 8", "decoder.relative 8,2",
        "decoder.0.self.norm.gain 8",
        "decoder.0.self.v 8,6", "decoder.0.self.o 6,8",
        "decoder.0.self.vanilla.q 8,6", "decoder.0.self.vanilla.k 8,6",
        "decoder.0.self.dense-mtf.q 8,6", "decoder.0.self.dense-mtf.p 3,6",
        "decoder.0.self.mix.a 2",
        "decoder.0.cross.norm.gain 8",
        "decoder.0.cross.q 8,8", "decoder.0.cross.k 8,8",
        "decoder.0.cross.v 8,8", "decoder.0.cross.o 8,8",
        "decoder.0.ffn.norm.gain 8",
        "decoder.0.ffn.w1 8,10", "decoder.0.ffn.w2 10,8",
        "decoder.norm.gain 8", NULL});
}

int main(void)
{
    const struct CMUnitTest names[] = {
        {"seq2seq: parameters have their names and shapes", seq2seq_names,
         NULL, NULL, NULL},
        {"lm: parameters have their names and shapes", lm_names, NULL, NULL,
         NULL},
        {"encoder: parameters have their names and shapes", encoder_names,
         NULL, NULL, NULL},
        {"t5: parameters have their names and shapes", t5_names, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("model names", names, NULL, NULL);
}
