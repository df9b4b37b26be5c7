/*
 * mix    Y = sum_i w_i X_i + P, with the weights w of
 *
 *     logits, weights    w = softmax(a)
 *     sigmoid            w = (1 - s, s), s = 1 / (1 + exp(-a))
 *     plus               w = 1
 *
 * or, for heads, Y = (X_1; X_2; ...) + P: the parts one after another along the
 * first dimension, with a NULL.
 *
 * With w_i' = <Y', X_i>:  softmax  a_i' += w_i (w_i' - sum_j w_j w_j'),
 * sigmoid  a' += s (1 - s) (w_2' - w_1').
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

#include <math.h>

enum { MOST = TENSOR_INPUTS - 2 }; /* a, the parts, P */

struct mixed { enum mix_rule rule; int parts; };

static void weights(struct tape *t, struct mixed m, const tensor *a,
                    double w[MOST])
{
    double top = -INFINITY, sum = 0;
    const real *x;

    for (int i = 0; i < m.parts; i++)
        w[i] = 1;
    if (!a)
        return;
    x = tensor_read(t->be, a, t->nodes);
    if (m.rule == MIX_SIGMOID) {
        w[1] = 1 / (1 + exp(-(double)x[0]));
        w[0] = 1 - w[1];
        return;
    }
    for (int i = 0; i < m.parts; i++)
        top = fmax(top, (double)x[i]);
    for (int i = 0; i < m.parts; i++)
        sum += w[i] = exp((double)x[i] - top);
    for (int i = 0; i < m.parts; i++)
        w[i] /= sum;
}

/* a' from the parts' w'. */
static void weights_back(struct tape *t, struct mixed m, const double w[MOST],
                         const double gw[MOST], tensor *a)
{
    int n = m.rule == MIX_SIGMOID ? 1 : m.parts;
    const real *was = backend_read(t->be, a->g, (size_t)n, t->nodes);
    real ga[MOST];
    double mean = 0;

    for (int i = 0; i < m.parts; i++)
        mean += w[i] * gw[i];
    for (int i = 0; i < n; i++)
        ga[i] = was[i] + (real)(m.rule == MIX_SIGMOID
                                    ? w[0] * w[1] * (gw[1] - gw[0])
                                    : w[i] * (gw[i] - mean));
    t->be->put(a->g, ga, (size_t)n * sizeof *ga);
}

/* Block (i,j) of the first two dimensions; where the second is 1 it is the
 * same for every j. */
static size_t block_at(const tensor *p, int i, int j)
{
    size_t inner = (size_t)p->dim[1];
    size_t at = inner == 1 ? (size_t)i : (size_t)i * inner + (size_t)j;

    return at * (tensor_len(p) / ((size_t)p->dim[0] * inner));
}

static size_t block_len(const tensor *y)
{
    return tensor_len(y) / ((size_t)y->dim[0] * (size_t)y->dim[1]);
}

/* p lies in y from head `first` on. */
static void add_back(struct tape *t, const tensor *y, int first, tensor *p,
                     double w, double *gw)
{
    size_t len = block_len(y);

    for (int i = 0; i < p->dim[0]; i++)
        for (int j = 0; j < y->dim[1]; j++) {
            const real *gy = y->g + block_at(y, first + i, j);

            if (gw)
                t->be->dot(len, gy, p->x + block_at(p, i, j), gw);
            if (p->g)
                t->be->axpy(len, (real)w, gy, p->g + block_at(p, i, j));
        }
}

static void mix_back(struct tape *t, tensor *y)
{
    struct mixed m = *(const struct mixed *)y->aux;
    tensor *a = y->in[0], *plus = y->in[1 + MOST];
    double w[MOST], gw[MOST] = {0};
    int first = 0;

    weights(t, m, a, w);
    for (int i = 0; i < m.parts; i++) {
        add_back(t, y, first, y->in[1 + i], w[i], a ? &gw[i] : NULL);
        first += m.rule == MIX_HEADS ? y->in[1 + i]->dim[0] : 0;
    }
    if (plus)
        add_back(t, y, 0, plus, 1, NULL);
    if (a && a->g)
        weights_back(t, m, w, gw, a);
}

static void add(struct tape *t, tensor *y, int first, const tensor *p,
                double w)
{
    REQUIRE(first + p->dim[0] <= y->dim[0] && block_len(p) == block_len(y),
            "blocks of %zu and %zu elements", block_len(p), block_len(y));
    for (int i = 0; i < p->dim[0]; i++)
        for (int j = 0; j < y->dim[1]; j++)
            t->be->axpy(block_len(y), (real)w, p->x + block_at(p, i, j),
                        y->x + block_at(y, first + i, j));
}

tensor *ad_mix(struct tape *t, enum mix_rule rule, int parts,
               tensor *const x[], tensor *a, tensor *plus)
{
    tensor *in[TENSOR_INPUTS] = {a};
    struct mixed m = {rule, parts};
    int dim[TENSOR_DIMS];
    int first = 0;
    double w[MOST];

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
    tensor *y = tape_node(t, x[0]->nd, dim, mix_back, TENSOR_INPUTS, in);

    tape_keep(t, y, &m, sizeof m);
    weights(t, m, a, w);
    t->be->zero(y->x, tensor_len(y) * sizeof(real));
    for (int i = 0; i < parts; i++) {
        add(t, y, first, x[i], w[i]);
        first += rule == MIX_HEADS ? x[i]->dim[0] : 0;
    }
    if (plus)
        add(t, y, 0, plus, 1);
    return y;
}
