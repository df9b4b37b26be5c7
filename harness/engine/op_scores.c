/*
 * Attention scores made of tokens.
 *
 *     dot_scores   B_h = s Q_h K_h^T;
 *                  Q_h' += s B_h' K_h,  K_h' += s B_h'^T Q_h
 *     pair         B[.., j] = A[.., j mod a] C[.., j div a]
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

struct scale { real s; };

/* The batch of products of (h,b,n,m) with (b,.,h k), heads interleaved. */
static struct gemm over_heads(const tensor *y, int d)
{
    size_t n = (size_t)y->dim[2], m = (size_t)y->dim[3], b = (size_t)y->dim[1];

    return (struct gemm){.outer = y->dim[0], .inner = y->dim[1],
                         .step_a = {b * n * m, n * m},
                         .lda = y->dim[3], .ldb = d, .ldc = d};
}

static void dot_back(struct tape *t, tensor *y)
{
    tensor *q = y->in[0], *key = y->in[1];
    int d = q->dim[2], n = q->dim[1], m = key->dim[1], k = d / y->dim[0];
    struct gemm s = over_heads(y, d);

    s.n = k;
    s.alpha = ((struct scale *)y->aux)->s;
    s.add = 1;
    if (q->g) {
        struct gemm by_q = s;
        by_q.m = n;
        by_q.k = m;
        by_q.step_b[0] = by_q.step_c[0] = (size_t)k;
        by_q.step_b[1] = (size_t)m * (size_t)d;
        by_q.step_c[1] = (size_t)n * (size_t)d;
        tape_gemm(t, &by_q, y->g, key->x, NULL, q->g);
    }
    if (key->g) {
        struct gemm by_k = s;
        by_k.ta = 1;
        by_k.m = m;
        by_k.k = n;
        by_k.step_b[0] = by_k.step_c[0] = (size_t)k;
        by_k.step_b[1] = (size_t)n * (size_t)d;
        by_k.step_c[1] = (size_t)m * (size_t)d;
        tape_gemm(t, &by_k, y->g, q->x, NULL, key->g);
    }
}

tensor *ad_dot_scores(struct tape *t, tensor *q, tensor *key, int heads,
                      double scale)
{
    int b = q->dim[0], n = q->dim[1], d = q->dim[2], m = key->dim[1];
    int k = d / heads, dim[] = {heads, b, n, m};

    REQUIRE(key->dim[0] == b && key->dim[2] == d, "q (%d,%d,%d), k (%d,%d,%d)",
            b, n, d, key->dim[0], m, key->dim[2]);
    tensor *y = tape_node(t, 4, dim, dot_back, 2, (tensor *[]){q, key});
    struct gemm s = {.m = n, .n = m, .k = k, .tb = 1, .lda = d, .ldb = d,
                     .ldc = m, .outer = heads, .inner = b,
                     .step_a = {(size_t)k, (size_t)n * (size_t)d},
                     .step_b = {(size_t)k, (size_t)m * (size_t)d},
                     .step_c = {(size_t)b * (size_t)n * (size_t)m,
                                (size_t)n * (size_t)m},
                     .alpha = (real)scale};
    struct scale *keep = arena_take(t->nodes, sizeof *keep);

    keep->s = (real)scale;
    y->aux = keep;
    tape_gemm(t, &s, q->x, key->x, NULL, y->x);
    return y;
}

static void pair_back(struct tape *t, tensor *y)
{
    tensor *fa = y->in[0], *fc = y->in[1];

    REQUIRE(fa->g && fc->g, "a pair with a constant");
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
