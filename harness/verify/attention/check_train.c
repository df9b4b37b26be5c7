/* check_train: the properties `frozen`, `moves`, `triangle` and `orthogonal`,
 * which verify.c runs.  They concern the effects of training on the
 * parameters. */
#include "harness/nn/optim.h"
#include "harness/verify/attention/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 3 };

static const struct optim_rule rules[] = {
    {.kind = OPTIM_ADAM, .b1 = 0.9, .b2 = 0.997, .eps = 1e-9,
     .score_rate = 1},
    {.kind = OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3,
     .clip = 1, .factor_min = 4, .score_rate = 1},
};
enum { RULES = sizeof rules / sizeof *rules };
static const char *const rule_text[] = {[OPTIM_ADAM] = "Adam",
                                        [OPTIM_ADAFACTOR] = "Adafactor"};

static void train(struct layer *l, const struct optim_rule *rule)
{
    struct optim o;

    optim_open(&o, &l->params, rule);
    for (uint64_t t = 1; t <= STEPS; t++) {
        layer_backward(l, &layer_mask[2]);
        for (int u = 0; u < o.units; u++)
            optim_step(&o, u, l->view.grad, t, 0.01);
    }
}

static void *copy(struct layer *l, const tensor *w)
{
    size_t bytes = tensor_len(w) * sizeof(real);

    return memcpy(arena_take(l->memory, bytes), w->x, bytes);
}

/* Adds to m->value the number of parameters of `kind` that break its rule:
 * frozen parameters that change or have a gradient, or learned parameters that
 * do not change. */
static void each(const struct subject *s, const struct backend *be,
                 enum param_kind kind, struct gauge *m)
{
    for (int r = 0; r < RULES; r++) {
        struct layer l;

        layer_open(&l, s, &layer_config[0], be);
        real **before = arena_take(l.memory,
                                   (size_t)l.params.n * sizeof *before);
        for (int i = 0; i < l.params.n; i++)
            before[i] = copy(&l, l.params.list[i].value);
        train(&l, &rules[r]);
        for (int i = 0; i < l.params.n; i++) {
            const struct param *p = &l.params.list[i];
            size_t bytes = tensor_len(p->value) * sizeof(real);
            int same = !memcmp(before[i], p->value->x, bytes);
            int state = l.view.list[i].value->g != NULL;

            if (p->kind != kind || (kind == PARAM_FROZEN ? same && !state
                                                         : !same))
                continue;
            m->value++;
            snprintf(m->where, sizeof m->where, "%.60s %s after %d steps of %s",
                     p->name, same ? "has not changed" : "has changed", STEPS,
                     rule_text[rules[r].kind]);
        }
        layer_close(&l);
    }
}

/* ---- frozen ---- */

/* Returns true if the formulas say that the variant has frozen values. */
static int should_freeze(const struct subject *s)
{
    return formula_knows(s->variant) &&
           formula_frozen(&layer_config[0], s->variant) > 0;
}

static int freezes(const struct subject *s)
{
    struct layer l;

    layer_open(&l, s, &layer_config[0], &backend_cpu);
    size_t n = params_total(&l.params, PARAM_FROZEN);
    layer_close(&l);
    return n > 0;
}

static const char *nothing_frozen(const struct subject *s)
{
    return should_freeze(s) || freezes(s) ? NULL : "nothing is frozen";
}

static void frozen(const struct subject *s, const struct backend *be,
                   struct gauge *m)
{
    if (!freezes(s)) {
        m->value = 1;
        snprintf(m->where, sizeof m->where, "values that must be frozen are "
                 "learned");
        return;
    }
    each(s, be, PARAM_FROZEN, m);
}

const struct property property_frozen = {
    .name = "frozen",
    .title = "frozen tensors that change or have a gradient",
    .excuse = nothing_frozen,
    .whole = frozen};

/* ---- moves ---- */

static void moves(const struct subject *s, const struct backend *be,
                  struct gauge *m)
{
    each(s, be, PARAM_LEARNED, m);
}

const struct property property_moves = {
    .name = "still",
    .title = "learned tensors that do not change",
    .whole = moves};

/* ---- triangle ---- */

/* Returns the learned parameter R (h,N,N), or NULL. */
static const tensor *table_of(const struct params *ps)
{
    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];

        if (p->kind == PARAM_LEARNED && p->value->nd == 3 &&
            p->value->dim[1] == LAYER_N && p->value->dim[2] == LAYER_N)
            return p->value;
    }
    return NULL;
}

static const char *no_table(const struct subject *s)
{
    OWNED(params_close) struct params plan;
    struct model_config c = layer_config[0];

    c.mix = s->rule;
    params_count(&plan);
    attention_new(&s->mix, &c, &plan);
    const tensor *r = table_of(&plan);
    return r ? NULL : "has no learned R";
}

static void triangle(struct layer *l, const struct mask *mask,
                     struct gauge *m)
{
    const tensor *r = table_of(&l->view);

    layer_backward(l, mask);
    const real *g = r->g;
    for (int e = 0; e < (int)tensor_len(r); e++) {
        int i = e / LAYER_N % LAYER_N, j = e % LAYER_N;

        if (i >= LAYER_ROWS || j > i)
            measure_worst(m, fabs((double)g[e]), "R(%d,%d) has gradient %g", i,
                          j, (double)g[e]);
    }
}

const struct property property_triangle = {
    .name = "upper",
    .title = "in a decoder, R has no gradient above the diagonal or beyond n",
    .excuse = no_table,
    .masks = MASK_CAUSAL,
    .run = triangle};

/* ---- orthogonal ---- */

static const char *const methods[] = {LINALG_METHODS(NAMES_WORD)};
enum { METHODS = sizeof methods / sizeof *methods };

static const char *not_orthogonal(const struct subject *s)
{
    for (int i = 0; i < s->mix.n; i++) {
        const struct formula_rule *r = formula_rule(s->mix.part[i]->name);

        if (r && r->orthonormal)
            return NULL;
    }
    return "has no orthogonal matrix";
}

/* Returns |W^T W - I|_max within blocks of `block` columns of w (d,d). */
static double skew(const tensor *w, int block)
{
    double worst = 0;

    for (int a = 0; a < LAYER_D; a++)
        for (int b = a / block * block; b <= a; b++) {
            double sum = a == b ? -1 : 0;

            for (int i = 0; i < LAYER_D; i++)
                sum += (double)w->x[i * LAYER_D + a] *
                       (double)w->x[i * LAYER_D + b];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

/* Returns the worst skew of the frozen matrices, in blocks as the formulas of
 * their parts define them. */
static double skew_of(const struct params *ps, const struct subject *s)
{
    double worst = 0;

    for (int i = 0; i < s->mix.n; i++) {
        const struct formula_rule *r = formula_rule(s->mix.part[i]->name);
        char within[64];

        snprintf(within, sizeof within, ".%s.", s->mix.part[i]->name);
        for (int k = 0; r && r->orthonormal && k < ps->n; k++)
            if (strstr(ps->list[k].name, within))
                worst = fmax(worst, skew(ps->list[k].value,
                                         r->orthonormal == ORTHONORMAL_ALL
                                             ? LAYER_D : LAYER_K));
    }
    return worst;
}

static void orthogonal(const struct subject *s, const struct backend *be,
                       struct gauge *m)
{
    for (int method = 0; method < METHODS; method++) {
        struct model_config c = layer_config[0];
        struct layer l;

        c.orthogonal = (enum linalg_method)method;
        layer_open(&l, s, &c, be);
        measure_worst(m, skew_of(&l.params, s), "%s", methods[method]);
        train(&l, &rules[0]);
        measure_worst(m, skew_of(&l.params, s), "%s, after training",
                      methods[method]);
        layer_close(&l);
    }
}

const struct property property_orthogonal = {
    .name = "orthog",
    .title = "|W^T W - I| for every method, before and after training",
    .excuse = not_orthogonal,
    .bound = sizeof(real) == sizeof(double) ? 1e-12 : 1e-6,
    .whole = orthogonal};
