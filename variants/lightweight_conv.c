/*
 * Lightweight and dynamic convolution (Wu et al. 2019, arXiv 1901.10430)
 *
 *     lightweight    taps (H,K) are learned: a Random Synthesizer whose R is
 *                    banded and the same along every diagonal
 *     dynamic        taps = u wk, wk (d,H K): a Dense Synthesizer in relative
 *                    columns
 *
 * conv_heads heads, conv_width taps (a number, or one a layer); the formula is
 * in conv.h.  There is no W_v; W_o is the output product.
 * Learned: 2 d^2 + 2 d + H K, and 2 d^2 + 2 d + d H K a layer.
 */
#include "variants/conv.h"

static const struct key knobs[] = {
    {.name = "conv_heads", .type = &key_int, KNOB(conv_heads), .initial = "0",
     .high = 65536,
     .help = "heads of the convolutions, a divisor of d; 0: heads"},
    {.name = "conv_width", .type = &key_widths, KNOB(conv_width),
     .initial = "7", .low = 1, .high = 4096,
     .help = "taps of the convolutions; 3,7,15: one a layer, the last "
             "repeats"},
    {.name = NULL}};

static int heads_of(const struct model_config *c)
{
    return c->conv_heads ? c->conv_heads : c->heads;
}

static void init_lightweight(void *self, const struct model_config *c,
                             struct params *ps)
{
    conv_init(self, c, ps, heads_of(c), c->conv_width.at[0], 0);
}

static void init_dynamic(void *self, const struct model_config *c,
                         struct params *ps)
{
    conv_init(self, c, ps, heads_of(c), c->conv_width.at[0], 1);
}

const struct variant variant_lightweight_conv = {
    .name = "lightweight-conv",
    .title = "Lightweight Convolution",
    .cite = "Wu et al. 2019, section 3",
    .depends = DEPENDS_NEIGHBOURS,
    .traits = VARIANT_NO_VALUES,
    .learns = "2 d^2 + 2 d + H K",
    .size = sizeof(struct conv_layer),
    .knobs = knobs,
    .init = init_lightweight,
    .output = conv_output,
};

const struct variant variant_dynamic_conv = {
    .name = "dynamic-conv",
    .title = "Dynamic Convolution",
    .cite = "Wu et al. 2019, section 4",
    .depends = DEPENDS_NEIGHBOURS,
    .traits = VARIANT_NO_VALUES,
    .learns = "2 d^2 + 2 d + d H K",
    .size = sizeof(struct conv_layer),
    .init = init_dynamic,
    .output = conv_output,
};
