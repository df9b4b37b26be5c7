#include "tests/op_case.h"

#include "tests/leaf.h"

/* Three sentences of four positions; the second one is empty. */
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

    return ad_mix(t, 4, part, in[0]);
}

static tensor *mix_shared(struct tape *t, tensor *const in[])
{
    return ad_mix(t, 3, in + 1, in[0]);
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
    return ad_attend(t, in[0], in[1], (struct keys){1, 1, unequal});
}

static tensor *norm(struct tape *t, tensor *const in[])
{
    return ad_norm(t, in[0], in[1], in[2], 1e-6);
}

static tensor *embed(struct tape *t, tensor *const in[])
{
    static const int id[] = {0, 6, 3, 3, 1, 6};
    static real wave[5 * 4];
    static const tensor waves = {.nd = 2, .dim = {5, 4}, .x = wave};

    leaf_fill(wave, 5 * 4, 1, 77);
    return ad_embed(t, in[0], &waves, id, 2, 3, 2, 1.5);
}

static tensor *dropout(struct tape *t, tensor *const in[])
{
    return ad_dropout(t, in[0]);
}

static tensor *residual(struct tape *t, tensor *const in[])
{
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
    {"norm", norm, .whole = 1, .nin = 3, .in = {IN(2, 3, 5), IN(5), IN(5)}},
    {"embed from position 2", embed, .nin = 1, .in = {IN(7, 4)}},
    {"dropout", dropout, .drops = 1, .nin = 1, .in = {IN(3, 4, 5)}},
    {"residual", residual, .drops = 1, .nin = 2,
     .in = {IN(3, 4, 5), IN(3, 4, 5)}},
    {"mean", mean, .nin = 1, .in = {IN(3, 4, 5)}},
    {"vocab_loss, smoothed, unequal lengths", vocab_loss, .nin = 2,
     .in = {IN(3, 4, 5), IN(7, 5)}},
    {"vocab_loss", vocab_loss_plain, .nin = 2,
     .in = {IN(3, 4, 5), IN(7, 5)}},
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
