/*
 * The backend of the card: for each kernel of op_list.h the launches that it
 * takes.  Grids depend on shapes only, so the same kernels give the same bits
 * on any card.
 */
#include "harness/base/err.h"
#include "harness/engine/cuda/card.h"
#include "harness/engine/cuda/cuda.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 512,    /* rows that one block of column sums adds up        */
    PIECE = 64,     /* rows of one id that one thread adds up            */
    BLOCKS_MOST = 4096 /* of kernels that any number of blocks can run   */
};

#define ADDRESS(type, name) (void *)&name

/* launch_NAME(blocks, arguments of the kernel); nothing where blocks is 0. */
#define CUDA(name, ...)                                                       \
    static inline void launch_##name(size_t launch_blocks,                    \
                                     ROW_PARAMETERS(__VA_ARGS__))             \
    {                                                                         \
        void *arguments[] = {ROW_EACH(ADDRESS, __VA_ARGS__)};                 \
                                                                              \
        launch(CUDA_##name, launch_blocks, arguments);                        \
    }

static void launch(enum cuda_kernel k, size_t blocks, void **arguments)
{
    REQUIRE(blocks <= INT_MAX, "%zu blocks", blocks);
    if (blocks)
        MUST(cuLaunchKernel, card.kernel[k], (unsigned)blocks, 1, 1,
             BLOCK_THREADS, 1, 1, 0, card.stream, arguments, NULL);
}
#include "harness/engine/cuda/kernel_list.h"
#undef CUDA

static size_t parts(size_t n, size_t of) { return (n + of - 1) / of; }

/* Blocks for n values, or for n rows of a warp each. */
static size_t values(size_t n)
{
    size_t blocks = parts(n, BLOCK_THREADS);

    return blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST;
}

static size_t warps(size_t n) { return parts(n, WARPS); }

static void thread_begin(void) {}

/* ---- vectors ---- */

static void axpy(size_t n, real a, const real *x, real *y)
{
    launch_axpy(values(n), n, a, x, y);
}

static void relu_back(size_t n, const real *y, real *gy)
{
    launch_relu_back(values(n), n, y, gy);
}

/* The sum of x . y, on the card. */
static double *dot_of(size_t n, const real *x, const real *y,
                      enum card_room r)
{
    size_t spans = parts(n, SPAN);
    double *sum = card_room(r, (spans + 1) * sizeof *sum);

    launch_dots(spans, n, x, y, sum + 1);
    launch_total(1, spans, sum + 1, sum);
    return sum;
}

static void dot(size_t n, const real *x, const real *y, double *sum)
{
    double one;

    card_get(&one, dot_of(n, x, y, ROOM_SUMS), sizeof one);
    *sum += one;
}

/* Adds the sums of x's columns; in two stages where there are many rows. */
static void column_sums(size_t rows, int n, const real *x, real *sum)
{
    size_t slices = parts(rows, SLICE), tiles = parts((size_t)n, WARP);
    real *part;

    if (slices <= 1) {
        launch_column_sums(tiles, rows, n, rows, 1, x, sum);
        return;
    }
    part = card_room(ROOM_SUMS, slices * (size_t)n * sizeof *part);
    launch_column_sums(tiles * slices, rows, n, SLICE, 0, x, part);
    launch_column_sums(tiles, slices, n, slices, 1, part, sum);
}

/* ---- products ---- */

static void gemm(const struct gemm *s, const real *a, const real *b,
                 const real *bias, real *c)
{
    size_t outer = s->outer ? (size_t)s->outer : 1;
    struct cuda_product p = {
        .m = s->m, .n = s->n, .k = s->k, .ta = s->ta, .tb = s->tb,
        .lda = s->lda, .ldb = s->ldb, .ldc = s->ldc,
        .inner = s->inner ? s->inner : 1, .add = s->add, .relu = s->relu,
        .alpha = s->alpha == 0 ? 1 : s->alpha};
    size_t tiles = parts((size_t)s->m, TILE) * parts((size_t)s->n, TILE);

    memcpy(p.step_a, s->step_a, sizeof p.step_a);
    memcpy(p.step_b, s->step_b, sizeof p.step_b);
    memcpy(p.step_c, s->step_c, sizeof p.step_c);
    launch_product(tiles * outer * (size_t)p.inner, p, a, b, bias, c);
}

/* ---- scores ---- */

static void pair(size_t rows, int a, int c, int m, const real *fa,
                 const real *fc, real *out)
{
    launch_pair(values(rows * (size_t)m), rows, a, c, m, fa, fc, out);
}

static void pair_back(size_t rows, int a, int c, int m, const real *fa,
                      const real *fc, const real *gout, real *ga, real *gc)
{
    launch_pair_back(values(rows * (size_t)(a > c ? a : c)), rows, a, c, m, fa,
                     fc, gout, ga, gc);
}

static void columns(int r, int h, int N, int n, int m, const real *r1,
                    const real *r2, real *y)
{
    launch_columns(values((size_t)h * (size_t)m), r, h, N, n, m, r1, r2, y);
}

static void columns_back(int r, int h, int N, int n, int m, const real *r1,
                         const real *r2, const real *gy, real *gr1, real *gr2)
{
    launch_columns_back(values((size_t)h * (size_t)m), r, h, N, n, m, r1, r2,
                        gy, gr1, gr2);
}

static void diagonals(int n, int m, int h, const int *row, const real *table,
                      real *y)
{
    launch_diagonals(values((size_t)h * (size_t)n * (size_t)m), n, m, h,
                     card_ints((size_t)(n + m - 1), row), table, y);
}

static void diagonals_back(int n, int m, int h, const int *row, const real *gy,
                           real *gtable)
{
    size_t all = (size_t)(n + m - 1);
    real *sum = card_room(ROOM_SUMS, (size_t)h * all * sizeof *sum);
    int rows = 0;

    for (size_t o = 0; o < all; o++)
        rows = row[o] >= rows ? row[o] + 1 : rows;
    launch_diagonal_sums(values((size_t)h * all), n, m, h, gy, sum);
    launch_diagonals_back(values((size_t)rows * (size_t)h), n, m, h, rows,
                          card_ints(all, row), sum, gtable);
}

/* ---- attention ---- */

static struct cuda_attend attend_of(const struct attend *a)
{
    size_t lengths = a->length ? (size_t)a->b : 0;

    return (struct cuda_attend){
        .h = a->h, .b = a->b, .n = a->n, .m = a->m, .from = a->from,
        .causal = a->causal, .shared = a->shared, .linear = a->linear,
        .once = a->shared && !a->length && !a->kept, .keep = a->keep,
        .kept = a->kept, .length = card_ints(lengths, a->length)};
}

/* Products of heads and sentences: of P or P' (n,m), of V (m,h k) or Y (n,h k),
 * whose heads are side by side. */
static struct gemm heads(const struct attend *a, int once)
{
    size_t n = (size_t)a->n, m = (size_t)a->m, k = (size_t)a->k;
    size_t d = (size_t)a->h * k;

    return (struct gemm){
        .m = a->n, .n = a->k, .k = a->m, .lda = a->m, .ldb = (int)d,
        .ldc = (int)d, .outer = a->h, .inner = a->b,
        .step_a = {once ? n * m : (size_t)a->b * n * m, once ? 0 : n * m},
        .step_b = {k, m * d}, .step_c = {k, n * d}};
}

static size_t weights(const struct attend *a)
{
    return (size_t)a->h * (size_t)a->b * (size_t)a->n * (size_t)a->m;
}

static void attend(const struct attend *a, const real *scores, const real *v,
                   real *work, real *p, real *y)
{
    struct cuda_attend c = attend_of(a);
    struct gemm s = heads(a, c.once);
    size_t rows = (size_t)a->h * (size_t)(c.once ? 1 : a->b) * (size_t)a->n;
    real *thin = a->kept ? card_room(ROOM_WORK, weights(a) * sizeof *p) : NULL;

    (void)work;
    launch_weigh(warps(rows), c, scores, p, thin);
    gemm(&s, thin ? thin : p, v, NULL, y);
}

static void attend_back(const struct attend *a, const real *p, const real *v,
                        const real *gy, real *work, real *gscores, real *gv)
{
    struct cuda_attend c = attend_of(a);
    struct gemm by_v = heads(a, c.once), by_p = heads(a, 0);
    size_t all = weights(a);
    size_t rows = (size_t)a->h * (size_t)(a->shared ? 1 : a->b) * (size_t)a->n;
    real *room = card_room(ROOM_WORK, all * sizeof *room);
    size_t to_v[] = {by_v.step_b[0], by_v.step_b[1]};

    (void)work;
    if (gv) { /* V' += P^T Y' */
        const real *used = p;

        if (a->kept) {
            launch_thin(values(all), all, a->keep, a->kept, p, room);
            used = room;
        }
        by_v.m = a->m;
        by_v.k = a->n;
        by_v.ta = by_v.add = 1;
        memcpy(by_v.step_b, by_v.step_c, sizeof to_v);
        memcpy(by_v.step_c, to_v, sizeof to_v);
        gemm(&by_v, used, gy, NULL, gv);
    }
    if (!gscores)
        return;
    struct gemm swap = by_p; /* P' = Y' V^T */
    by_p.n = a->m;
    by_p.k = a->k;
    by_p.tb = 1;
    by_p.lda = swap.ldc;
    by_p.ldc = swap.lda;
    memcpy(by_p.step_a, swap.step_c, sizeof to_v);
    memcpy(by_p.step_c, swap.step_a, sizeof to_v);
    gemm(&by_p, gy, v, NULL, room);
    launch_weigh_back(warps(rows), c, p, room, gscores);
}

/* ---- along the length ---- */

static void glu(int b, int n, int d, const int *length, const real *x, real *y)
{
    launch_glu(values((size_t)b * (size_t)n * (size_t)d), b, n, d,
               card_ints((size_t)b, length), x, y);
}

static void glu_back(int b, int n, int d, const int *length, const real *x,
                     const real *gy, real *gx)
{
    launch_glu_back(values((size_t)b * (size_t)n * (size_t)d), b, n, d,
                    card_ints((size_t)b, length), x, gy, gx);
}

static void softmax(size_t rows, int k, const real *x, real *y)
{
    launch_softmax(warps(rows), rows, k, x, y);
}

static void softmax_back(size_t rows, int k, const real *y, const real *gy,
                         real *gx)
{
    launch_softmax_back(warps(rows), rows, k, y, gy, gx);
}

static struct cuda_conv conv_of(const struct conv *s)
{
    return (struct cuda_conv){s->b, s->n, s->m, s->d, s->heads, s->k, s->from,
                              s->first, s->shared};
}

static void conv(const struct conv *s, const real *u, const real *w,
                 const real *bias, real *y)
{
    launch_conv(values((size_t)s->b * (size_t)s->n * (size_t)s->d),
                conv_of(s), u, w, bias, y);
}

/* The taps of each row; where rows share them, their sum. */
static void conv_back(const struct conv *s, const real *u, const real *w,
                      const real *gy, real *gu, real *gw)
{
    size_t rows = (size_t)s->b * (size_t)s->n;
    size_t taps = (size_t)s->heads * (size_t)s->k;
    real *all = gw;

    if (s->shared)
        all = card_room(ROOM_WORK, rows * taps * sizeof *all);
    launch_conv_back(values((size_t)s->b * (size_t)s->m * (size_t)s->d),
                     conv_of(s), w, gy, gu);
    launch_conv_taps(warps(rows * (size_t)s->heads), conv_of(s), !s->shared, u,
                     gy, all);
    if (s->shared)
        column_sums(rows, (int)taps, all, gw);
}

static void mean(int b, int n, int d, const int *length, const real *x,
                 real *y)
{
    launch_mean(values((size_t)b * (size_t)d), b, n, d,
                card_ints((size_t)b, length), x, y);
}

static void mean_back(int b, int n, int d, const int *length, const real *gy,
                      real *gx)
{
    launch_mean_back(values((size_t)b * (size_t)n * (size_t)d), b, n, d,
                     card_ints((size_t)b, length), gy, gx);
}

/* ---- between the products ---- */

static void norm(size_t rows, int d, double eps, const real *x,
                 const real *gain, const real *bias, real *y, real *stat)
{
    launch_norm(warps(rows), rows, d, eps, x, gain, bias, y, stat);
}

static void norm_back(size_t rows, int d, const real *x, const real *gain,
                      const real *stat, const real *gy, real *gx, real *ggain,
                      real *gbias)
{
    size_t slices = parts(rows, SLICE), n = slices * (size_t)d;
    size_t tiles = parts((size_t)d, WARP);
    real *gains = card_room(ROOM_WORK, 2 * n * sizeof *gains);

    launch_norm_back(warps(rows), rows, d, gbias != NULL, x, gain, stat, gy,
                     gx);
    launch_norm_gains(tiles * slices, rows, d, SLICE, x, stat, gy, gains,
                      gbias ? gains + n : NULL);
    column_sums(slices, d, gains, ggain);
    if (gbias)
        column_sums(slices, d, gains + n, gbias);
}

static void embed(size_t rows, int n, int d, int from, const int *id,
                  const real *table, const real *wave, real scale, real *y)
{
    launch_embed(values(rows * (size_t)d), rows, n, d, from,
                 card_ints(rows, id), table, wave, scale, y);
}

/* The rows of each id, in order: groups of pieces of rows. */
struct sorted {
    int  groups, pieces;
    int *item;            /* (rows) sorted by id                         */
    int *piece;           /* (pieces + 1) where in `item` each begins    */
    int *group;           /* (groups + 1) where in `piece` each begins   */
    int *id;              /* (groups)                                    */
};

static int sort_ids(struct sorted *s, size_t rows, const int *id)
{
    int top = 0, *count, at = 0;

    for (size_t r = 0; r < rows; r++)
        top = id[r] > top ? id[r] : top;
    *s = (struct sorted){.item = calloc(4 * (rows + 1), sizeof *s->item)};
    s->piece = s->item + rows;
    s->group = s->piece + rows + 1;
    s->id = s->group + rows + 1;
    count = calloc((size_t)top + 2, sizeof *count);
    for (size_t r = 0; r < rows; r++)
        count[id[r] + 1]++;
    for (int i = 0; i <= top; i++) {
        if (count[i + 1] > 0) {
            s->id[s->groups] = i;
            s->group[s->groups++] = s->pieces;
        }
        for (int k = 0; k < count[i + 1]; k += PIECE)
            s->piece[s->pieces++] = at + k;
        at += count[i + 1];
        count[i + 1] += count[i];
    }
    s->piece[s->pieces] = at;
    s->group[s->groups] = s->pieces;
    for (size_t r = 0; r < rows; r++)
        s->item[count[id[r]]++] = (int)r;
    free(count);
    return s->groups;
}

static void embed_back(size_t rows, int n, int d, int from, const int *id,
                       real scale, const real *gy, real *gtable, real *gwave)
{
    size_t wide = (size_t)d;

    if (gtable && rows) {
        struct sorted s;

        sort_ids(&s, rows, id);
        size_t pieces = (size_t)s.pieces, groups = (size_t)s.groups;
        real *part = card_room(ROOM_WORK, pieces * wide * sizeof *part);

        launch_group_sums(values(pieces * wide), s.pieces, d,
                          card_ints(pieces + 1, s.piece),
                          card_ints(rows, s.item), NULL, 1, 0, gy, part);
        launch_group_sums(values(groups * wide), s.groups, d,
                          card_ints(groups + 1, s.group), NULL,
                          card_ints(groups, s.id), scale, 1, part, gtable);
        free(s.item);
    }
    if (gwave)
        launch_wave_back(values((size_t)n * wide), (int)(rows / (size_t)n), n,
                         d, gy, gwave + (size_t)from * wide);
}

static void drop_draw(size_t n, struct rng_key key, uint64_t first, real keep,
                      unsigned char *kept)
{
    unsigned limit = (unsigned)((double)keep * 65536 + 0.5);
    struct cuda_key k = {
        (unsigned)key.seed, (unsigned)(key.seed >> 32) ^ (unsigned)key.site,
        key.step, (unsigned)(key.site >> 32) ^ key.stream << 24};

    launch_drop_draw(values(n / 8 + 2), n, k, (size_t)first, limit, kept);
}

static void drop_add(size_t n, real keep, const unsigned char *kept,
                     const real *x, const real *z, real *y)
{
    launch_drop_add(values(n), n, keep, kept, x, z, y);
}

static void drop_back(size_t n, real keep, const unsigned char *kept,
                      const real *gy, real *gz)
{
    launch_drop_back(values(n), n, keep, kept, gy, gz);
}

/* ---- losses ---- */

static void cross_entropy(const struct cross_entropy *s, real *logits,
                          int gradient, double *nll, unsigned char *hit,
                          double *loss)
{
    size_t rows = s->rows, bytes = rows * (2 * sizeof *nll + sizeof *hit);
    double *out = card_room(ROOM_SUMS, bytes), sum = 0, *host;
    struct cuda_loss l = {s->v, card_ints(rows, s->target), s->smoothing,
                          s->scale};

    launch_cross_entropy(rows, l, logits, gradient, out, out + rows,
                         (unsigned char *)(out + 2 * rows));
    host = malloc(bytes);
    card_get(host, out, bytes);
    memcpy(nll, host, rows * sizeof *nll);
    memcpy(hit, host + 2 * rows, rows);
    for (size_t r = 0; r < rows; r++)
        sum += host[rows + r];
    *loss = s->scale * sum;
    free(host);
}

/* ---- optimisers ---- */

static void adam(size_t n, const struct adam *s, const real *g, real *p,
                 real *m, real *v)
{
    struct cuda_adam a = {
        (real)s->b1, (real)s->b2, (real)(1 - s->b1), (real)(1 - s->b2),
        (real)s->eps, (real)(s->lr / s->correct1),
        (real)(1 / sqrt(s->correct2))};

    launch_adam(values(n), n, a, g, p, m, v);
}

/* Without factors, all values are one row. */
static struct cuda_matrix matrix_of(const struct adafactor *s)
{
    if (!s->factored)
        return (struct cuda_matrix){1, 1, s->outer * s->rows * s->cols, 0, 0,
                                    1, 1};
    if (s->step_row < s->step_col)
        return (struct cuda_matrix){s->outer, s->cols, s->rows, s->step_outer,
                                    s->step_col, s->step_row, 0};
    return (struct cuda_matrix){s->outer, s->rows, s->cols, s->step_outer,
                                s->step_row, s->step_col, 1};
}

/* The moments of the rows, then those of the columns, then the rows' mean. */
static void factor(const struct adafactor *s, const struct cuda_matrix *m,
                   const real *g, real *v, double *sum, double *mean)
{
    size_t wide = s->rows + s->cols, slices = parts(m->far, SLICE);
    size_t tiles = parts(m->near, WARP);
    struct cuda_decay far = {s->decay, s->eps1, (double)m->near, wide};
    struct cuda_decay near = {s->decay, s->eps1, (double)m->far, wide};
    real *rows = v, *cols = v + s->rows;

    launch_far_squares(warps(m->outer * m->far), *m, g, sum);
    launch_moments(values(m->outer * m->far), m->outer, m->far, 1, far, sum,
                   m->far_is_row ? rows : cols);
    launch_near_squares(m->outer * slices * tiles, *m, SLICE, g, sum);
    launch_moments(values(m->outer * m->near), m->outer, m->near, slices, near,
                   sum, m->far_is_row ? cols : rows);
    launch_row_means(warps(m->outer), m->outer, s->rows, wide, v, mean);
}

static void adafactor(const struct adafactor *s, const real *g, real *p,
                      real *v)
{
    struct cuda_matrix m = matrix_of(s);
    size_t n = s->outer * s->rows * s->cols, spans = parts(n, SPAN);
    size_t slices = parts(m.far, SLICE);
    size_t sums = m.outer * (m.far > slices * m.near ? m.far
                                                     : slices * m.near);
    double *sum = card_room(ROOM_WORK,
                            (sums + spans + m.outer + 1) * sizeof *sum);
    double *mean = sum + sums + spans, *u_squares = mean + m.outer;
    struct cuda_decay each = {s->decay, s->eps1, 1, 0};
    struct cuda_rate rate = {s->lr, s->eps2, s->clip};

    if (s->factored) {
        factor(s, &m, g, v, sum, mean);
    } else {
        mean = NULL;
        launch_near_squares(parts(m.near, WARP), m, SLICE, g, sum);
        launch_moments(values(n), 1, n, 1, each, sum, v);
    }
    launch_units(spans, m, g, v, mean, sum + sums);
    launch_total(1, spans, sum + sums, u_squares);
    launch_adafactor(values(n), m, rate, g, v, mean,
                     dot_of(n, p, p, ROOM_SUMS), u_squares, p);
}

const struct backend backend_cuda = {
    .name = "cuda",
    .thread_begin = thread_begin,
    .memory = &card_memory,
    .put = card_put,
    .get = card_get,
    .copy = card_copy,
    .zero = card_zero,
#define KERNEL(name, class, ...) .name = name,
#include "harness/engine/op_list.h"
};
