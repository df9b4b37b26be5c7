#include "tests/support/tiny.h"

#include "tests/support/formula_model.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"

#include <string.h>

const char *const tiny_family[3] = {"seq2seq", "lm", "encoder"};

static const int source[] = {3, 9, 4, 4, 1,  7, 5, 1, 0, 0,  1, 0, 0, 0, 0};
static const int source_length[] = {5, 3, 1};
static const int target_in[] = {1, 8, 0, 0,  1, 3, 10, 5,  1, 6, 6, 0};
static const int target_out[] = {8, 1, 0, 0,  3, 10, 5, 1,  6, 6, 1, 0};
static const int target_length[] = {2, 4, 3};
static const int label[] = {2, 0, 1};

struct model_config tiny_config(enum family family)
{
    return (struct model_config){
        .family = family, .layers = 2, .d = TINY_D, .heads = 2, .ff = 10,
        .N = TINY_N, .vocab = TINY_VOCAB, .classes = TINY_CLASSES,
        .tied = family != FAMILY_LM, .dense_bias = 1, .rank = 2,
        .dot_scale = 1, .r_scale = 1, .norm_eps = 1e-6,
        .ffn_bias = 1, .embed_scale = 1, .conv_width = {2, {3, 4}},
        .projection = 2,
        .label_smoothing = 0.1,
    };
}

struct model_config tiny_t5(enum family family)
{
    struct model_config c = tiny_config(family);

    c.tied = c.logit_scale = c.relative_bias = 1;
    c.ffn_bias = c.embed_scale = c.dot_scale = 0;
    c.norm = NORM_RMS;
    c.position = POSITION_NONE;
    c.init = INIT_FAN_IN;
    c.relative_buckets = 8;
    c.relative_distance = 6;
    c.label_smoothing = 0;
    return c;
}

static void perturb(const struct params *ps)
{
    for (int i = 0; i < ps->n; i++) {
        const tensor *w = ps->list[i].value;
        size_t n = tensor_len(w);
        real add[512];

        if (ps->list[i].kind == PARAM_FROZEN)
            continue;
        for (size_t at = 0; at < n; at += 512) {
            size_t some = n - at < 512 ? n - at : 512;

            leaf_fill(add, some, 0.2, (uint64_t)i * 1000 + at);
            for (size_t j = 0; j < some; j++)
                w->x[at + j] += add[j];
        }
    }
}

void tiny_open(struct tiny *t, const struct model_config *c,
               const char *variant)
{
    memset(t, 0, sizeof *t);
    t->c = *c;
    t->mix = named_mix(variant);
    params_count(&t->plan);
    model_new(&t->c, &t->mix, &t->plan);
    params_open(&t->params, &t->plan, &backend_cpu, 1);
    model_new(&t->c, &t->mix, &t->params);
    perturb(&t->params);
    params_view(&t->view, &t->params);
    t->model = model_new(&t->c, &t->mix, &t->view);
    t->tape = tape_new(&backend_cpu);
    t->memory = arena_new();
    formula_open(&t->formula, &t->params, &t->c, variant);
}

void tiny_close(struct tiny *t)
{
    formula_close(&t->formula);
    params_close(&t->view);
    params_close(&t->params);
    params_close(&t->plan);
    tape_free(t->tape);
    arena_free(t->memory);
}

struct input tiny_batch(enum family family)
{
    struct input in = {.b = TINY_B};

    if (family != FAMILY_LM) {
        in.n = TINY_SOURCE;
        in.source = source;
        in.source_length = source_length;
    }
    if (family != FAMILY_ENCODER) {
        in.m = TINY_TARGET;
        in.target_in = target_in;
        in.target_out = target_out;
        in.target_length = target_length;
    } else {
        in.label = label;
    }
    return in;
}

struct input tiny_sentence(enum family family, int b)
{
    struct input in = tiny_batch(family);

    in.b = 1;
    if (family != FAMILY_LM) {
        in.n = source_length[b];
        in.source += b * TINY_SOURCE;
        in.source_length += b;
    }
    if (family != FAMILY_ENCODER) {
        in.m = target_length[b];
        in.target_in += b * TINY_TARGET;
        in.target_out += b * TINY_TARGET;
        in.target_length += b;
    } else {
        in.label += b;
    }
    return in;
}

void tiny_formula(struct tiny *t, int b, double *out)
{
    struct input in = tiny_sentence(t->c.family, b);
    double *memory = NULL, y[TINY_TARGET * TINY_D], x[TINY_SOURCE * TINY_D];

    if (in.n) {
        memory = x;
        formula_encode(&t->formula, in.source, in.n, in.n, memory);
    }
    if (in.label) {
        formula_classify(&t->formula, memory, in.n, out);
        return;
    }
    formula_decode(&t->formula, in.target_in, in.m, memory, in.n, in.n, y);
    formula_logits(&t->formula, y, in.m, out);
}
