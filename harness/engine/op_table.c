/*
 * Attention scores read from tables, the same for every sentence.
 *
 *     corner       B_h = rows `from` to `from` + n - 1 and columns 0 to m - 1
 *                  of R_h
 *     low_rank     B_h = the same rows and columns of R1_h R2_h^T
 *     columns      B_h[i,j] = sum_t R1[t,h,j] R2[t,h,j], the same for every i
 *     relative     B_h[i,j] = T[bucket(j - i), h]
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the offset of row `from` of R. */
static size_t corner_at(const tensor *y, int from)
{
    return (size_t)from * (size_t)y->in[0]->dim[2];
}

static struct blocks corner_of(const tensor *y)
{
    size_t N = (size_t)y->in[0]->dim[2], rows = (size_t)y->in[0]->dim[1];
    size_t n = (size_t)y->dim[2], m = (size_t)y->dim[3];

    return (struct blocks){(size_t)y->dim[0], n, m, {rows * N, N}, {n * m, m}};
}

static void corner_back(struct tape *t, tensor *y)
{
    struct blocks b = corner_of(y), back = b;
    int from = *(const int *)y->aux;

    memcpy(back.from, b.to, sizeof b.to);
    memcpy(back.to, b.from, sizeof b.from);
    t->be->add_blocks(&back, y->g, y->in[0]->g + corner_at(y, from));
}

tensor *ad_corner(struct tape *t, tensor *r, int from, int n, int m)
{
    int dim[] = {r->dim[0], 1, n, m};

    REQUIRE(r->nd == 3 && from + n <= r->dim[1] && m <= r->dim[2],
            "rows %d to %d, %d columns, of %d", from, from + n, m, r->dim[1]);
    tensor *y = tape_node(t, 4, dim, corner_back, 1, &r);
    tape_keep(t, y, &from, sizeof from);
    struct blocks b = corner_of(y);
    t->be->copy_blocks(&b, r->x + corner_at(y, from), y->x);
    return y;
}

static void low_rank_back(struct tape *t, tensor *y)
{
    tensor *r1 = y->in[0], *r2 = y->in[1];
    size_t N = (size_t)r1->dim[1], r = (size_t)r1->dim[2];
    size_t n = (size_t)y->dim[2], m = (size_t)y->dim[3];
    size_t row = (size_t) * (const int *)y->aux;
    struct gemm s = {.n = (int)r, .lda = (int)m, .ldb = (int)r, .ldc = (int)r,
                     .outer = y->dim[0], .step_a = {n * m},
                     .step_b = {N * r}, .step_c = {N * r}, .add = 1};
    struct gemm by_1 = s, by_2 = s;

    by_1.m = by_2.k = (int)n;
    by_1.k = by_2.m = (int)m;
    by_2.ta = 1;
    if (r1->g)
        tape_gemm(t, &by_1, y->g, r2->x, NULL, r1->g + row * r);
    if (r2->g)
        tape_gemm(t, &by_2, y->g, r1->x + row * r, NULL, r2->g);
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
    tape_keep(t, y, &from, sizeof from);
    tape_gemm(t, &s, r1->x + (size_t)from * (size_t)r, r2->x, NULL, y->x);
    return y;
}

static void columns_back(struct tape *t, tensor *y)
{
    tensor *r1 = y->in[0], *r2 = y->in[1];

    REQUIRE(r1->g && r2->g, "columns: an operand has no gradient");
    t->be->columns_back(r1->dim[0], r1->dim[1], r1->dim[2], y->dim[2],
                        y->dim[3], r1->x, r2->x, y->g, r1->g, r2->g);
}

tensor *ad_columns(struct tape *t, tensor *r1, tensor *r2, int n, int m)
{
    int r = r1->dim[0], h = r1->dim[1], N = r1->dim[2], dim[] = {h, 1, n, m};

    REQUIRE(m <= N && tensor_len(r1) == tensor_len(r2), "%d columns of %d", m,
            N);
    tensor *y = tape_node(t, 4, dim, columns_back, 2, (tensor *[]){r1, r2});

    t->be->columns(r, h, N, n, m, r1->x, r2->x, y->x);
    return y;
}

/* ---- relative positions (Raffel et al. 2020, section 2.1) ---- */

/* Returns the bucket of the distance far = key - query.  In each direction, the
 * first half of the buckets hold one distance each, and the ranges of the
 * others grow logarithmically up to r->longest.  The 1e-9 keeps distances at
 * the exact limit of a bucket from being rounded down. */
static int bucket_of(int far, const struct relative *r)
{
    int each = r->causal ? r->buckets : r->buckets / 2, exact = each / 2;
    int base = !r->causal && far > 0 ? each : 0;
    int away = r->causal ? (far < 0 ? -far : 0) : abs(far);

    if (away >= exact)
        away = exact + (int)(log((double)away / exact) /
                             log((double)r->longest / exact) *
                             (each - exact) + 1e-9);
    return base + (away < each ? away : each - 1);
}

static void relative_back(struct tape *t, tensor *y)
{
    t->be->diagonals_back(y->dim[2], y->dim[3], y->dim[0], y->aux, y->g,
                          y->in[0]->g);
}

tensor *ad_relative(struct tape *t, tensor *table, const struct relative *r,
                    int from, int n, int m)
{
    int h = table->dim[1], dim[] = {h, 1, n, m};

    REQUIRE(table->dim[0] == r->buckets, "%d rows for %d buckets",
            table->dim[0], r->buckets);
    tensor *y = tape_node(t, 4, dim, relative_back, 1, &table);
    int *bucket = arena_take(t->nodes, (size_t)(n + m) * sizeof *bucket);

    for (int far = 1 - n; far < m; far++) /* j - i */
        bucket[far + n - 1] = bucket_of(far - from, r);
    y->aux = bucket;
    t->be->diagonals(n, m, h, bucket, table->x, y->x);
    return y;
}
