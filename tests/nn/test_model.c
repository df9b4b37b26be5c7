/* Models of the three families: values and gradients. */
#include "tests/support/formula_model.h"
#include "tests/support/gradcheck.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "tests/support/tiny.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- values ---- */

/* Computes nll, hit and smoothed loss of row r of sentence b from the logits of
 * the row. */
static double one_row(const struct tiny *t, const double *logits, int target,
                      double nll, int hit)
{
    int v = t->c.family == FAMILY_ENCODER ? TINY_CLASSES : TINY_VOCAB;
    int best = 0;
    double want = formula_loss(logits, v, target, 0);

    for (int j = 1; j < v; j++)
        best = logits[j] > logits[best] ? j : best;
    if (!(fabs(nll - want) <= 10 * CLOSE * (1 + want)))
        fail_msg("%s: nll %.15g, not %.15g", t->formula.variant, nll, want);
    assert_int_equal(hit, best == target);
    return formula_loss(logits, v, target, t->c.label_smoothing);
}

/* Probe tasks have a loss only at the end of their targets. */
static const int prompts[TINY_B] = {1, 0, 3};

static struct input batch_of(const struct tiny *t)
{
    struct input in = tiny_batch(t->c.family);

    if (t->c.probe && in.m)
        in.prompt = prompts;
    return in;
}

static void values(struct tiny *t)
{
    struct input in = batch_of(t);
    double nll[TINY_B * TINY_TARGET], want = 0, logits[8 * TINY_VOCAB];
    unsigned char hit[TINY_B * TINY_TARGET];
    struct loss loss = {.scale = 1 / 9.0, .nll = nll, .hit = hit};

    memset(nll, 1, sizeof nll);
    tape_begin(t->tape, TAPE_EVAL, (struct rng_key){0}, 0, 0.5);
    tensor *root = model_loss(t->model, t->tape, &in, &loss);
    for (int b = 0; b < TINY_B; b++) {
        tiny_formula(t, b, logits);
        if (in.label)
            want += one_row(t, logits, in.label[b], nll[b], hit[b]);
        for (int i = 0; i < in.m; i++) {
            int at = b * in.m + i;

            if (i >= in.target_length[b] || (in.prompt && i < in.prompt[b]))
                assert_true(nll[at] == 0 && hit[at] == 0);
            else
                want += one_row(t, logits + i * TINY_VOCAB, in.target_out[at],
                                nll[at], hit[at]);
        }
    }
    assert_true(fabs(loss.sum - want / 9) <= 10 * CLOSE * want);
    assert_true(root->x[0] == (real)loss.sum);
}

/* Checks every variant of a family, with the configuration changed by
 * `change`. */
static void each_variant(enum family family,
                         struct model_config (*start)(enum family family),
                         void (*change)(struct model_config *c))
{
    const char *name[NAMES];
    int names = named_all(name);

    for (int i = 0; i < names; i++) {
        struct model_config c = start(family);
        struct mix mix = named_mix(name[i]);
        struct tiny t;

        if (change)
            change(&c);
        if (mix_fault(&mix, &c))
            continue;
        tiny_open(&t, &c, name[i]);
        values(&t);
        tiny_close(&t);
    }
}

static void differently(struct model_config *c)
{
    c->tied = !c->tied;
    c->dot_scale = c->dense_bias = 0;
    c->label_smoothing = 0;
    c->heads = 4;
    c->mix = MIX_WEIGHTS;
    c->inner = c->attention_bias = 1;
}

static void losses(void **state)
{
    enum family family = *(const enum family *)*state;

    each_variant(family, tiny_config, NULL);
    each_variant(family, tiny_config, differently);
}

/* Sets heads as in the released code, at small size: their width differs from
 * that of the decoder's cross-attention. */
static void released(struct model_config *c)
{
    c->cross_heads = 4;
    c->head_width = 3;
    c->mix = MIX_PLUS;
    c->share_q = 1;
}

static void sigmoid(struct model_config *c)
{
    c->mix = MIX_SIGMOID;
    c->position = POSITION_LEARNED;
}

static void t5_losses(void **state)
{
    enum family family = *(const enum family *)*state;

    each_variant(family, tiny_t5, NULL);
    each_variant(family, tiny_t5, released);
    each_variant(family, tiny_t5, sigmoid);
}

static void probe(struct model_config *c)
{
    c->probe = 1;
    c->layers = 1;
}

static void probe_losses(void **state)
{
    enum family family = *(const enum family *)*state;

    each_variant(family, tiny_config, probe);
    each_variant(family, tiny_t5, probe);
}

/* The readout of a probe is linear: if the weights do not depend on tokens, the
 * logits of the mean of two memories are the mean of the logits. */
static void probe_adds(void **state)
{
    struct model_config c = tiny_config(FAMILY_LM);
    static const int rows[4][TINY_TARGET] = {
        {1, 4, 6, 9}, {1, 5, 6, 9}, {1, 4, 7, 9}, {1, 5, 7, 9}};
    struct window w = {.keys = TINY_TARGET, .causal = 1};
    struct tiny t;

    (void)state;
    probe(&c);
    for (int vanilla = 0; vanilla < 2; vanilla++) {
        double far = 0;

        tiny_open(&t, &c, vanilla ? "vanilla" : "random");
        tape_begin(t.tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
        tensor *y = model_logits(t.model, t.tape,
                                 model_decode(t.model, t.tape, rows[0], 4,
                                              TINY_TARGET, &w, NULL, NULL));
        for (int v = 0; v < TINY_VOCAB; v++) {
            double x[4];

            for (int r = 0; r < 4; r++)
                x[r] = (double)y->x[(r * TINY_TARGET + TINY_TARGET - 1) *
                                    TINY_VOCAB + v];
            far = fmax(far, fabs(x[0] - x[1] - x[2] + x[3]));
        }
        assert_true(vanilla ? far > 0.01 : far < CLOSE * 100);
        tiny_close(&t);
    }
}

/* classes = 1 is regression: the loss is the mean of (y - value)^2. */
static void regression(void **state)
{
    static const float value[TINY_B] = {0.5F, -2, 3.25F};
    struct model_config c = tiny_config(FAMILY_ENCODER);
    struct input in = tiny_batch(FAMILY_ENCODER);
    struct loss loss = {.scale = 1.0 / TINY_B};
    double want = 0, y;
    struct tiny t;

    (void)state;
    c.classes = 1;
    in.value = value;
    tiny_open(&t, &c, "dense");
    tape_begin(t.tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    model_loss(t.model, t.tape, &in, &loss);
    for (int b = 0; b < TINY_B; b++) {
        tiny_formula(&t, b, &y);
        want += (y - (double)value[b]) * (y - (double)value[b]) / TINY_B;
    }
    assert_true(fabs(loss.sum - want) <= 10 * CLOSE * want);
    tiny_close(&t);
}

/* Replaces the ids of the padding. */
static void padding(void **state)
{
    enum family family = *(const enum family *)*state;
    struct model_config c = tiny_config(family);
    struct input in = tiny_batch(family);
    struct loss a = {.scale = 1}, b = {.scale = 1};
    int source[TINY_B * TINY_SOURCE], target[TINY_B * TINY_TARGET];
    struct tiny t;

    tiny_open(&t, &c, "random+vanilla");
    tape_begin(t.tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    model_loss(t.model, t.tape, &in, &a);
    for (int i = 0; i < TINY_B * in.n; i++)
        source[i] = i % in.n < in.source_length[i / in.n] ? in.source[i] : 7;
    for (int i = 0; i < TINY_B * in.m; i++)
        target[i] = i % in.m < in.target_length[i / in.m] ? in.target_in[i]
                                                          : 7;
    in.source = in.n ? source : NULL;
    in.target_in = in.m ? target : NULL;
    tape_begin(t.tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    model_loss(t.model, t.tape, &in, &b);
    assert_true(a.sum == b.sum);
    tiny_close(&t);
}

/* Counts the dropout sites of a stack: the embeddings; in each of two layers
 * the weights of two heads, two residual sums and the inner layer:
 * 1 + 2 (2 + 2 + 1) = 11. Cross-attention adds two heads and a sum per layer:
 * 2 x 3 = 6. */
static void dropout(void **state)
{
    static const unsigned sites[] = {[FAMILY_SEQ2SEQ] = 11 + 11 + 6,
                                     [FAMILY_LM] = 11, [FAMILY_ENCODER] = 11};
    enum family family = *(const enum family *)*state;
    struct model_config c = tiny_config(family);
    struct input in = tiny_batch(family);
    struct loss loss = {.scale = 1};
    struct tiny t;

    tiny_open(&t, &c, "vanilla");
    tape_begin(t.tape, TAPE_TRAIN, (struct rng_key){0}, 0, 0.1);
    model_loss(t.model, t.tape, &in, &loss);
    assert_int_equal(t.tape->key.site, sites[family]);
    tape_begin(t.tape, TAPE_EVAL, (struct rng_key){0}, 0, 0.1);
    model_loss(t.model, t.tape, &in, &loss);
    assert_int_equal(t.tape->key.site, 0);
    tiny_close(&t);
}

/* ---- gradients ---- */

#ifdef REAL_DOUBLE

/* Sets biases of +-1 and small weights, so that no inner relu is near its
 * kink. */
static void away(const struct params *ps)
{
    for (int i = 0; i < ps->n; i++) {
        const char *leaf = strrchr(ps->list[i].name, '.');
        tensor *w = ps->list[i].value;

        for (size_t j = 0; j < tensor_len(w); j++) {
            if (!strcmp(leaf, ".b1"))
                w->x[j] = j % 3 == 1 ? -1 : 1;
            if (!strcmp(leaf, ".w1"))
                w->x[j] *= (real)0.1;
        }
    }
}

struct graph { const struct tiny *t; struct input in; };

static tensor *build(struct tape *t, void *arg)
{
    const struct graph *g = arg;
    struct loss loss = {.scale = 0.2};

    return model_loss(g->t->model, t, &g->in, &loss);
}

static void gradient_of(const char *variant, const struct model_config *c,
                        double dropout)
{
    struct tiny t;
    tensor *wrt[160];
    int n = 0;

    tiny_open(&t, c, variant);
    away(&t.params);
    for (int p = 0; p < t.view.n; p++)
        if (t.view.list[p].kind == PARAM_LEARNED)
            wrt[n++] = t.view.list[p].value;
    struct graph g = {&t, batch_of(&t)};
    assert_gradient(variant, t.tape, dropout, build, &g, n, wrt);
    tiny_close(&t);
}

static void gradient(void **state)
{
    enum family family = *(const enum family *)*state;
    struct model_config c = tiny_config(family);

    gradient_of("random+dense", &c, 0.2);
    c.layers = 1;
    c.label_smoothing = 0;
    c.position = POSITION_LEARNED;
    gradient_of("orthogonal", &c, 0);
    gradient_of("dynamic-conv", &c, 0.2);
}

static void t5_gradient(void **state)
{
    enum family family = *(const enum family *)*state;
    struct model_config c = tiny_t5(family);

    c.ffn_bias = 1; /* otherwise some inner relu is near its kink */
    gradient_of("factorized-random+vanilla", &c, 0.2);
    c.layers = 1;
    c.head_width = 3;
    c.cross_heads = 4;
    c.mix = MIX_WEIGHTS;
    gradient_of("random+vanilla", &c, 0);
}

static void probe_gradient(void **state)
{
    enum family family = *(const enum family *)*state;
    struct model_config c = tiny_config(family);

    probe(&c);
    gradient_of("random+dense", &c, 0.2);
    c = tiny_t5(family);
    probe(&c);
    gradient_of("vanilla", &c, 0);
}

#endif

int main(void)
{
    static const enum family family[] = {FAMILY_SEQ2SEQ, FAMILY_LM,
                                         FAMILY_ENCODER};
    static const struct { const char *sentence; CMUnitTestFunction run; }
    each[] = {
        {"the loss of every variant equals the formula", losses},
        {"t5: the loss of every variant equals the formula", t5_losses},
        {"the ids of padding do not change the loss", padding},
        {"dropout acts at every site, in training only", dropout},
#ifdef REAL_DOUBLE
        {"the gradient by every parameter is right to 1e-7", gradient},
        {"t5: the gradient by every parameter is right to 1e-7", t5_gradient},
#endif
    };
    static void *const lm = (void *)&family[1], *const encoder =
        (void *)&family[2];
    const struct CMUnitTest more[] = {
        {"encoder: with one class the loss is a squared error", regression,
         NULL, NULL, NULL},
        {"lm: the loss of a probe equals the formula, without prompts",
         probe_losses, NULL, NULL, lm},
        {"encoder: the loss of a probe equals the formula", probe_losses, NULL,
         NULL, encoder},
        {"lm: a probe is additive unless its weights depend on tokens",
         probe_adds, NULL, NULL, NULL},
#ifdef REAL_DOUBLE
        {"lm: the gradient of a probe is right to 1e-7", probe_gradient, NULL,
         NULL, lm},
        {"encoder: the gradient of a probe is right to 1e-7", probe_gradient,
         NULL, NULL, encoder},
#endif
    };
    enum { EACH = sizeof each / sizeof *each,
           MORE = sizeof more / sizeof *more };
    static char sentence[3 * EACH][96];
    struct CMUnitTest test[MORE + 3 * EACH];

    memcpy(test, more, sizeof more);

    backend_cpu.thread_begin();
    for (int i = 0; i < 3 * EACH; i++) {
        snprintf(sentence[i], sizeof sentence[i], "%s: %s",
                 tiny_family[i / EACH], each[i % EACH].sentence);
        test[MORE + i] = (struct CMUnitTest){sentence[i], each[i % EACH].run,
                                          NULL, NULL,
                                          (void *)&family[i / EACH]};
    }
    return _cmocka_run_group_tests("model", test, MORE + 3 * EACH, NULL, NULL);
}
