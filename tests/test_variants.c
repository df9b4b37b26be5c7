/* What must hold for every variant and mixture, as a whole attention layer. */
#include "harness/nn/cache.h"
#include "harness/nn/optim.h"
#include "tests/gradcheck.h"
#include "tests/layer.h"
#include "tests/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int lengths[LAYER_B] = {3, 4, 1};

/* Both masks, with and without lengths. */
static const struct mask { int causal; const int *length; } mask[] = {
    {0, NULL}, {1, NULL}, {0, lengths}, {1, lengths},
};
enum { MASKS = sizeof mask / sizeof *mask };

#ifdef REAL_DOUBLE

struct graph { struct layer *l; const struct mask *m; };

static tensor *build(struct tape *t, void *arg)
{
    const struct graph *g = arg;
    struct window w = {.keys = LAYER_ROWS, .causal = g->m->causal,
                       .length = g->m->length};

    return attention(g->l->attention, t, g->l->x, &w);
}

/* Away from the kinks of the inner relu. */
static void away(struct layer *l)
{
    const struct param *w = params_find(&l->params, "self.dense.w1");
    const struct param *b = params_find(&l->params, "self.dense.b1");

    leaf_positive(l->x);
    if (w)
        leaf_columns(w->value);
    if (b)
        leaf_fill(b->value->x, tensor_len(b->value), 0.05, 7);
}

static void gradient(void **state)
{
    struct layer l;
    tensor *wrt[64];
    int n = 0;

    layer_open(&l, *state);
    away(&l);
    wrt[n++] = l.x;
    for (int i = 0; i < l.view.n; i++)
        if (l.view.list[i].kind == PARAM_LEARNED)
            wrt[n++] = l.view.list[i].value;
    for (int i = 0; i < MASKS; i++) {
        struct graph g = {&l, &mask[i]};

        assert_gradient(*state, l.tape, 0, build, &g, n, wrt);
        assert_gradient(*state, l.tape, 0.3, build, &g, n, wrt);
    }
    layer_close(&l);
}

#endif

static void formula_of(struct layer *l, const char *what)
{
    for (int i = 0; i < MASKS; i++) {
        tensor *y = layer_run(l, TAPE_EVAL, l->x, mask[i].causal,
                              mask[i].length);

        assert_near(what, y->x,
                    layer_formula(l, l->x, mask[i].causal, mask[i].length),
                    LAYER_X, 3 * CLOSE);
    }
}

static void formula(void **state)
{
    struct model_config c = layer_config;
    struct layer l;

    layer_open(&l, *state);
    formula_of(&l, *state);
    layer_close(&l);
    c.dense_bias = c.dot_scale = 0; /* what has no such setting stays */
    c.heads = 4;
    layer_open_as(&l, *state, &c);
    formula_of(&l, *state);
    layer_close(&l);
}

static void causal(void **state)
{
    struct layer l;
    real before[LAYER_X], *x;

    layer_open(&l, *state);
    x = l.x->x;
    memcpy(before, layer_run(&l, TAPE_EVAL, l.x, 1, NULL)->x, sizeof before);
    for (int j = LAYER_ROWS - 1; j >= 0; j--) {
        for (int b = 0; b < LAYER_B; b++)
            leaf_fill(x + (b * LAYER_ROWS + j) * LAYER_D, LAYER_D, 30,
                      (uint64_t)(50 + j));
        const real *y = layer_run(&l, TAPE_EVAL, l.x, 1, NULL)->x;
        for (int b = 0; b < LAYER_B; b++) {
            size_t at = (size_t)(b * LAYER_ROWS) * LAYER_D;

            assert_bits(*state, y + at, before + at, (size_t)(j * LAYER_D));
            at += (size_t)(j * LAYER_D);
            assert_memory_not_equal(y + at, before + at, sizeof *y * LAYER_D);
        }
    }
    layer_close(&l);
}

/* Row by row through a cache, as decoding does. */
static void incremental(void **state)
{
    struct layer l;
    real full[LAYER_X], row[LAYER_B * LAYER_D];
    tensor one = {.nd = 3, .dim = {LAYER_B, 1, LAYER_D}, .x = row};

    layer_open(&l, *state);
    memcpy(full, layer_run(&l, TAPE_EVAL, l.x, 1, NULL)->x, sizeof full);
    struct cache *cache = cache_new(l.memory, &backend_cpu, LAYER_B, LAYER_N);
    for (int i = 0; i < LAYER_ROWS; i++) {
        struct window w = {.from = i, .keys = LAYER_N, .causal = 1,
                           .cache = cache};

        for (int b = 0; b < LAYER_B; b++)
            memcpy(row + b * LAYER_D,
                   l.x->x + (b * LAYER_ROWS + i) * LAYER_D,
                   sizeof *row * LAYER_D);
        tape_begin(l.tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
        cache_begin(cache);
        tensor *y = attention(l.attention, l.tape, &one, &w);
        for (int b = 0; b < LAYER_B; b++)
            assert_reals(*state, y->x + b * LAYER_D,
                         full + (b * LAYER_ROWS + i) * LAYER_D, LAYER_D,
                         CLOSE);
    }
    layer_close(&l);
}

/* Each sentence alone, cut to its length, whatever its padding held. */
static void padding(void **state)
{
    struct layer l;
    real all[LAYER_X];

    layer_open(&l, *state);
    for (int c = 0; c < 2; c++) {
        memcpy(all, layer_run(&l, TAPE_EVAL, l.x, c, lengths)->x, sizeof all);
        for (int b = 0; b < LAYER_B; b++) {
            size_t at = (size_t)(b * LAYER_ROWS) * LAYER_D;
            tensor x = {.nd = 3, .dim = {1, lengths[b], LAYER_D},
                        .x = l.x->x + at};

            assert_reals(*state, all + at,
                         layer_run(&l, TAPE_EVAL, &x, c, NULL)->x,
                         tensor_len(&x), CLOSE);
        }
    }
    layer_close(&l);
}

/* ---- the weights ---- */

struct seen { struct mask m; int rows; };

static void see(void *arg, enum tape_place place, int layer,
                const struct attend *a, const real *p)
{
    struct seen *s = arg;
    int once = a->shared && !a->length && !a->kept;

    (void)place, (void)layer;
    for (int r = 0; r < a->h * (once ? 1 : a->b) * a->n; r++) {
        int b = r / a->n % a->b, i = r % a->n;
        double sum = 0;

        for (int j = 0; j < a->m; j++) {
            real w = p[r * a->m + j];
            int hidden = (s->m.length && j >= s->m.length[b]) ||
                         (s->m.causal && j > i);

            assert_true(w >= 0 && (w == 0 || !hidden));
            sum += (double)w;
        }
        assert_true(fabs(sum - 1) < CLOSE);
        s->rows++;
    }
}

static void weights(void **state)
{
    struct layer l;

    layer_open(&l, *state);
    for (int i = 0; i < MASKS; i++) {
        struct seen s = {.m = mask[i]};

        l.tape->watch = see;
        l.tape->watch_arg = &s;
        layer_run(&l, TAPE_EVAL, l.x, mask[i].causal, mask[i].length);
        assert_true(s.rows >= LAYER_HEADS * LAYER_ROWS);
    }
    layer_close(&l);
}

/* With W_v = W_o = I the values are X and the outputs the heads. */
static void hull(void **state)
{
    struct layer l;

    layer_open(&l, *state);
    for (int i = 0; i < LAYER_D * LAYER_D; i++)
        params_find(&l.params, "self.v")->value->x[i] =
            params_find(&l.params, "self.o")->value->x[i] =
                i % (LAYER_D + 1) == 0;
    const real *y = layer_run(&l, TAPE_EVAL, l.x, 0, lengths)->x;
    for (int b = 0; b < LAYER_B; b++)
        for (int i = 0; i < LAYER_ROWS * LAYER_D; i++) {
            const real *x = l.x->x + b * LAYER_ROWS * LAYER_D + i % LAYER_D;
            real low = *x, high = *x, got = y[b * LAYER_ROWS * LAYER_D + i];

            for (int j = 1; j < lengths[b]; j++) {
                low = (real)fmin((double)low, (double)x[j * LAYER_D]);
                high = (real)fmax((double)high, (double)x[j * LAYER_D]);
            }
            assert_true((double)got >= (double)low - CLOSE &&
                        (double)got <= (double)high + CLOSE);
        }
    layer_close(&l);
}

/* ---- training ---- */

static void step(struct layer *l, struct optim *o, uint64_t t)
{
    memset(l->view.grad, 0, l->params.learned * sizeof(real));
    tensor *y = layer_run(l, TAPE_TRAIN, l->x, 0, lengths);
    tape_backward(l->tape, weighted_sum(l->tape, y));
    for (int i = 0; i < o->units; i++)
        optim_step(o, i, l->view.grad, t, 0.01);
}

static void training(void **state)
{
    struct layer l;
    struct optim o;
    real *before[32];

    layer_open(&l, *state);
    optim_open(&o, &l.params, &layer_adam);
    for (int i = 0; i < l.params.n; i++) {
        size_t bytes = tensor_len(l.params.list[i].value) * sizeof(real);

        before[i] = memcpy(malloc(bytes), l.params.list[i].value->x, bytes);
    }
    for (uint64_t t = 1; t <= 3; t++)
        step(&l, &o, t);
    for (int i = 0; i < l.params.n; i++) {
        const struct param *p = &l.params.list[i];
        size_t n = tensor_len(p->value), at = (size_t)(p->value->x -
                                                       l.params.flat);
        int flat = p->value->x >= l.params.flat && at < l.params.learned;
        int moved = memcmp(before[i], p->value->x, n * sizeof(real)) != 0;

        if (flat != (p->kind == PARAM_LEARNED) || moved != flat ||
            (l.view.list[i].value->g != NULL) != flat)
            fail_msg("%s: in the optimiser %d, moved %d", p->name, flat,
                     moved);
        free(before[i]);
    }
    layer_close(&l);
}

/* One test a property and name. */
static const struct { const char *sentence; CMUnitTestFunction run; } all[] = {
#ifdef REAL_DOUBLE
    {"the gradient is right to 1e-7", gradient},
#endif
    {"the output is the formula's", formula},
    {"a later token changes no bit of an earlier output", causal},
    {"row by row it decodes what the full pass gives", incremental},
    {"padding changes nothing", padding},
    {"weights are positive, sum to 1 and keep to the mask", weights},
    {"outputs lie in the hull of the values", hull},
    {"training moves what is learned and not what is frozen", training},
};

enum { PROPERTIES = sizeof all / sizeof *all };

int main(void)
{
    static struct CMUnitTest test[LAYER_NAMES * PROPERTIES];
    static char sentence[LAYER_NAMES * PROPERTIES][128];
    const char *name[LAYER_NAMES];
    int names = layer_names(name);
    size_t n = 0;

    backend_cpu.thread_begin();
    for (int i = 0; i < names; i++)
        for (int p = 0; p < PROPERTIES; p++, n++) {
            snprintf(sentence[n], sizeof sentence[n], "%s: %s", name[i],
                     all[p].sentence);
            test[n] = (struct CMUnitTest){sentence[n], all[p].run, NULL, NULL,
                                          (void *)name[i]};
        }
    return _cmocka_run_group_tests("variants", test, n, NULL, NULL);
}
