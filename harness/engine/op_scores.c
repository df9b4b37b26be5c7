/*
 * Attention scores computed from tokens.  s is the `scale` of dot_scores, and
 * X' is d loss / d X.
 *
 *     dot_scores   B_h = s Q_h K_h^T;
 *                  Q_h' += s B_h' K_h,  K_h' += s B_h'^T Q_h
 *     pair         B[.., j] = A[.., j mod a] C[.., j div a]
 */
#include "harness/base/err.h"
#include "harness/engine/form.h"
#include "harness/engine/ops.h"

/* Describes the products of B' (n,m), one for each head and sentence, with an
 * operand that has `from` rows.  A row of the operand holds the k values of
 * each head side by side.  If `turned` is set, B' is transposed.  The result of
 * a product has `rows` rows. */
static struct gemm by_scores(const tensor *y, int d, int rows, int from,
                             int turned)
{
    size_t n = (size_t)y->dim[2], m = (size_t)y->dim[3], b = (size_t)y->dim[1];
    int k = d / y->dim[0];

    return (struct gemm){.m = rows, .n = k, .k = from, .ta = turned,
                         .lda = y->dim[3], .ldb = d, .ldc = d,
                         .outer = y->dim[0], .inner = y->dim[1],
                         .step_a = {b * n * m, n * m},
                         .step_b = {(size_t)k, (size_t)from * (size_t)d},
                         .step_c = {(size_t)k, (size_t)rows * (size_t)d},
                         .add = 1, .alpha = *(const real *)y->aux};
}

static void dot_back(struct tape *t, tensor *y)
{
    tensor *q = y->in[0], *key = y->in[1];
    int d = q->dim[2], n = q->dim[1], m = key->dim[1];
    struct gemm by_q = by_scores(y, d, n, m, 0);
    struct gemm by_k = by_scores(y, d, m, n, 1);

    if (q->g && key->g)
        tape_lower(t, tensor_len(y), y->g);
    if (q->g)
        tape_gemm(t, &by_q, y->g, key->x, NULL, q->g);
    if (key->g)
        tape_gemm(t, &by_k, y->g, q->x, NULL, key->g);
    tape_raise(t);
}

static void dot_make(struct tape *t, tensor *y)
{
    const tensor *q = y->in[0], *key = y->in[1];
    int heads = y->dim[0], b = y->dim[1], n = y->dim[2], m = y->dim[3];
    int d = q->dim[2], k = d / heads;
    struct gemm s = {.m = n, .n = m, .k = k, .tb = 1, .lda = d, .ldb = d,
                     .ldc = m, .outer = heads, .inner = b,
                     .step_a = {(size_t)k, (size_t)n * (size_t)d},
                     .step_b = {(size_t)k, (size_t)m * (size_t)d},
                     .step_c = {(size_t)b * (size_t)n * (size_t)m,
                                (size_t)n * (size_t)m},
                     .alpha = *(const real *)y->aux};

    tape_gemm(t, &s, q->x, key->x, NULL, y->x);
}

static struct form dot_form(const tensor *y, real scale)
{
    tensor *q = y->in[0], *key = y->in[1];
    int k = q->dim[2] / y->dim[0];

    return (struct form){
        .make = dot_make, .parts = 1,
        .part = {{.x = q, .y = key,
                  .as = {.h = y->dim[0], .width = k, .weight = -1,
                         .scale = scale, .at_x = form_lattice(q, k),
                         .at_y = form_lattice(key, k)}}}};
}

tensor *ad_dot_scores(struct tape *t, tensor *q, tensor *key, int heads,
                      double scale)
{
    int b = q->dim[0], n = q->dim[1], d = q->dim[2], m = key->dim[1];
    int dim[] = {heads, b, n, m};
    int defers = tape_defers(t) && d / heads <= FUSED_WIDTH;
    real factor = (real)scale;

    REQUIRE(key->dim[0] == b && key->dim[2] == d, "q (%d,%d,%d), k (%d,%d,%d)",
            b, n, d, key->dim[0], m, key->dim[2]);
    tensor *y = (defers ? tape_deferred : tape_node)(t, 4, dim, dot_back, 2,
                                                     (tensor *[]){q, key});
    tape_keep(t, y, &factor, sizeof factor);
    if (defers) {
        struct form f = dot_form(y, factor);

        form_set(t, y, &f);
    } else {
        dot_make(t, y);
    }
    return y;
}

static void pair_back(struct tape *t, tensor *y)
{
    tensor *fa = y->in[0], *fc = y->in[1];

    REQUIRE(fa->g && fc->g, "pair: an operand has no gradient");
    t->be->pair_back(tensor_rows(y), tensor_last(fa), tensor_last(fc),
                     tensor_last(y), fa->x, fc->x, y->g, fa->g, fc->g);
}

tensor *ad_pair(struct tape *t, tensor *fa, tensor *fc, int m)
{
    int a = tensor_last(fa), c = tensor_last(fc);
    int dim[] = {fa->dim[0], fa->dim[1], fa->dim[2], m};

    REQUIRE(m <= a * c && tensor_rows(fa) == tensor_rows(fc),
            "%d columns from %d x %d", m, a, c);
    tensor *y = tape_node(t, 4, dim, pair_back, 2, (tensor *[]){fa, fc});

    t->be->pair(tensor_rows(y), a, c, m, fa->x, fc->x, y->x);
    return y;
}

tensor *ad_no_scores(struct tape *t, int h, int n, int m)
{
    tensor *y = tape_leaf(t, 4, (int[]){h, 1, n, m});

    t->be->zero(y->x, tensor_len(y) * sizeof(real));
    return y;
}
