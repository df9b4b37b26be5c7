#include "tests/layer.h"

#include "harness/base/err.h"
#include "tests/leaf.h"

#include <string.h>

#define VARIANT(v) extern const struct variant variant_##v;
#include "variants/list.h"
#undef VARIANT

static const struct variant *const all[] = {
#define VARIANT(v) &variant_##v,
#include "variants/list.h"
#undef VARIANT
};

static const char *const mixtures[] = {
    "random+dense", "dense+vanilla", "random+vanilla",
    "factorized-random+vanilla", "random+dense+vanilla",
    "uniform+factorized-dense+orthogonal",
};

enum {
    VARIANTS = sizeof all / sizeof *all,
    MIXTURES = sizeof mixtures / sizeof *mixtures
};

int layer_names(const char *name[LAYER_NAMES])
{
    REQUIRE(VARIANTS + MIXTURES <= LAYER_NAMES, "%d variants", VARIANTS);
    for (int i = 0; i < VARIANTS; i++)
        name[i] = all[i]->name;
    for (int i = 0; i < MIXTURES; i++)
        name[VARIANTS + i] = mixtures[i];
    return VARIANTS + MIXTURES;
}

const struct model_config layer_config = {
    .d = LAYER_D, .heads = LAYER_HEADS, .N = LAYER_N, .dense_bias = 1,
    .rank = LAYER_RANK, .dot_scale = 1, .r_scale = 1,
};

const struct optim_rule layer_adam = {.b1 = 0.9, .b2 = 0.997, .eps = 1e-9};

static const struct variant *find(const char *name, size_t n)
{
    for (int i = 0; i < VARIANTS; i++)
        if (strlen(all[i]->name) == n && !strncmp(all[i]->name, name, n))
            return all[i];
    err_abort(__FILE__, __LINE__, "variant", "no variant %s", name);
}

struct mix layer_mix(const char *name)
{
    struct mix m = {0};

    for (const char *s = name;;) {
        size_t n = strcspn(s, "+");

        REQUIRE(m.n < MIX_PARTS, "%s: too many parts", name);
        m.part[m.n++] = find(s, n);
        if (!s[n])
            return m;
        s += n + 1;
    }
}

static struct attention *declare(struct layer *l, struct params *ps)
{
    params_push(ps, "self");
    struct attention *a = attention_new(&l->mix, &l->c, ps);
    params_pop(ps);
    return a;
}

void layer_open_as(struct layer *l, const char *name,
                   const struct model_config *c)
{
    int dim[] = {LAYER_B, LAYER_ROWS, LAYER_D};

    memset(l, 0, sizeof *l);
    l->c = *c;
    l->mix = layer_mix(name);
    params_count(&l->plan);
    declare(l, &l->plan);
    params_open(&l->params, &l->plan, &backend_cpu, 1);
    declare(l, &l->params);
    for (int i = 0; i < l->params.n; i++)
        if (l->params.list[i].kind == PARAM_LEARNED)
            leaf_fill(l->params.list[i].value->x,
                      tensor_len(l->params.list[i].value), 0.6,
                      (uint64_t)(100 + i));
    params_view(&l->view, &l->params);
    l->attention = declare(l, &l->view);
    l->tape = tape_new(&backend_cpu);
    l->memory = arena_new();
    l->x = leaf_new(l->memory, 99, 3, dim);
    l->formula = (struct formula){&l->params, &l->c, name, l->memory};
}

void layer_open(struct layer *l, const char *name)
{
    layer_open_as(l, name, &layer_config);
}

void layer_close(struct layer *l)
{
    params_close(&l->view);
    params_close(&l->params);
    params_close(&l->plan);
    tape_free(l->tape);
    arena_free(l->memory);
}

tensor *layer_run(struct layer *l, enum tape_mode mode, tensor *x, int causal,
                  const int *length)
{
    struct window w = {.keys = x->dim[1], .causal = causal, .length = length};

    tape_begin(l->tape, mode, (struct rng_key){0}, 0, 0);
    return attention(l->attention, l->tape, x, &w);
}

/* out = (softmax(B) V) W_o */
tensor *layer_scores(const tensor *y) { return y->in[0]->in[0]; }

double *layer_formula(struct layer *l, const tensor *x, int causal,
                      const int *length)
{
    int n = x->dim[1], d = x->dim[2];
    size_t all_x = tensor_len(x), one = (size_t)(n * d);
    double *in = arena_take(l->memory, all_x * sizeof *in);
    double *out = arena_take(l->memory, all_x * sizeof *out);

    for (size_t i = 0; i < all_x; i++)
        in[i] = (double)x->x[i];
    for (int b = 0; b < x->dim[0]; b++)
        formula_attention(&l->formula, "self", in + (size_t)b * one, n,
                          length ? length[b] : n, causal,
                          out + (size_t)b * one);
    return out;
}
