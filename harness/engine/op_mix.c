/*
 * mix    Y = sum_i w_i X_i + P, where the rule says how w is computed from a:
 *
 *     logits, weights    w = softmax(a)
 *     sigmoid            w = (1 - s, s), s = 1 / (1 + exp(-a))
 *     plus               w = 1
 *
 * Under the rule heads, Y = (X_1; X_2; ...) + P: the parts are concatenated
 * along the first dimension, and a is NULL.
 */
#include "harness/base/err.h"
#include "harness/engine/form.h"
#include "harness/engine/ops.h"

enum { MOST = MIX_PARTS_MOST }; /* y->in: a, MOST parts, P */

/* w and gw are buffers of MOST values; if w is NULL, all weights are 1. */
struct mixed { enum mix_rule rule; struct mix_sum sum; double *w, *gw; };

/* Returns the description of part p, whose first head is head `first` of y. */
static struct mix_part part_of(const tensor *y, const tensor *p, int first)
{
    size_t len = tensor_len(p) / ((size_t)p->dim[0] * (size_t)p->dim[1]);
    size_t want = tensor_len(y) / ((size_t)y->dim[0] * (size_t)y->dim[1]);

    REQUIRE(first + p->dim[0] <= y->dim[0] && len == want &&
                (p->dim[1] == 1 || p->dim[1] == y->dim[1]),
            "blocks of %zu and %zu elements", len, want);
    return (struct mix_part){p->dim[0], p->dim[1], first};
}

static struct mix_sum sum_of(const tensor *y, enum mix_rule rule, int parts)
{
    const tensor *const *x = (const tensor *const *)y->in + 1;
    size_t blocks = (size_t)y->dim[0] * (size_t)y->dim[1];
    struct mix_sum s = {.parts = parts, .h = y->dim[0], .b = y->dim[1],
                        .len = tensor_len(y) / blocks};

    for (int i = 0, first = 0; i < parts; i++) {
        s.of[i] = part_of(y, x[i], first);
        first += rule == MIX_HEADS ? x[i]->dim[0] : 0;
    }
    if (x[MOST])
        s.of[parts] = part_of(y, x[MOST], 0);
    return s;
}

static void mix_back(struct tape *t, tensor *y)
{
    const struct mixed *m = y->aux;
    tensor *a = y->in[0], *plus = y->in[1 + MOST];
    int parts = m->sum.parts;

    for (int i = 0; i < parts; i++) {
        tensor *x = y->in[1 + i];

        if (x->g || m->w)
            t->be->mix_back(&m->sum, i, m->w, y->g, x->x, x->g, m->gw);
    }
    if (plus && plus->g)
        t->be->mix_back(&m->sum, parts, NULL, y->g, plus->x, plus->g, NULL);
    if (a && a->g)
        t->be->mix_weights_back(parts, m->rule == MIX_SIGMOID, m->w, m->gw,
                                a->g);
}

static void weigh(struct tape *t, struct mixed *m, const tensor *a)
{
    size_t bytes = MOST * sizeof *m->w;

    m->w = arena_take(t->data, bytes);
    m->gw = arena_take(t->data, bytes);
    t->be->mix_weights(m->sum.parts, m->rule == MIX_SIGMOID, a->x, m->w);
}

static void mix_make(struct tape *t, tensor *y)
{
    const struct mixed *m = y->aux;
    const real *value[MOST + 1] = {NULL};

    for (int i = 0; i <= MOST; i++)
        if (y->in[1 + i]) {
            tape_form(t, y->in[1 + i]);
            value[i] = y->in[1 + i]->x;
        }
    t->be->mix(&m->sum, m->w, value[0], value[1], value[2], value[3],
               value[MOST], y->x);
}

/* Adds the parts of scores x to f.  They get weight `weight`, and cover the
 * heads from `first` on. */
static void add_parts(struct form *f, const tensor *x, int weight, int first)
{
    struct form more = form_of(x);

    REQUIRE(f->parts + more.parts <= SCORE_PARTS && !more.a,
            "a mixture of too many parts");
    for (int i = 0; i < more.parts; i++) {
        more.part[i].as.weight = weight;
        more.part[i].as.first += first;
        f->part[f->parts++] = more.part[i];
    }
}

static struct form mix_form(const tensor *y, const struct mixed *m)
{
    struct form f = {.make = mix_make, .weights = m->sum.parts,
                     .sigmoid = m->rule == MIX_SIGMOID, .w = m->w,
                     .gw = m->gw, .a = y->in[0]};

    for (int i = 0; i < m->sum.parts; i++)
        add_parts(&f, y->in[1 + i], f.a ? i : -1, m->sum.of[i].first);
    if (y->in[1 + MOST])
        add_parts(&f, y->in[1 + MOST], -1, 0);
    return f;
}

tensor *ad_mix(struct tape *t, enum mix_rule rule, int parts,
               tensor *const x[], tensor *a, tensor *plus)
{
    tensor *in[TENSOR_INPUTS] = {a};
    struct mixed m = {.rule = rule};
    int dim[TENSOR_DIMS], defers = tape_defers(t) && x[0]->nd == 4;

    REQUIRE(parts <= MOST && (rule == MIX_PLUS || rule == MIX_HEADS) == !a &&
                (rule != MIX_SIGMOID || parts == 2), "%d parts", parts);
    for (int i = 0; i < x[0]->nd; i++)
        dim[i] = x[0]->dim[i];
    for (int i = 0; i < parts; i++) {
        in[1 + i] = x[i];
        dim[1] = x[i]->dim[1] > dim[1] ? x[i]->dim[1] : dim[1];
        dim[0] += i && rule == MIX_HEADS ? x[i]->dim[0] : 0;
    }
    in[1 + MOST] = plus;
    tensor *y = (defers ? tape_deferred : tape_node)(
        t, x[0]->nd, dim, mix_back, TENSOR_INPUTS, in);

    m.sum = sum_of(y, rule, parts);
    if (a)
        weigh(t, &m, a);
    tape_keep(t, y, &m, sizeof m);
    if (defers) {
        struct form f = mix_form(y, &m);

        form_set(t, y, &f);
    } else {
        mix_make(t, y);
    }
    return y;
}
