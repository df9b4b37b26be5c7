#include "tests/support/op_case.h"

#include "tests/support/leaf.h"

/* Lengths of three sentences of up to four positions; the second sentence is
 * empty. */
static const int unequal[] = {3, 0, 4};
static const int target[] = {1, 4, 0, 0, 0, 0, 0, 0, 2, 2, 5, 6};
static const int label[] = {1, 4, 0};

static tensor *linear(struct tape *t, tensor *const in[])
{
    return ad_linear(t, in[0], in[1], in[2], ACT_NONE);
}

static tensor *linear_relu(struct tape *t, tensor *const in[])
{
    return ad_linear(t, in[0], in[1], in[2], ACT_RELU);
}

static tensor *linear_bare(struct tape *t, tensor *const in[])
{
    return ad_linear(t, in[0], in[1], NULL, ACT_NONE);
}

static tensor *head_linear(struct tape *t, tensor *const in[])
{
    return ad_head_linear(t, in[0], in[1], in[2], ACT_NONE, 3);
}

static tensor *head_linear_relu(struct tape *t, tensor *const in[])
{
    return ad_head_linear(t, in[0], in[1], in[2], ACT_RELU, 5);
}

static tensor *head_linear_bare(struct tape *t, tensor *const in[])
{
    return ad_head_linear(t, in[0], in[1], NULL, ACT_NONE, 3);
}

static tensor *dot_scores(struct tape *t, tensor *const in[])
{
    return ad_dot_scores(t, in[0], in[1], 2, 0.7);
}

static tensor *corner(struct tape *t, tensor *const in[])
{
    return ad_corner(t, in[0], 2, 3, 4);
}

static tensor *low_rank(struct tape *t, tensor *const in[])
{
    return ad_low_rank(t, in[0], in[1], 2, 3, 4);
}

static tensor *pair(struct tape *t, tensor *const in[])
{
    return ad_pair(t, in[0], in[1], 5);
}

static tensor *mix(struct tape *t, tensor *const in[])
{
    tensor *part[] = {in[1], ad_no_scores(t, 2, 3, 4), in[2], in[3]};

    return ad_mix(t, MIX_LOGITS, 4, part, in[0], NULL);
}

static tensor *mix_shared(struct tape *t, tensor *const in[])
{
    return ad_mix(t, MIX_LOGITS, 3, in + 1, in[0], NULL);
}

static tensor *mix_more(struct tape *t, tensor *const in[])
{
    return ad_mix(t, MIX_LOGITS, 2, in + 1, in[0], in[3]);
}

static tensor *mix_plus(struct tape *t, tensor *const in[])
{
    return ad_mix(t, MIX_PLUS, 2, in, NULL, in[2]);
}

static tensor *mix_sigmoid(struct tape *t, tensor *const in[])
{
    return ad_mix(t, MIX_SIGMOID, 2, in + 1, in[0], NULL);
}

/* Mixes one head that all sentences share with two heads that differ between
 * sentences. */
static tensor *mix_heads(struct tape *t, tensor *const in[])
{
    return ad_mix(t, MIX_HEADS, 2, in, NULL, in[2]);
}

static tensor *columns(struct tape *t, tensor *const in[])
{
    return ad_columns(t, in[0], in[1], 3, 4);
}

static tensor *relative(struct tape *t, tensor *const in[])
{
    return ad_relative(t, in[0], &(struct relative){8, 12, 0}, 2, 5, 9);
}

static tensor *relative_causal(struct tape *t, tensor *const in[])
{
    return ad_relative(t, in[0], &(struct relative){8, 12, 1}, 2, 5, 9);
}

static tensor *glu(struct tape *t, tensor *const in[])
{
    return ad_glu(t, in[0], unequal);
}

static tensor *softmax(struct tape *t, tensor *const in[])
{
    return ad_softmax(t, in[0], 3);
}

static tensor *conv_shared(struct tape *t, tensor *const in[])
{
    return ad_conv(t, in[0], in[1], in[2], 4, 2, 0, -1);
}

static tensor *conv_own(struct tape *t, tensor *const in[])
{
    return ad_conv(t, in[0], in[1], NULL, 2, 2, 1, -2);
}

static tensor *project(struct tape *t, tensor *const in[])
{
    return ad_project(t, in[0], in[1], unequal);
}

static tensor *project_all(struct tape *t, tensor *const in[])
{
    return ad_project(t, in[0], in[1], NULL);
}

static tensor *attend_all(struct tape *t, tensor *const in[])
{
    return ad_attend(t, in[0], in[1], (struct keys){0});
}

static tensor *attend_lengths(struct tape *t, tensor *const in[])
{
    return ad_attend(t, in[0], in[1], (struct keys){.length = unequal});
}

static tensor *attend_causal(struct tape *t, tensor *const in[])
{
    return ad_attend(t, in[0], in[1], (struct keys){.causal = 1});
}

static tensor *attend_late(struct tape *t, tensor *const in[])
{
    return ad_attend(t, in[0], in[1], (struct keys){1, 1, unequal, 0});
}

static tensor *attend_linear(struct tape *t, tensor *const in[])
{
    return ad_attend(t, in[0], in[1], (struct keys){1, 1, unequal, 1});
}

static tensor *attend_dots(struct tape *t, tensor *const in[])
{
    return ad_attend(t, ad_dot_scores(t, in[0], in[1], 2, 0.7), in[2],
                     (struct keys){.length = unequal});
}

static const struct packing packing = {3, 4, 9, unequal};

/* Scores of a dense synthesizer, whose tokens are packed. */
static tensor *attend_dense(struct tape *t, tensor *const in[])
{
    tensor *b = ad_unpack(t, ad_head_linear(t, in[0], in[1], in[2], ACT_NONE,
                                            4), &packing);

    return ad_pack(t, ad_attend(t, b, in[3], (struct keys){1, 1, unequal, 0}),
                   &packing);
}

/* Mixes a table and dot products of x with itself, and adds a position bias. */
static tensor *attend_mixture(struct tape *t, tensor *const in[])
{
    tensor *part[] = {in[1], ad_dot_scores(t, in[2], in[2], 2, 0.7)};

    return ad_attend(t, ad_mix(t, MIX_LOGITS, 2, part, in[0], in[3]), in[2],
                     (struct keys){.causal = 1});
}

/* One head of a table, two of dot products. */
static tensor *attend_heads(struct tape *t, tensor *const in[])
{
    tensor *part[] = {in[0], ad_dot_scores(t, in[1], in[1], 2, 0.7)};

    return ad_attend(t, ad_mix(t, MIX_HEADS, 2, part, NULL, in[2]), in[3],
                     (struct keys){0});
}

/* Another op reads the scores, too. */
static tensor *attend_read(struct tape *t, tensor *const in[])
{
    tensor *b = ad_dot_scores(t, in[0], in[1], 2, 0.7);
    tensor *other = ad_softmax(t, b, 4);
    tensor *y = ad_attend(t, b, in[2], (struct keys){0});

    return ad_attend(t, other, y, (struct keys){0});
}

static tensor *norm(struct tape *t, tensor *const in[])
{
    return ad_norm(t, in[0], in[1], in[2], 1e-6);
}

static tensor *norm_rms(struct tape *t, tensor *const in[])
{
    return ad_norm(t, in[0], in[1], NULL, 1e-6);
}

static const int ids[] = {0, 6, 3, 3, 1, 6};

static tensor *embed(struct tape *t, tensor *const in[])
{
    static real wave[5 * 4];
    static tensor waves = {.nd = 2, .dim = {5, 4}, .x = wave};

    leaf_fill(wave, 5 * 4, 1, 77);
    return ad_embed(t, in[0], &waves, ids, 2, 3, 2, 1.5);
}

static tensor *embed_learned(struct tape *t, tensor *const in[])
{
    return ad_embed(t, in[0], in[1], ids, 2, 3, 2, 1.5);
}

static tensor *embed_bare(struct tape *t, tensor *const in[])
{
    return ad_embed(t, in[0], NULL, ids, 2, 3, 2, 1);
}

static tensor *dropout(struct tape *t, tensor *const in[])
{
    return ad_dropout(t, in[0]);
}

static tensor *residual(struct tape *t, tensor *const in[])
{
    return ad_residual(t, in[0], in[1]);
}

static tensor *pack_twice(struct tape *t, tensor *const in[])
{
    return ad_residual(t, ad_pack(t, in[0], &packing),
                       ad_pack(t, in[0], &packing));
}

static tensor *unpack_twice(struct tape *t, tensor *const in[])
{
    return ad_residual(t, ad_unpack(t, in[0], &packing),
                       ad_unpack(t, in[0], &packing));
}

static tensor *residual_packed(struct tape *t, tensor *const in[])
{
    t->packing = &packing;
    return ad_residual(t, in[0], in[1]);
}

static tensor *mean(struct tape *t, tensor *const in[])
{
    return ad_mean(t, in[0], unequal);
}

static tensor *vocab_loss(struct tape *t, tensor *const in[])
{
    struct loss l = {.target = target, .length = unequal, .smoothing = 0.1,
                     .scale = 1 / 7.0};

    return ad_vocab_loss(t, in[0], in[1], &l);
}

static tensor *vocab_loss_plain(struct tape *t, tensor *const in[])
{
    struct loss l = {.target = target, .scale = 1};

    return ad_vocab_loss(t, in[0], in[1], &l);
}

static tensor *vocab_loss_scaled(struct tape *t, tensor *const in[])
{
    struct loss l = {.target = target, .length = unequal, .scale = 1 / 7.0,
                     .logits = 0.3};

    return ad_vocab_loss(t, in[0], in[1], &l);
}

static tensor *square_loss(struct tape *t, tensor *const in[])
{
    static const float want[] = {0.5f, -2, 1};
    struct loss l = {.scale = 1 / 3.0};

    return ad_square_loss(t, in[0], want, &l);
}

static tensor *class_loss(struct tape *t, tensor *const in[])
{
    struct loss l = {.target = label, .smoothing = 0.2, .scale = 1 / 3.0};

    return ad_class_loss(t, in[0], &l);
}

#define IN(...) {sizeof((int[]){__VA_ARGS__}) / sizeof(int), {__VA_ARGS__}}

const struct op_case op_case[] = {
    {"linear", linear, .nin = 3, .in = {IN(2, 3, 4), IN(4, 5), IN(5)}},
    {"linear with relu", linear_relu, .relu = 1, .nin = 3,
     .in = {IN(2, 3, 4), IN(4, 5), IN(5)}},
    {"linear without a bias", linear_bare, .nin = 2,
     .in = {IN(2, 3, 4), IN(4, 5)}},
    {"head_linear, heads side by side, 3 columns of 5", head_linear, .nin = 3,
     .in = {IN(3, 4, 6), IN(2, 3, 5), IN(2, 5)}},
    {"head_linear, heads one after another, 3 columns of 5", head_linear,
     .nin = 3, .in = {IN(2, 3, 4, 3), IN(2, 3, 5), IN(2, 5)}},
    {"head_linear with relu", head_linear_relu, .relu = 1, .nin = 3,
     .in = {IN(3, 4, 6), IN(2, 3, 5), IN(2, 5)}},
    {"head_linear without a bias", head_linear_bare, .nin = 2,
     .in = {IN(3, 4, 6), IN(2, 3, 5)}},
    {"head_linear, all heads of one x", head_linear, .nin = 3,
     .in = {IN(3, 4, 3), IN(2, 3, 5), IN(2, 5)}},
    {"head_linear, heads side by side, one W", head_linear_bare, .nin = 2,
     .in = {IN(3, 4, 6), IN(3, 5)}},
    {"head_linear, heads one after another, one W", head_linear_bare,
     .nin = 2, .in = {IN(2, 3, 4, 3), IN(3, 5)}},
    {"dot_scores, 3 rows and 5 keys", dot_scores, .nin = 2,
     .in = {IN(3, 3, 6), IN(3, 5, 6)}},
    {"corner from row 2", corner, .nin = 1, .in = {IN(2, 6, 6)}},
    {"low_rank from row 2", low_rank, .nin = 2,
     .in = {IN(2, 6, 3), IN(2, 6, 3)}},
    {"pair, 5 columns of 2 x 3", pair, .whole = 1, .nin = 2,
     .in = {IN(2, 2, 3, 2), IN(2, 2, 3, 3)}},
    {"mix of shared, constant and own scores", mix, .nin = 4,
     .in = {IN(4), IN(2, 1, 3, 4), IN(2, 3, 3, 4), IN(2, 1, 3, 4)}},
    {"mix of shared scores", mix_shared, .nin = 4,
     .in = {IN(3), IN(2, 1, 3, 4), IN(2, 1, 3, 4), IN(2, 1, 3, 4)}},
    {"mix of scores, and a position bias", mix_more, .nin = 4,
     .in = {IN(2), IN(2, 1, 3, 4), IN(2, 3, 3, 4), IN(2, 1, 3, 4)}},
    {"mix by a plain sum, and a position bias", mix_plus, .nin = 3,
     .in = {IN(2, 1, 3, 4), IN(2, 3, 3, 4), IN(2, 1, 3, 4)}},
    {"mix by a sigmoid", mix_sigmoid, .nin = 3,
     .in = {IN(1), IN(2, 1, 3, 4), IN(2, 3, 3, 4)}},
    {"heads side by side, and a position bias", mix_heads, .nin = 3,
     .in = {IN(1, 1, 3, 4), IN(2, 3, 3, 4), IN(3, 1, 3, 4)}},
    {"mix of outputs", mix_sigmoid, .nin = 3,
     .in = {IN(1), IN(3, 4, 5), IN(3, 4, 5)}},
    {"columns, 4 of 6, 3 rows", columns, .whole = 1, .nin = 2,
     .in = {IN(3, 2, 6), IN(3, 2, 6)}},
    {"relative positions both ways, from row 2", relative, .nin = 1,
     .in = {IN(8, 2)}},
    {"relative positions in a decoder, from row 2", relative_causal, .nin = 1,
     .in = {IN(8, 2)}},
    {"glu, unequal lengths", glu, .nin = 1, .in = {IN(3, 4, 6)}},
    {"softmax of runs of 3", softmax, .nin = 1, .in = {IN(2, 4, 6)}},
    {"conv, shared taps, 2 heads in 5 channels, a bias", conv_shared,
     .whole = 1, .nin = 3, .in = {IN(3, 4, 5), IN(2, 3), IN(5)}},
    {"conv, a token's own taps, rows 1 and 2 of 4", conv_own, .whole = 1,
     .nin = 2, .in = {IN(3, 4, 5), IN(3, 2, 6)}},
    {"project along unequal lengths", project, .nin = 2,
     .in = {IN(2, 5), IN(3, 4, 6)}},
    {"project along the length", project_all, .nin = 2,
     .in = {IN(2, 5), IN(3, 4, 6)}},
    {"attend without a softmax", attend_linear, .drops = 1, .nin = 2,
     .in = {IN(2, 3, 2, 4), IN(3, 4, 6)}},
    {"attend without a softmax, shared scores", attend_linear, .drops = 1,
     .nin = 2, .in = {IN(2, 1, 2, 4), IN(3, 4, 6)}},
    {"attend", attend_all, .drops = 1, .nin = 2,
     .in = {IN(2, 3, 3, 4), IN(3, 4, 6)}},
    {"attend, shared scores", attend_all, .drops = 1, .nin = 2,
     .in = {IN(2, 1, 3, 4), IN(3, 4, 6)}},
    {"attend, one sentence", attend_all, .drops = 1, .nin = 2,
     .in = {IN(2, 1, 3, 4), IN(1, 4, 6)}},
    {"attend, unequal lengths", attend_lengths, .drops = 1, .nin = 2,
     .in = {IN(2, 3, 3, 4), IN(3, 4, 6)}},
    {"attend, unequal lengths, shared scores", attend_lengths, .drops = 1,
     .nin = 2, .in = {IN(2, 1, 3, 4), IN(3, 4, 6)}},
    {"attend, causal", attend_causal, .drops = 1, .nin = 2,
     .in = {IN(2, 3, 4, 4), IN(3, 4, 6)}},
    {"attend, causal, shared scores", attend_causal, .drops = 1, .nin = 2,
     .in = {IN(2, 1, 4, 4), IN(3, 4, 6)}},
    {"attend, causal from row 1, unequal lengths", attend_late, .drops = 1,
     .nin = 2, .in = {IN(2, 3, 2, 4), IN(3, 4, 6)}},
    {"attend, causal from row 1, unequal lengths, shared scores", attend_late,
     .drops = 1, .nin = 2, .in = {IN(2, 1, 2, 4), IN(3, 4, 6)}},
    {"attend of dot products, unequal lengths", attend_dots, .drops = 1,
     .nin = 3, .in = {IN(3, 3, 6), IN(3, 4, 6), IN(3, 4, 6)}},
    {"attend of dense scores, packed", attend_dense, .drops = 1, .nin = 4,
     .in = {IN(2, 1, 9, 3), IN(2, 3, 5), IN(2, 5), IN(3, 4, 6)}},
    {"attend of a mixture and a position bias", attend_mixture, .drops = 1,
     .nin = 4, .in = {IN(2), IN(2, 1, 4, 4), IN(3, 4, 6), IN(2, 1, 4, 4)}},
    {"attend of heads side by side", attend_heads, .drops = 1, .nin = 4,
     .in = {IN(1, 1, 4, 4), IN(3, 4, 6), IN(3, 1, 4, 4), IN(3, 4, 6)}},
    {"attend of scores that another op reads", attend_read, .drops = 1,
     .nin = 3, .in = {IN(3, 4, 6), IN(3, 4, 6), IN(3, 4, 6)}},
    {"norm", norm, .whole = 1, .nin = 3, .in = {IN(2, 3, 5), IN(5), IN(5)}},
    {"norm by the root mean square", norm_rms, .whole = 1, .nin = 2,
     .in = {IN(2, 3, 5), IN(5)}},
    {"embed from position 2", embed, .nin = 1, .in = {IN(7, 4)}},
    {"embed with learned positions", embed_learned, .nin = 2,
     .in = {IN(7, 4), IN(5, 4)}},
    {"embed without positions", embed_bare, .nin = 1, .in = {IN(7, 4)}},
    {"dropout", dropout, .drops = 1, .nin = 1, .in = {IN(3, 4, 5)}},
    {"residual", residual, .drops = 1, .nin = 2,
     .in = {IN(3, 4, 5), IN(3, 4, 5)}},
    {"pack twice, and two rows of zeros", pack_twice, .nin = 1,
     .in = {IN(3, 4, 5)}},
    {"unpack twice", unpack_twice, .nin = 1, .in = {IN(1, 9, 5)}},
    {"unpack each head, twice", unpack_twice, .nin = 1,
     .in = {IN(2, 1, 9, 5)}},
    {"residual of packed rows", residual_packed, .drops = 1, .nin = 2,
     .in = {IN(1, 9, 5), IN(1, 9, 5)}},
    {"mean", mean, .nin = 1, .in = {IN(3, 4, 5)}},
    {"vocab_loss, smoothed, unequal lengths", vocab_loss, .nin = 2,
     .in = {IN(3, 4, 5), IN(7, 5)}},
    {"vocab_loss", vocab_loss_plain, .nin = 2,
     .in = {IN(3, 4, 5), IN(7, 5)}},
    {"vocab_loss of scaled logits", vocab_loss_scaled, .nin = 2,
     .in = {IN(3, 4, 5), IN(7, 5)}},
    {"square_loss", square_loss, .nin = 1, .in = {IN(3, 1)}},
    {"class_loss, smoothed", class_loss, .nin = 1, .in = {IN(3, 5)}},
};

const int op_cases = sizeof op_case / sizeof *op_case;

void op_inputs(const struct op_case *c, struct arena *a, tensor *in[])
{
    for (int i = 0; i < c->nin; i++)
        in[i] = leaf_new(a, (uint64_t)i, c->in[i].nd, c->in[i].dim);
    if (!c->relu)
        return;
    leaf_positive(in[0]);
    leaf_columns(in[1]);
    leaf_fill(in[2]->x, tensor_len(in[2]), 0.05, 9);
}
