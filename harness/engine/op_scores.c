/*
 * Where attention scores come from.
 *
 *     dot_scores   B_h = s Q_h K_h^T;
 *                  Q_h' += s B_h' K_h,  K_h' += s B_h'^T Q_h
 *     corner       B_h = R_h[from.., ..m]
 *     low_rank     B_h = R1_h[from..] R2_h[..m]^T
 *     pair         B[.., j] = A[.., j mod a] C[.., j div a]
 *     mix          B = sum_i alpha_i B_i, alpha = softmax(a);
 *                  with alpha_i' = <B', B_i>,
 *                  a_i' += alpha_i (alpha_i' - sum_j alpha_j alpha_j')
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

#include <math.h>

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
        t->be->gemm(&by_q, y->g, key->x, NULL, q->g);
    }
    if (key->g) {
        struct gemm by_k = s;
        by_k.ta = 1;
        by_k.m = m;
        by_k.k = n;
        by_k.step_b[0] = by_k.step_c[0] = (size_t)k;
        by_k.step_b[1] = (size_t)n * (size_t)d;
        by_k.step_c[1] = (size_t)m * (size_t)d;
        t->be->gemm(&by_k, y->g, q->x, NULL, key->g);
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
    t->be->gemm(&s, q->x, key->x, NULL, y->x);
    return y;
}

struct from { int row; };

static size_t corner_at(const tensor *y, int from, int h, int i)
{
    size_t N = (size_t)y->in[0]->dim[2];

    return ((size_t)h * (size_t)y->in[0]->dim[1] + (size_t)(from + i)) * N;
}

static void corner_back(struct tape *t, tensor *y)
{
    int from = ((struct from *)y->aux)->row, n = y->dim[2], m = y->dim[3];

    for (int h = 0; h < y->dim[0]; h++)
        for (int i = 0; i < n; i++)
            t->be->axpy((size_t)m, 1, y->g + ((size_t)h * (size_t)n +
                                              (size_t)i) * (size_t)m,
                        y->in[0]->g + corner_at(y, from, h, i));
}

tensor *ad_corner(struct tape *t, tensor *r, int from, int n, int m)
{
    int dim[] = {r->dim[0], 1, n, m};

    REQUIRE(r->nd == 3 && from + n <= r->dim[1] && m <= r->dim[2],
            "rows %d to %d, %d columns, of %d", from, from + n, m, r->dim[1]);
    tensor *y = tape_node(t, 4, dim, corner_back, 1, &r);
    struct from *keep = arena_take(t->nodes, sizeof *keep);

    keep->row = from;
    y->aux = keep;
    for (int h = 0; h < dim[0]; h++)
        for (int i = 0; i < n; i++)
            t->be->put(y->x + ((size_t)h * (size_t)n + (size_t)i) * (size_t)m,
                       r->x + corner_at(y, from, h, i),
                       (size_t)m * sizeof(real));
    return y;
}

static void low_rank_back(struct tape *t, tensor *y)
{
    tensor *r1 = y->in[0], *r2 = y->in[1];
    size_t N = (size_t)r1->dim[1], r = (size_t)r1->dim[2];
    size_t n = (size_t)y->dim[2], m = (size_t)y->dim[3];
    size_t row = (size_t)((struct from *)y->aux)->row;
    struct gemm s = {.n = (int)r, .lda = (int)m, .ldb = (int)r, .ldc = (int)r,
                     .outer = y->dim[0], .step_a = {n * m},
                     .step_b = {N * r}, .step_c = {N * r}, .add = 1};
    struct gemm by_1 = s, by_2 = s;

    by_1.m = by_2.k = (int)n;
    by_1.k = by_2.m = (int)m;
    by_2.ta = 1;
    if (r1->g)
        t->be->gemm(&by_1, y->g, r2->x, NULL, r1->g + row * r);
    if (r2->g)
        t->be->gemm(&by_2, y->g, r1->x + row * r, NULL, r2->g);
}

tensor *ad_low_rank(struct tape *t, tensor *r1, tensor *r2, int from, int n,
                    int m)
{
    int h = r1->dim[0], N = r1->dim[1], r = r1->dim[2], dim[] = {h, 1, n, m};

    REQUIRE(from + n <= N && m <= r2->dim[1] && r2->dim[2] == r,
            "rows %d to %d, %d columns, of %d", from, from + n, m, N);
    tensor *y = tape_node(t, 4, dim, low_rank_back, 2, (tensor *[]){r1, r2});
    size_t table = (size_t)N * (size_t)r;
    struct gemm s = {.m = n, .n = m, .k = r, .tb = 1, .lda = r, .ldb = r,
                     .ldc = m, .outer = h, .step_a = {table},
                     .step_b = {table}, .step_c = {(size_t)n * (size_t)m}};
    struct from *keep = arena_take(t->nodes, sizeof *keep);

    keep->row = from;
    y->aux = keep;
    t->be->gemm(&s, r1->x + (size_t)from * (size_t)r, r2->x, NULL, y->x);
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

static void shares(const tensor *a, double *alpha)
{
    real x[TENSOR_INPUTS];
    double top = -INFINITY, sum = 0;
    int n = a->dim[0];

    for (int i = 0; i < n; i++) {
        x[i] = a->x[i];
        top = fmax(top, (double)x[i]);
    }
    for (int i = 0; i < n; i++)
        sum += alpha[i] = exp((double)x[i] - top);
    for (int i = 0; i < n; i++)
        alpha[i] /= sum;
}

/* Element (h,b) of part p starts here: parts without a batch repeat. */
static size_t part_at(const tensor *p, int h, int b)
{
    size_t i = p->dim[1] == 1 ? (size_t)h
                              : (size_t)h * (size_t)p->dim[1] + (size_t)b;

    return i * (size_t)p->dim[2] * (size_t)p->dim[3];
}

static void mix_back(struct tape *t, tensor *y)
{
    int parts = y->in[0]->dim[0];
    size_t nm = (size_t)y->dim[2] * (size_t)y->dim[3];
    double alpha[TENSOR_INPUTS], share[TENSOR_INPUTS] = {0}, mean = 0;

    shares(y->in[0], alpha);
    for (int h = 0; h < y->dim[0]; h++)
        for (int b = 0; b < y->dim[1]; b++)
            for (int i = 0; i < parts; i++) {
                tensor *p = y->in[1 + i];
                const real *gy = y->g + part_at(y, h, b);

                share[i] += t->be->dot(nm, gy, p->x + part_at(p, h, b));
                if (p->g)
                    t->be->axpy(nm, (real)alpha[i], gy,
                                p->g + part_at(p, h, b));
            }
    for (int i = 0; i < parts; i++)
        mean += alpha[i] * share[i];
    for (int i = 0; i < parts && y->in[0]->g; i++)
        y->in[0]->g[i] += (real)(alpha[i] * (share[i] - mean));
}

tensor *ad_mix(struct tape *t, int parts, tensor *const b[], tensor *a)
{
    tensor *in[TENSOR_INPUTS] = {a};
    int dim[] = {b[0]->dim[0], 1, b[0]->dim[2], b[0]->dim[3]};
    double alpha[TENSOR_INPUTS];

    REQUIRE(parts < TENSOR_INPUTS && a->dim[0] == parts, "%d parts, a (%d)",
            parts, a->dim[0]);
    for (int i = 0; i < parts; i++) {
        in[1 + i] = b[i];
        dim[1] = b[i]->dim[1] > dim[1] ? b[i]->dim[1] : dim[1];
    }
    tensor *y = tape_node(t, 4, dim, mix_back, 1 + parts, in);
    size_t nm = (size_t)dim[2] * (size_t)dim[3];

    shares(a, alpha);
    t->be->zero(y->x, tensor_len(y) * sizeof(real));
    for (int h = 0; h < dim[0]; h++)
        for (int s = 0; s < dim[1]; s++)
            for (int i = 0; i < parts; i++)
                t->be->axpy(nm, (real)alpha[i], b[i]->x + part_at(b[i], h, s),
                            y->x + part_at(y, h, s));
    return y;
}
