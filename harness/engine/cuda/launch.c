/*
 * The backends of the card: for each kernel of op_list.h, one function that
 * launches kernels of kernel_list.h.  The number of blocks depends only on
 * shapes, so these kernels give bit-identical results on any card.
 */
#include "harness/base/err.h"
#include "harness/engine/cuda/cuda.h"
#include "harness/engine/cuda/fuse.h"
#include "harness/engine/cuda/launches.h"
#include "harness/engine/cuda/products.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 512,    /* rows that one block of column sums adds up        */
    PIECE = 64      /* rows of one id that one thread adds up            */
};

void card_launch(enum cuda_kernel k, size_t blocks, void **arguments)
{
    REQUIRE(blocks <= INT_MAX, "%zu blocks", blocks);
    if (blocks)
        MUST(cuLaunchKernel, card.kernel[k], (unsigned)blocks, 1, 1,
             BLOCK_THREADS, 1, 1, 0, card.stream, arguments, NULL);
}

static void thread_begin(void) {}

/* ---- vectors ---- */

static void card_axpy(size_t n, real a, const real *x, real *y)
{
    launch_axpy(values(n), n, a, x, y);
}

static void card_relu_back(size_t n, const real *y, real *gy)
{
    launch_relu_back(values(n), n, y, gy);
}

static void card_relu_back_low(size_t n, const uint16_t *y, real *gy)
{
    launch_relu_back_low(values(n), n, y, gy);
}

/* Returns the address of the dot product of x and y, which is computed in work
 * buffer r of the card's memory (card_room). */
static double *dot_of(size_t n, const real *x, const real *y,
                      enum card_room r)
{
    size_t spans = parts(n, SPAN);
    double *sum = card_room(r, (spans + 1) * sizeof *sum);

    launch_dots(spans, n, x, y, sum + 1);
    launch_total(1, spans, 1, sum + 1, sum);
    return sum;
}

/* Adds the column sums of x to `sum`, in two stages if there are many rows. */
static void card_column_sums(int outer, size_t rows, int n, size_t step,
                             const real *x, real *sum)
{
    size_t slices = parts(rows, SLICE), tiles = parts((size_t)n, WARP);
    size_t o = (size_t)outer, wide = slices * (size_t)n;
    real *part;

    if (slices <= 1) {
        launch_column_sums(o * tiles, rows, n, SLICE, step, 1, x, sum);
        return;
    }
    part = card_room(ROOM_SUMS, o * wide * sizeof *part);
    launch_column_sums(o * tiles * slices, rows, n, SLICE, wide, 0, x, part);
    launch_column_sums(o * tiles, slices, n, slices, step, 1, part, sum);
}

/* ---- rows and blocks ---- */

static void move_blocks(const struct blocks *s, int add, const real *from,
                        real *to)
{
    struct cuda_blocks c = {s->outer, s->rows, s->cols,
                            {s->from[0], s->from[1]}, {s->to[0], s->to[1]}};

    launch_move_blocks(values(s->outer * s->rows * s->cols), c, add, from, to);
}

static void card_copy_blocks(const struct blocks *s, const real *from, real *to)
{
    move_blocks(s, 0, from, to);
}

static void card_add_blocks(const struct blocks *s, const real *from, real *to)
{
    move_blocks(s, 1, from, to);
}

/* If `from` and `to` are the same array, gathers into a copy first, because
 * rows could be overwritten before they are read. */
static void card_gather(size_t rows, size_t cols, size_t step, const int *row,
                        const real *from, real *to)
{
    struct blocks back = {1, rows, cols, {0, cols}, {0, step}};
    real *room = to;

    if (from == to)
        room = card_room(ROOM_WORK, rows * cols * sizeof *room);
    launch_gather(values(rows * cols), rows, cols, step,
                  from == to ? cols : step, card_ints(rows, row), from, room);
    if (from == to)
        card_copy_blocks(&back, room, to);
}

static void card_scatter_add(size_t rows, size_t cols, const int *row,
                             const real *from, real *to)
{
    launch_scatter_add(values(rows * cols), rows, cols, card_ints(rows, row),
                       from, to);
}

static void card_spread(int b, size_t from, size_t to, real *x)
{
    size_t bytes = (size_t)b * from * sizeof *x;
    real *room = card_room(ROOM_WORK, bytes);

    card_copy(room, x, bytes);
    launch_spread(values((size_t)b * to), b, from, to, room, x);
}

/* Returns, in the card's memory, the packed row at which each sentence begins,
 * then the packed row after the last sentence. */
static const int *starts_of(const struct packing *p)
{
    int *start = malloc(((size_t)p->b + 1) * sizeof *start);

    start[0] = 0;
    for (int s = 0; s < p->b; s++)
        start[s + 1] = start[s] + p->length[s];
    const int *there = card_ints((size_t)p->b + 1, start);
    free(start);
    return there;
}

static void card_pack(const struct packing *p, int h, int d, int add,
                      const real *wide, real *packed)
{
    struct cuda_packing c = {h, p->b, p->n, p->rows, d};

    launch_pack(values((size_t)h * (size_t)p->rows * (size_t)d), c,
                starts_of(p), add, wide, packed);
}

static void card_unpack(const struct packing *p, int h, int d, int add,
                        const real *packed, real *wide)
{
    struct cuda_packing c = {h, p->b, p->n, p->rows, d};

    launch_unpack(values((size_t)h * (size_t)(p->b * p->n) * (size_t)d), c,
                  starts_of(p), add, packed, wide);
}

/* ---- mixtures ---- */

static void card_mix_weights(int parts_of, int sigmoid, const real *a,
                             double *w)
{
    launch_mix_weights(1, parts_of, sigmoid, a, w);
}

static void card_mix_weights_back(int parts_of, int sigmoid, const double *w,
                                  const double *gw, real *ga)
{
    launch_mix_weights_back(1, parts_of, sigmoid, w, gw, ga);
}

static struct cuda_mix mix_of(const struct mix_sum *s)
{
    struct cuda_mix c = {.parts = s->parts, .h = s->h, .b = s->b,
                         .len = s->len};

    for (int p = 0; p <= s->parts; p++) {
        c.of[p].h = s->of[p].h;
        c.of[p].b = s->of[p].b;
        c.of[p].first = s->of[p].first;
    }
    return c;
}

static void card_mix(const struct mix_sum *s, const double *w, const real *x0,
                     const real *x1, const real *x2, const real *x3,
                     const real *plus, real *y)
{
    const real *const x[] = {x0, x1, x2, x3};
    struct cuda_mix c = mix_of(s);

    for (int p = 0; p < s->parts; p++)
        c.of[p].x = x[p];
    c.of[s->parts].x = plus;
    launch_mix(values((size_t)s->h * (size_t)s->b * s->len), c, w, y);
}

static void card_mix_back(const struct mix_sum *s, int p, const double *w,
                          const real *gy, const real *x, real *gx, double *gw)
{
    struct cuda_mix c = mix_of(s);
    size_t n = (size_t)c.of[p].h * (size_t)c.of[p].b * c.len;
    size_t spans = parts(n, SPAN);
    double *sum = gw ? card_room(ROOM_SUMS, spans * sizeof *sum) : NULL;

    c.of[p].x = x;
    launch_mix_back(spans, c, p, w, gy, gx, sum);
    if (gw)
        launch_total(1, spans, 1, sum, gw + p);
}

/* ---- scores ---- */

static void card_pair(size_t rows, int a, int c, int m, const real *fa,
                      const real *fc, real *out)
{
    launch_pair(values(rows * (size_t)m), rows, a, c, m, fa, fc, out);
}

static void card_pair_back(size_t rows, int a, int c, int m, const real *fa,
                           const real *fc, const real *gout, real *ga, real *gc)
{
    launch_pair_back(values(rows * (size_t)(a > c ? a : c)), rows, a, c, m, fa,
                     fc, gout, ga, gc);
}

static void card_columns(int r, int h, int N, int n, int m, const real *r1,
                         const real *r2, real *y)
{
    launch_columns(values((size_t)h * (size_t)m), r, h, N, n, m, r1, r2, y);
}

static void card_columns_back(int r, int h, int N, int n, int m, const real *r1,
                              const real *r2, const real *gy, real *gr1,
                              real *gr2)
{
    launch_columns_back(values((size_t)h * (size_t)m), r, h, N, n, m, r1, r2,
                        gy, gr1, gr2);
}

static void card_diagonals(int n, int m, int h, const int *row,
                           const real *table, real *y)
{
    launch_diagonals(values((size_t)h * (size_t)n * (size_t)m), n, m, h,
                     card_ints((size_t)(n + m - 1), row), table, y);
}

static void card_diagonals_back(int n, int m, int h, const int *row,
                                const real *gy, real *gtable)
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
        .once = attend_once(a), .keep = a->keep,
        .kept = a->kept, .length = card_ints(lengths, a->length)};
}

/* Returns the product P V for all heads and sentences: P is (n,m); V (m,h k)
 * and the result Y (n,h k) have their heads side by side.  card_attend_back
 * derives the other products from it. */
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

typedef void product(const struct gemm *s, const real *a, const real *b,
                     const real *bias, real *c);

static void attend_by(product *multiply, const struct attend *a,
                      const real *scores, const real *v, real *p, real *y)
{
    struct cuda_attend c = attend_of(a);
    struct gemm s = heads(a, c.once);
    size_t rows = (size_t)a->h * (size_t)(c.once ? 1 : a->b) * (size_t)a->n;
    real *thin = a->kept ? card_room(ROOM_WORK, weights(a) * sizeof *p) : NULL;

    launch_weigh(warps(rows), c, scores, p, thin);
    multiply(&s, thin ? thin : p, v, NULL, y);
}

static void attend_back_by(product *multiply, const struct attend *a,
                           const real *p, const real *v, const real *gy,
                           real *gscores, real *gv)
{
    struct cuda_attend c = attend_of(a);
    struct gemm by_v = heads(a, c.once), by_p = heads(a, 0);
    size_t all = weights(a);
    size_t rows = (size_t)a->h * (size_t)(a->shared ? 1 : a->b) * (size_t)a->n;
    real *room = card_room(ROOM_WORK, all * sizeof *room);
    size_t to_v[] = {by_v.step_b[0], by_v.step_b[1]};

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
        multiply(&by_v, used, gy, NULL, gv);
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
    multiply(&by_p, gy, v, NULL, room);
    launch_weigh_back(warps(rows), c, p, room, gscores);
}

static void card_attend(const struct attend *a, const real *scores,
                        const real *v, real *work, real *p, real *y)
{
    (void)work;
    attend_by(card_gemm, a, scores, v, p, y);
}

static void card_attend_back(const struct attend *a, const real *p,
                             const real *v, const real *gy, real *work,
                             real *gscores, real *gv)
{
    (void)work;
    attend_back_by(card_gemm, a, p, v, gy, gscores, gv);
}

static void card_attend_bf16(const struct attend *a, const real *scores,
                             const real *v, real *work, real *p, real *y)
{
    (void)work;
    attend_by(card_gemm_bf16, a, scores, v, p, y);
}

static void card_attend_back_bf16(const struct attend *a, const real *p,
                                  const real *v, const real *gy, real *work,
                                  real *gscores, real *gv)
{
    (void)work;
    attend_back_by(card_gemm_bf16, a, p, v, gy, gscores, gv);
}

/* ---- along the length ---- */

static void card_glu(int b, int n, int d, const int *length, const real *x,
                     real *y)
{
    launch_glu(values((size_t)b * (size_t)n * (size_t)d), b, n, d,
               card_ints((size_t)b, length), x, y);
}

static void card_glu_back(int b, int n, int d, const int *length, const real *x,
                          const real *gy, real *gx)
{
    launch_glu_back(values((size_t)b * (size_t)n * (size_t)d), b, n, d,
                    card_ints((size_t)b, length), x, gy, gx);
}

static void card_softmax(size_t rows, int k, const real *x, real *y)
{
    launch_softmax(warps(rows), rows, k, x, y);
}

static void card_softmax_back(size_t rows, int k, const real *y, const real *gy,
                              real *gx)
{
    launch_softmax_back(warps(rows), rows, k, y, gy, gx);
}

static struct cuda_conv conv_of(const struct conv *s)
{
    return (struct cuda_conv){s->b, s->n, s->m, s->d, s->heads, s->k, s->from,
                              s->first, s->shared};
}

static void card_conv(const struct conv *s, const real *u, const real *w,
                      const real *bias, real *y)
{
    launch_conv(values((size_t)s->b * (size_t)s->n * (size_t)s->d),
                conv_of(s), u, w, bias, y);
}

/* Computes the gradient of the taps of each row; if rows share the taps, sums
 * the gradients over the rows. */
static void card_conv_back(const struct conv *s, const real *u, const real *w,
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
        card_column_sums(1, rows, (int)taps, 0, all, gw);
}

static void card_mean(int b, int n, int d, const int *length, const real *x,
                      real *y)
{
    launch_mean(values((size_t)b * (size_t)d), b, n, d,
                card_ints((size_t)b, length), x, y);
}

static void card_mean_back(int b, int n, int d, const int *length,
                           const real *gy, real *gx)
{
    launch_mean_back(values((size_t)b * (size_t)n * (size_t)d), b, n, d,
                     card_ints((size_t)b, length), gy, gx);
}

/* ---- between the products ---- */

static void card_norm(size_t rows, int d, double eps, const real *x,
                      const real *gain, const real *bias, real *y, real *stat)
{
    launch_norm(warps(rows), rows, d, eps, x, gain, bias, y, stat);
}

static void card_norm_back(size_t rows, int d, const real *x, const real *gain,
                           const real *stat, const real *gy, real *gx,
                           real *ggain, real *gbias)
{
    size_t slices = parts(rows, SLICE), n = slices * (size_t)d;
    size_t tiles = parts((size_t)d, WARP);
    real *gains = card_room(ROOM_WORK, 2 * n * sizeof *gains);

    launch_norm_back(warps(rows), rows, d, gbias != NULL, x, gain, stat, gy,
                     gx);
    launch_norm_gains(tiles * slices, rows, d, SLICE, x, stat, gy, gains,
                      gbias ? gains + n : NULL);
    card_column_sums(1, slices, d, 0, gains, ggain);
    if (gbias)
        card_column_sums(1, slices, d, 0, gains + n, gbias);
}

static void card_embed(size_t rows, int n, int d, int from, const int *id,
                       const real *table, const real *wave, real scale, real *y)
{
    launch_embed(values(rows * (size_t)d), rows, n, d, from,
                 card_ints(rows, id), table, wave, scale, y);
}

/* The rows grouped by id: one group per id, divided into pieces of at most
 * PIECE rows. */
struct sorted {
    int  groups, pieces;
    int *item;            /* (rows) indices of rows, sorted by id        */
    int *piece;           /* (pieces + 1) where in `item` each begins    */
    int *group;           /* (groups + 1) where in `piece` each begins   */
    int *id;              /* (groups) id of each group                   */
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

static void card_embed_back(size_t rows, int n, int d, int from, const int *id,
                            real scale, const real *gy, real *gtable,
                            real *gwave)
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

static void card_drop_draw(int sites, size_t n, struct rng_key key,
                           uint64_t first, real keep, unsigned char *kept)
{
    launch_drop_draw(values((size_t)sites * (n / 8 + 2)), sites, n,
                     key_of(key), (size_t)first, limit_of(keep), kept);
}

static void card_drop_draw_packed(const struct packing *p, int d,
                                  struct rng_key key, int row, real keep,
                                  unsigned char *kept)
{
    size_t one = (size_t)p->n * (size_t)d, tokens = 0;

    for (int s = 0; s < p->b; s++)
        tokens += (size_t)p->length[s];
    launch_drop_draw_packed(values((size_t)p->b * (one / 8 + 2)), p->b, one, d,
                            starts_of(p), key_of(key), (size_t)row * one,
                            limit_of(keep), kept);
    card_zero(kept + tokens * (size_t)d,
              ((size_t)p->rows - tokens) * (size_t)d);
}

static void card_drop_add(size_t n, real keep, const unsigned char *kept,
                          const real *x, const real *z, real *y)
{
    launch_drop_add(values(n), n, keep, kept, x, z, y);
}

static void card_drop_back(size_t n, real keep, const unsigned char *kept,
                           const real *gy, real *gz)
{
    launch_drop_back(values(n), n, keep, kept, gy, gz);
}

/* ---- losses ---- */

static void card_cross_entropy(const struct cross_entropy *s, real *logits,
                               int gradient, double *nll, unsigned char *hit,
                               double *loss)
{
    struct cuda_loss l = {s->v, card_ints(s->rows, s->target), s->smoothing,
                          s->scale};
    double *smoothed = card_room(ROOM_SUMS, s->rows * sizeof *smoothed);

    launch_cross_entropy(s->rows, l, logits, gradient, nll, smoothed, hit);
    launch_total(1, s->rows, s->scale, smoothed, loss);
}

static void card_square_error(size_t n, double scale, const real *want,
                              const real *y, real *error, real *gy, double *nll,
                              double *loss)
{
    launch_square_error(values(n), n, scale, want, y, error, gy, nll);
    launch_total(1, n, scale, nll, loss);
}

/* ---- decoding ---- */

_Static_assert(sizeof(struct cuda_best) == sizeof(struct best) &&
                   offsetof(struct cuda_best, x) == offsetof(struct best, x) &&
                   offsetof(struct cuda_best, id) == offsetof(struct best, id),
               "the card writes struct best");

static void card_best(size_t rows, int v, int k, const real *x, real *work,
                      struct best *out)
{
    (void)work;
    launch_best(rows, v, k, x, (struct cuda_best *)out);
}

/* ---- optimisers ---- */

static void card_adam(size_t n, const struct adam *s, const real *g, real *p,
                      real *m, real *v)
{
    struct cuda_adam a = {
        (real)s->b1, (real)s->b2, (real)(1 - s->b1), (real)(1 - s->b2),
        (real)s->eps, (real)(s->lr / s->correct1),
        (real)(1 / sqrt(s->correct2))};

    launch_adam(values(n), n, a, g, p, m, v);
}

/* Returns the tensor of s as the kernels see it.  If the state is not factored,
 * all values form one row. */
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

/* Updates the moments of the rows and columns and the means of the row
 * moments. */
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

static void card_adafactor(const struct adafactor *s, const real *g, real *p,
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
    launch_total(1, spans, 1, sum + sums, u_squares);
    launch_adafactor(values(n), m, rate, g, v, mean,
                     dot_of(n, p, p, ROOM_SUMS), u_squares, p);
}

#define BUFFERS                                                               \
    .thread_begin = thread_begin, .loss_rows = CUDA_LOSS_ROWS,                \
    .adam_values = 1 << 26, .memory = &card_memory, .put = card_put,          \
    .get = card_get, .copy = card_copy, .zero = card_zero, .wait = card_wait

const struct backend backend_cuda = {
    .name = "cuda",
    BUFFERS,
#define KERNEL(name, class, work, ...) .name = card_##name,
#include "harness/engine/op_list.h"
};

#define card_gemm        card_gemm_bf16 /* backend_cuda_bf16 replaces these
                                           kernels */
#define card_attend      card_attend_bf16
#define card_attend_back card_attend_back_bf16

#define LOW                                                                   \
    .name = "cuda, bfloat16 products", BUFFERS, .lower = card_lower

const struct backend backend_cuda_bf16 = {
    LOW,
    .fuses = 1,
#define KERNEL(name, class, work, ...) .name = card_##name,
#include "harness/engine/op_list.h"
};

const struct backend backend_cuda_unfused = {
    LOW,
#define KERNEL(name, class, work, ...) .name = card_##name,
#include "harness/engine/op_list.h"
};
