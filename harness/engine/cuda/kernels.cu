/*
 * The kernels of the card, in the subset of C of grid.h.  kernel_list.h says
 * what each kernel computes, and engine/op_list.h defines the kernels of the
 * backend that launch.c builds from them.  Sums have a fixed order that depends
 * on shapes only: each lane adds every 32nd value, then a tree adds the lanes.
 */
#include "harness/engine/cuda/grid.h"
#include "harness/engine/exp.h"

union bits { float f; unsigned u; };

/* Returns e^x in double: 2^n times the series of e^r, |r| <= ln 2 / 2. */
DEVICE double exp_64(double x)
{
    const double magic = 6755399441055744.0; /* 1.5 2^52: rounds */
    union { double d; size_t u; } two;
    double c = x < -700 ? -700 : x > 700 ? 700 : x, sum = 1;

    two.d = c * 1.4426950408889634 + magic;
    double n = two.d - magic;
    double r = (c - n * 0.69314718036912382) - n * 1.9082149292705877e-10;
    for (int k = 14; k > 0; k--)
        sum = 1 + sum * (r / k);
    two.u = (two.u + 1023) << 52; /* the shift removes magic's bits */
    return x < -700 ? 0 : sum * two.d;
}

/* Returns the natural logarithm of a positive, normal x = m 2^e: twice the
 * series of artanh((m - 1) / (m + 1)), with m between sqrt(1/2) and sqrt(2). */
DEVICE double log_of(double x)
{
    union { double d; size_t u; } m = {x};
    int e = (int)(m.u >> 52) - 1023;
    double sum = 0;

    m.u = (m.u & 0xfffffffffffffull) | 0x3ff0000000000000ull;
    if (m.d > 1.4142135623730951) {
        m.d /= 2;
        e++;
    }
    double s = (m.d - 1) / (m.d + 1), square = s * s;
    for (int k = 21; k > 0; k -= 2)
        sum = sum * square + 1.0 / k;
    return 2 * s * sum + e * 0.6931471805599453;
}

DEVICE real warp_sum(real v)
{
    for (int x = WARP / 2; x; x /= 2)
        v += exchange(v, x);
    return v;
}

DEVICE real warp_max(real v)
{
    for (int x = WARP / 2; x; x /= 2) {
        real o = exchange(v, x);

        v = o > v ? o : v;
    }
    return v;
}

DEVICE double warp_sum_64(double v)
{
    for (int x = WARP / 2; x; x /= 2)
        v += exchange_64(v, x);
    return v;
}

/* Returns the sum over all threads of the block, in each thread. */
DEVICE double block_sum_64(double v)
{
    SHARED double part[WARPS];

    v = warp_sum_64(v);
    SYNC(); /* the previous sum has been read */
    if (LANE == 0)
        part[THREAD / WARP] = v;
    SYNC();
    v = part[0];
    for (int w = 1; w < WARPS; w++)
        v += part[w];
    return v;
}

/* ---- vectors ---- */

GLOBAL cuda_axpy(size_t n, real a, const real *x, real *y)
{
    EACH(i, n)
        y[i] += a * x[i];
}

GLOBAL cuda_relu_back(size_t n, const real *y, real *g)
{
    EACH(i, n)
        g[i] = y[i] > 0 ? g[i] : 0;
}

GLOBAL cuda_relu_back_low(size_t n, const unsigned short *y, real *g)
{
    EACH(i, n)
        g[i] = y[i] - 1u < 0x7f80 ? g[i] : 0; /* up to 0x7f80: infinity */
}

/* Returns x rounded to bfloat16, ties to even. */
DEVICE unsigned short bf16_of(real x)
{
    union bits u = {(float)x};
    unsigned up = u.u + 0x7fff + (u.u >> 16 & 1);

    return (unsigned short)((u.u & 0x7fffffff) > 0x7f800000 ? 0x7fc0
                                                            : up >> 16);
}

GLOBAL cuda_lower(size_t n, const real *x, unsigned short *low)
{
    EACH(i, n)
        low[i] = bf16_of(x[i]);
}

GLOBAL cuda_dots(size_t n, const real *x, const real *y, double *sum)
{
    size_t from = BLOCK * SPAN, end = n - from < SPAN ? n : from + SPAN;
    double all = 0;

    for (size_t i = from + (size_t)THREAD; i < end; i += BLOCK_THREADS)
        all += (double)x[i] * (double)y[i];
    all = block_sum_64(all);
    if (THREAD == 0)
        sum[BLOCK] = all;
}

GLOBAL cuda_total(size_t n, double scale, const double *x, double *sum)
{
    double all = 0;

    for (size_t i = (size_t)THREAD; i < n; i += BLOCK_THREADS)
        all += x[i];
    all = block_sum_64(all);
    if (THREAD == 0)
        *sum = scale * all;
}

/* Adds v over the warps of the block, separately for each lane (column).  Warp
 * 0 gets the sums. */
DEVICE real down(real v)
{
    SHARED real part[WARPS][WARP];
    int warp = THREAD / WARP;

    SYNC(); /* the previous sums have been read */
    part[warp][LANE] = v;
    for (int s = WARPS / 2; s; s /= 2) {
        SYNC();
        if (warp < s)
            part[warp][LANE] += part[warp + s][LANE];
    }
    return part[warp][LANE];
}

/* The part of x that a block of column sums adds: the outer part, the slice
 * with its rows `from` to `end` - 1, and the column of this lane. */
struct strip { size_t outer, slice, from, end; int column; };

DEVICE struct strip strip_of(size_t rows, int n, size_t slice)
{
    size_t tiles = (size_t)(n + WARP - 1) / WARP, at = BLOCK / tiles;
    size_t slices = (rows + slice - 1) / slice;
    struct strip s = {at / slices, at % slices, at % slices * slice, rows,
                      (int)(BLOCK % tiles) * WARP + LANE};

    s.end = rows - s.from < slice ? rows : s.from + slice;
    return s;
}

GLOBAL cuda_column_sums(size_t rows, int n, size_t slice, size_t step, int add,
                        const real *x, real *sum)
{
    struct strip s = strip_of(rows, n, slice);
    size_t wide = (size_t)n, j = (size_t)s.column;
    size_t to = s.outer * step + s.slice * wide + j;
    real all = 0;

    x += s.outer * rows * wide;
    for (size_t r = s.from + (size_t)(THREAD / WARP);
         r < s.end && s.column < n; r += WARPS)
        all += x[r * wide + j];
    all = down(all);
    if (THREAD < WARP && s.column < n)
        sum[to] = add ? sum[to] + all : all;
}

/* ---- dropout ---- */

/* Draws block `at` of eight values of 16 bits, by Philox 4x32-10
 * (base/rng.c). */
DEVICE void draw_block(struct cuda_key key, size_t at, unsigned c[4])
{
    unsigned k0 = (unsigned)key.seed;
    unsigned k1 = (unsigned)(key.seed >> 32) ^ (unsigned)key.site;

    c[0] = (unsigned)at;
    c[1] = (unsigned)(at >> 32);
    c[2] = key.step;
    c[3] = (unsigned)(key.site >> 32) ^ key.stream << 24;
    for (int i = 0; i < 10; i++) {
        size_t x = (size_t)0xD2511F53u * c[0];
        size_t y = (size_t)0xCD9E8D57u * c[2];

        c[0] = (unsigned)(y >> 32) ^ c[1] ^ k0;
        c[2] = (unsigned)(x >> 32) ^ c[3] ^ k1;
        c[1] = (unsigned)y;
        c[3] = (unsigned)x;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

/* Returns 1 if value i of a block is kept, else 0. */
DEVICE unsigned is_kept(const unsigned c[4], size_t i, unsigned limit)
{
    return (c[i / 2] >> i % 2 * 16 & 0xffff) < limit;
}

/* Draws block `at` and stores those of its values that have counters `first` to
 * `first` + n - 1 in `kept`, which begins at counter `first`. */
DEVICE void draw(struct cuda_key key, size_t at, size_t n, size_t first,
                 unsigned limit, unsigned char *kept)
{
    unsigned c[4];

    draw_block(key, at, c);
    for (size_t i = 0; i < 8; i++)
        if (at * 8 + i >= first && at * 8 + i < first + n)
            kept[at * 8 + i - first] = (unsigned char)is_kept(c, i, limit);
}

GLOBAL cuda_drop_draw(int sites, size_t n, struct cuda_key key, size_t first,
                      unsigned limit, unsigned char *kept)
{
    size_t blocks = (first % 8 + n + 7) / 8, site = key.site;

    EACH(b, (size_t)sites * blocks) {
        key.site = site + b / blocks;
        draw(key, first / 8 + b % blocks, n, first, limit,
             kept + b / blocks * n);
    }
}

GLOBAL cuda_drop_draw_packed(int b, size_t one, int d, const int *start,
                             struct cuda_key key, size_t first, unsigned limit,
                             unsigned char *kept)
{
    size_t blocks = one / 8 + 2; /* maximum for one sentence */

    EACH(i, (size_t)b * blocks) {
        size_t s = i / blocks, from = first + s * one, wide = (size_t)d;
        size_t begin = (size_t)start[s] * wide;

        draw(key, from / 8 + i % blocks, (size_t)start[s + 1] * wide - begin,
             from, limit, kept + begin);
    }
}

GLOBAL cuda_drop_add(size_t n, real keep, const unsigned char *kept,
                     const real *x, const real *z, real *y)
{
    EACH(i, n) {
        real add = kept ? (kept[i] ? z[i] / keep : 0) : z[i];

        y[i] = x ? x[i] + add : add;
    }
}

GLOBAL cuda_drop_back(size_t n, real keep, const unsigned char *kept,
                      const real *gy, real *gz)
{
    EACH(i, n)
        gz[i] += kept ? (kept[i] ? gy[i] / keep : 0) : gy[i];
}

/* ---- rows and blocks ---- */

GLOBAL cuda_move_blocks(struct cuda_blocks s, int add, const real *from,
                        real *to)
{
    EACH(i, s.outer * s.rows * s.cols) {
        size_t o = i / (s.rows * s.cols), r = i / s.cols % s.rows;
        size_t c = i % s.cols, at = o * s.to[0] + r * s.to[1] + c;
        real x = from[o * s.from[0] + r * s.from[1] + c];

        to[at] = add ? to[at] + x : x;
    }
}

GLOBAL cuda_gather(size_t rows, size_t cols, size_t step, size_t to_step,
                   const int *row, const real *from, real *to)
{
    EACH(i, rows * cols)
        to[i / cols * to_step + i % cols] =
            from[(size_t)row[i / cols] * step + i % cols];
}

GLOBAL cuda_scatter_add(size_t rows, size_t cols, const int *row,
                        const real *from, real *to)
{
    EACH(i, rows * cols)
        to[(size_t)row[i / cols] * cols + i % cols] += from[i];
}

GLOBAL cuda_spread(int b, size_t narrow, size_t wide, const real *from,
                   real *to)
{
    EACH(i, (size_t)b * wide) {
        size_t j = i % wide;

        to[i] = j < narrow ? from[i / wide * narrow + j] : 0;
    }
}

/* Returns the sentence of packed row r, or b if r follows all sentences. */
DEVICE int sentence_of(int b, const int *start, int r)
{
    int low = 0, high = b;

    while (low < high) {
        int middle = (low + high) / 2;

        if (start[middle + 1] > r)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

GLOBAL cuda_pack(struct cuda_packing p, const int *start, int add,
                 const real *wide, real *packed)
{
    size_t d = (size_t)p.d, one = (size_t)p.rows * d;

    EACH(i, (size_t)p.h * one) {
        int r = (int)(i % one / d), s = sentence_of(p.b, start, r);
        size_t row = (i / one * (size_t)p.b + (size_t)s) * (size_t)p.n;
        real x = 0;

        if (s < p.b)
            x = wide[(row + (size_t)(r - start[s])) * d + i % d];
        if (s < p.b || !add)
            packed[i] = add ? packed[i] + x : x;
    }
}

GLOBAL cuda_unpack(struct cuda_packing p, const int *start, int add,
                   const real *packed, real *wide)
{
    size_t d = (size_t)p.d, n = (size_t)p.n, one = (size_t)p.b * n * d;

    EACH(i, (size_t)p.h * one) {
        size_t s = i % one / (n * d), k = i / d % n;
        size_t from = (size_t)start[s] + k;
        int token = from < (size_t)start[s + 1];
        real x = 0;

        if (token)
            x = packed[(i / one * (size_t)p.rows + from) * d + i % d];
        if (token || !add)
            wide[i] = add ? wide[i] + x : x;
    }
}

/* ---- mixtures ---- */

GLOBAL cuda_mix_weights(int parts, int sigmoid, const real *a, double *w)
{
    double sum = 0;
    real top = a[0];

    if (BLOCK > 0 || THREAD > 0)
        return;
    if (sigmoid) {
        w[1] = 1 / (1 + exp_64(-(double)a[0]));
        w[0] = 1 - w[1];
        return;
    }
    for (int i = 1; i < parts; i++)
        top = a[i] > top ? a[i] : top;
    for (int i = 0; i < parts; i++)
        sum += w[i] = exp_64((double)a[i] - (double)top);
    for (int i = 0; i < parts; i++)
        w[i] /= sum;
}

GLOBAL cuda_mix_weights_back(int parts, int sigmoid, const double *w,
                             const double *gw, real *ga)
{
    double mean = 0;

    if (BLOCK > 0 || THREAD > 0)
        return;
    for (int i = 0; i < parts; i++)
        mean += w[i] * gw[i];
    for (int i = 0; i < (sigmoid ? 1 : parts); i++)
        ga[i] += (real)(sigmoid ? w[0] * w[1] * (gw[1] - gw[0])
                                : w[i] * (gw[i] - mean));
}

DEVICE real factor_of(const struct cuda_mix *s, int p, const double *w)
{
    return p < s->parts && w ? (real)w[p] : 1;
}

GLOBAL cuda_mix(struct cuda_mix s, const double *w, real *y)
{
    size_t b = (size_t)s.b;

    EACH(i, (size_t)s.h * b * s.len) {
        int head = (int)(i / (b * s.len));
        size_t j = i / s.len % b;
        real sum = 0;

        for (int p = 0; p <= s.parts; p++) {
            int h = head - s.of[p].first;
            size_t wide = (size_t)s.of[p].b;

            if (h >= 0 && h < s.of[p].h)
                sum += factor_of(&s, p, w) *
                       s.of[p].x[((size_t)h * wide + (wide > 1 ? j : 0)) *
                                     s.len + i % s.len];
        }
        y[i] = sum;
    }
}

GLOBAL cuda_mix_back(struct cuda_mix s, int p, const double *w,
                     const real *gy, real *gx, double *sum)
{
    size_t wide = (size_t)s.of[p].b, each = (size_t)s.b / wide;
    size_t n = (size_t)s.of[p].h * wide * s.len, from = BLOCK * SPAN;
    size_t end = n - from < SPAN ? n : from + SPAN;
    real factor = factor_of(&s, p, w);
    double all = 0;

    for (size_t i = from + (size_t)THREAD; i < end; i += BLOCK_THREADS) {
        size_t h = (size_t)s.of[p].first + i / (wide * s.len);
        size_t at = (h * (size_t)s.b + i / s.len % wide) * s.len + i % s.len;
        double g = 0;

        for (size_t j = 0; j < each; j++)
            g += (double)gy[at + j * s.len];
        if (sum)
            all += g * (double)s.of[p].x[i];
        if (gx)
            gx[i] += factor * (real)g;
    }
    if (!sum)
        return;
    all = block_sum_64(all);
    if (THREAD == 0)
        sum[BLOCK] = all;
}

/* ---- normalisation, softmax ---- */

GLOBAL cuda_norm(size_t rows, int d, double eps, const real *x,
                 const real *gain, const real *bias, real *y, real *stat)
{
    size_t r = WARP_AT, at = r * (size_t)d;
    real sum = 0, square = 0, mean = 0;

    if (r >= rows)
        return;
    for (int j = LANE; j < d; j += WARP)
        sum += x[at + (size_t)j];
    sum = warp_sum(sum);
    if (bias)
        mean = sum / (real)d;
    for (int j = LANE; j < d; j += WARP) {
        real z = x[at + (size_t)j] - mean;

        square += z * z;
    }
    real rstd = (real)(1 / ROOT_64((double)warp_sum(square) / d + eps));
    for (int j = LANE; j < d; j += WARP)
        y[at + (size_t)j] = (x[at + (size_t)j] - mean) * rstd * gain[j] +
                            (bias ? bias[j] : 0);
    if (LANE == 0) {
        stat[2 * r] = mean;
        stat[2 * r + 1] = rstd;
    }
}

GLOBAL cuda_norm_back(size_t rows, int d, int biased, const real *x,
                      const real *gain, const real *stat, const real *gy,
                      real *gx)
{
    size_t r = WARP_AT, at = r * (size_t)d;
    real sum = 0, along = 0;

    if (r >= rows)
        return;
    real mean = stat[2 * r], rstd = stat[2 * r + 1];
    for (int j = LANE; j < d; j += WARP) {
        real z = (x[at + (size_t)j] - mean) * rstd;
        real u = gy[at + (size_t)j] * gain[j];

        sum += u;
        along += u * z;
    }
    sum = warp_sum(sum);
    sum = biased ? sum / (real)d : 0;
    along = warp_sum(along) / (real)d;
    for (int j = LANE; j < d; j += WARP) {
        real z = (x[at + (size_t)j] - mean) * rstd;

        gx[at + (size_t)j] +=
            rstd * (gy[at + (size_t)j] * gain[j] - sum - z * along);
    }
}

GLOBAL cuda_norm_gains(size_t rows, int d, size_t slice, const real *x,
                       const real *stat, const real *gy, real *gain,
                       real *bias)
{
    struct strip s = strip_of(rows, d, slice);
    size_t wide = (size_t)d, j = (size_t)s.column;
    real gains = 0, biases = 0;

    for (size_t r = s.from + (size_t)(THREAD / WARP);
         r < s.end && s.column < d; r += WARPS) {
        real g = gy[r * wide + j];

        gains += g * ((x[r * wide + j] - stat[2 * r]) * stat[2 * r + 1]);
        biases += g;
    }
    gains = down(gains);
    biases = down(biases);
    if (THREAD >= WARP || s.column >= d)
        return;
    gain[s.slice * wide + j] = gains;
    if (bias)
        bias[s.slice * wide + j] = biases;
}

GLOBAL cuda_softmax(size_t rows, int k, const real *x, real *y)
{
    size_t r = WARP_AT, at = r * (size_t)k;
    real sum = 0;

    if (r >= rows)
        return;
    real top = x[at];
    for (int j = LANE; j < k; j += WARP)
        top = x[at + (size_t)j] > top ? x[at + (size_t)j] : top;
    top = warp_max(top);
    for (int j = LANE; j < k; j += WARP)
        sum += y[at + (size_t)j] = exp_of(x[at + (size_t)j] - top);
    sum = warp_sum(sum);
    for (int j = LANE; j < k; j += WARP)
        y[at + (size_t)j] /= sum;
}

GLOBAL cuda_softmax_back(size_t rows, int k, const real *y, const real *gy,
                         real *gx)
{
    size_t r = WARP_AT, at = r * (size_t)k;
    real sum = 0;

    if (r >= rows)
        return;
    for (int j = LANE; j < k; j += WARP)
        sum += y[at + (size_t)j] * gy[at + (size_t)j];
    sum = warp_sum(sum);
    for (int j = LANE; j < k; j += WARP)
        gx[at + (size_t)j] += y[at + (size_t)j] * (gy[at + (size_t)j] - sum);
}

/* ---- scores ---- */

GLOBAL cuda_pair(size_t rows, int a, int c, int m, const real *fa,
                 const real *fc, real *out)
{
    EACH(i, rows * (size_t)m) {
        size_t r = i / (size_t)m;
        int j = (int)(i % (size_t)m);

        out[i] = fa[r * (size_t)a + (size_t)(j % a)] *
                 fc[r * (size_t)c + (size_t)(j / a)];
    }
}

GLOBAL cuda_pair_back(size_t rows, int a, int c, int m, const real *fa,
                      const real *fc, const real *gout, real *ga, real *gc)
{
    EACH(i, rows * (size_t)a) {
        size_t r = i / (size_t)a;
        real sum = 0;

        for (int j = (int)(i % (size_t)a); j < m; j += a)
            sum += gout[r * (size_t)m + (size_t)j] *
                   fc[r * (size_t)c + (size_t)(j / a)];
        ga[i] += sum;
    }
    EACH(i, rows * (size_t)c) {
        size_t r = i / (size_t)c;
        int from = (int)(i % (size_t)c) * a;
        real sum = 0;

        for (int j = from; j < from + a && j < m; j++)
            sum += gout[r * (size_t)m + (size_t)j] *
                   fa[r * (size_t)a + (size_t)(j - from)];
        gc[i] += sum;
    }
}

GLOBAL cuda_columns(int r, int h, int N, int n, int m, const real *r1,
                    const real *r2, real *y)
{
    size_t wide = (size_t)m, step = (size_t)h * (size_t)N;

    EACH(i, (size_t)h * wide) {
        size_t at = i / wide * (size_t)N + i % wide;
        real *to = y + i / wide * (size_t)n * wide + i % wide, sum = 0;

        for (size_t t = 0; t < (size_t)r; t++)
            sum += r1[t * step + at] * r2[t * step + at];
        for (size_t k = 0; k < (size_t)n; k++)
            to[k * wide] = sum;
    }
}

GLOBAL cuda_columns_back(int r, int h, int N, int n, int m, const real *r1,
                         const real *r2, const real *gy, real *gr1, real *gr2)
{
    size_t wide = (size_t)m, step = (size_t)h * (size_t)N;

    EACH(i, (size_t)h * wide) {
        size_t at = i / wide * (size_t)N + i % wide;
        const real *from = gy + i / wide * (size_t)n * wide + i % wide;
        real g = 0;

        for (size_t k = 0; k < (size_t)n; k++)
            g += from[k * wide];
        for (size_t t = 0; t < (size_t)r; t++) {
            gr1[t * step + at] += g * r2[t * step + at];
            gr2[t * step + at] += g * r1[t * step + at];
        }
    }
}

GLOBAL cuda_diagonals(int n, int m, int h, const int *row, const real *table,
                      real *y)
{
    size_t one = (size_t)n * (size_t)m;

    EACH(at, (size_t)h * one) {
        int i = (int)(at % one / (size_t)m), j = (int)(at % (size_t)m);

        y[at] = table[(size_t)row[j - i + n - 1] * (size_t)h + at / one];
    }
}

GLOBAL cuda_diagonal_sums(int n, int m, int h, const real *gy, real *sum)
{
    size_t diagonals = (size_t)(n + m - 1);

    EACH(at, (size_t)h * diagonals) {
        int far = (int)(at % diagonals) - (n - 1); /* j - i */
        const real *from = gy + at / diagonals * (size_t)n * (size_t)m;
        real all = 0;

        for (int i = far < 0 ? -far : 0; i < n && i + far < m; i++)
            all += from[(size_t)i * (size_t)m + (size_t)(i + far)];
        sum[at] = all;
    }
}

GLOBAL cuda_diagonals_back(int n, int m, int h, int rows, const int *row,
                           const real *sum, real *table)
{
    EACH(at, (size_t)rows * (size_t)h) {
        const real *from = sum + at % (size_t)h * (size_t)(n + m - 1);
        real all = 0;

        for (int o = 0; o < n + m - 1; o++)
            if (row[o] == (int)(at / (size_t)h))
                all += from[o];
        table[at] += all;
    }
}

/* ---- attention ---- */

/* Returns the number of keys that row i of sentence s sees, as attend_visible
 * (backend.h) does. */
DEVICE int visible(const struct cuda_attend *a, size_t s, int i)
{
    int end = a->m, before = a->from + i + 1;

    if (a->length && a->length[s] < end)
        end = a->length[s];
    return a->causal && before < end ? before : end;
}

/* The row of scores that a warp processes: head, sentence, row and number of
 * visible keys, and the offsets of the row in arrays (h,b,n,m) (`at`), in p and
 * in the scores. */
struct place { size_t h, s; int i, end; size_t at, p, scores; };

DEVICE struct place place_of(const struct cuda_attend *a, size_t h, size_t s,
                             int i)
{
    size_t row = h * (size_t)a->n + (size_t)i, m = (size_t)a->m;
    size_t all = (h * (size_t)a->b + s) * (size_t)a->n + (size_t)i;
    struct place x = {h, s, i, visible(a, s, i), all * m,
                      (a->once ? row : all) * m,
                      (a->shared ? row : all) * m};

    return x;
}

GLOBAL cuda_weigh(struct cuda_attend a, const real *scores, real *p,
                  real *thin)
{
    size_t b = (size_t)(a.once ? 1 : a.b), n = (size_t)a.n, r = WARP_AT;

    if (r >= (size_t)a.h * b * n)
        return;
    struct place x = place_of(&a, r / (b * n), r / n % b, (int)(r % n));
    const real *from = scores + x.scores;
    real top = from[0], sum = 0;

    for (int j = LANE; j < x.end; j += WARP)
        top = from[j] > top ? from[j] : top;
    top = warp_max(top);
    for (int j = LANE; j < x.end; j += WARP) {
        real e = a.linear ? from[j] : exp_of(from[j] - top);

        p[x.p + (size_t)j] = e;
        sum += e;
    }
    sum = warp_sum(sum);
    real share = a.linear ? 1 : x.end > 0 ? 1 / sum : 0;
    for (int j = LANE; j < a.m; j += WARP) {
        size_t at = x.p + (size_t)j;
        real y = j < x.end ? p[at] * share : 0;

        p[at] = y;
        if (thin)
            thin[at] = a.kept[at] ? y / a.keep : 0;
    }
}

GLOBAL cuda_thin(size_t n, real keep, const unsigned char *kept,
                 const real *p, real *thin)
{
    EACH(i, n)
        thin[i] = kept[i] ? p[i] / keep : 0;
}

/* Returns the gradient of the weight at `at`, passed through dropout. */
DEVICE real passed(const struct cuda_attend *a, const real *gp, size_t at)
{
    return !a->kept ? gp[at] : a->kept[at] ? gp[at] / a->keep : 0;
}

/* If the scores are shared, one warp adds the gradients of the sentences one
 * after another. */
GLOBAL cuda_weigh_back(struct cuda_attend a, const real *p, const real *gp,
                       real *gscores)
{
    size_t b = (size_t)a.b, own = a.shared ? 1 : b, n = (size_t)a.n;
    size_t r = WARP_AT;

    if (r >= (size_t)a.h * own * n)
        return;
    for (size_t k = 0; k < b / own; k++) {
        size_t s = a.shared ? k : r / n % b;
        struct place x = place_of(&a, r / (own * n), s, (int)(r % n));
        real sum = 0;

        for (int j = LANE; j < x.end && !a.linear; j += WARP)
            sum += p[x.p + (size_t)j] * passed(&a, gp, x.at + (size_t)j);
        sum = warp_sum(sum);
        for (int j = LANE; j < x.end; j += WARP) {
            real g = passed(&a, gp, x.at + (size_t)j);

            gscores[x.scores + (size_t)j] +=
                a.linear ? g : p[x.p + (size_t)j] * (g - sum);
        }
    }
}

/* ---- along the length ---- */

DEVICE real sigmoid(real x) { return 1 / (1 + exp_of(-x)); }

/* Returns 1 if row r of (b,n) lies before the end of its sentence. */
DEVICE int inside(const int *length, size_t r, int n)
{
    return !length || (int)(r % (size_t)n) < length[r / (size_t)n];
}

GLOBAL cuda_glu(int b, int n, int d, const int *length, const real *x,
                real *y)
{
    size_t wide = (size_t)d;

    EACH(i, (size_t)b * (size_t)n * wide) {
        size_t r = i / wide, at = 2 * r * wide + i % wide;

        y[i] = inside(length, r, n) ? x[at] * sigmoid(x[at + wide]) : 0;
    }
}

GLOBAL cuda_glu_back(int b, int n, int d, const int *length, const real *x,
                     const real *gy, real *gx)
{
    size_t wide = (size_t)d;

    EACH(i, (size_t)b * (size_t)n * wide) {
        size_t r = i / wide, at = 2 * r * wide + i % wide;
        real s = sigmoid(x[at + wide]);

        if (!inside(length, r, n))
            continue;
        gx[at] += gy[i] * s;
        gx[at + wide] += gy[i] * x[at] * s * (1 - s);
    }
}

/* Returns the offset of tap j of channel c in row r. */
DEVICE size_t tap_at(const struct cuda_conv *s, size_t r, int c, int j)
{
    size_t g = (size_t)c * (size_t)s->heads / (size_t)s->d;

    return ((s->shared ? 0 : r * (size_t)s->heads) + g) * (size_t)s->k +
           (size_t)j;
}

GLOBAL cuda_conv(struct cuda_conv s, const real *u, const real *w,
                 const real *bias, real *y)
{
    size_t d = (size_t)s.d, n = (size_t)s.n;

    EACH(i, (size_t)s.b * n * d) {
        size_t r = i / d;
        int c = (int)(i % d), first = s.from + (int)(r % n) + s.first;
        const real *from = u + r / n * (size_t)s.m * d + c;
        real sum = bias ? bias[c] : 0;

        for (int j = first < 0 ? -first : 0; j < s.k && first + j < s.m; j++)
            sum += w[tap_at(&s, r, c, j)] * from[(size_t)(first + j) * d];
        y[i] = sum;
    }
}

GLOBAL cuda_conv_back(struct cuda_conv s, const real *w, const real *gy,
                      real *gu)
{
    size_t d = (size_t)s.d, m = (size_t)s.m;

    EACH(i, (size_t)s.b * m * d) {
        size_t b = i / (m * d);
        int c = (int)(i % d), at = (int)(i / d % m);
        real sum = 0;

        for (int j = 0; j < s.k; j++) {
            int row = at - s.from - s.first - j;
            size_t r = b * (size_t)s.n + (size_t)row;

            if (row >= 0 && row < s.n)
                sum += w[tap_at(&s, r, c, j)] * gy[r * d + (size_t)c];
        }
        gu[i] += sum;
    }
}

GLOBAL cuda_conv_taps(struct cuda_conv s, int add, const real *u,
                      const real *gy, real *taps)
{
    size_t d = (size_t)s.d, n = (size_t)s.n, x = WARP_AT;
    size_t r = x / (size_t)s.heads;
    int g = (int)(x % (size_t)s.heads);
    int from = (g * s.d + s.heads - 1) / s.heads;
    int end = ((g + 1) * s.d + s.heads - 1) / s.heads;

    if (r >= (size_t)s.b * n)
        return;
    for (int j = 0; j < s.k; j++) {
        int at = s.from + (int)(r % n) + s.first + j;
        size_t row = (r / n * (size_t)s.m + (size_t)(at < 0 ? 0 : at)) * d;
        real sum = 0;

        for (int c = from + LANE; c < end && at >= 0 && at < s.m; c += WARP)
            sum += gy[r * d + (size_t)c] * u[row + (size_t)c];
        sum = warp_sum(sum);
        size_t to = x * (size_t)s.k + (size_t)j;
        if (LANE == 0)
            taps[to] = add ? taps[to] + sum : sum;
    }
}

GLOBAL cuda_mean(int b, int n, int d, const int *length, const real *x,
                 real *y)
{
    size_t wide = (size_t)d;

    EACH(i, (size_t)b * wide) {
        size_t s = i / wide;
        const real *from = x + s * (size_t)n * wide + i % wide;
        real share = 1 / (real)length[s], sum = 0;

        for (size_t k = 0; k < (size_t)length[s]; k++)
            sum += share * from[k * wide];
        y[i] = sum;
    }
}

GLOBAL cuda_mean_back(int b, int n, int d, const int *length, const real *gy,
                      real *gx)
{
    size_t wide = (size_t)d;

    EACH(i, (size_t)b * (size_t)n * wide) {
        size_t r = i / wide, s = r / (size_t)n;

        if (inside(length, r, n))
            gx[i] += 1 / (real)length[s] * gy[s * wide + i % wide];
    }
}

/* ---- embedding ---- */

GLOBAL cuda_embed(size_t rows, int n, int d, int from, const int *id,
                  const real *table, const real *wave, real scale, real *y)
{
    size_t wide = (size_t)d;

    EACH(i, rows * wide) {
        size_t r = i / wide, j = i % wide;
        size_t at = ((size_t)from + r % (size_t)n) * wide + j;

        y[i] = scale * table[(size_t)id[r] * wide + j] + (wave ? wave[at] : 0);
    }
}

GLOBAL cuda_group_sums(int groups, int d, const int *start, const int *item,
                       const int *to, real scale, int add, const real *x,
                       real *out)
{
    size_t wide = (size_t)d;

    EACH(i, (size_t)groups * wide) {
        size_t g = i / wide, j = i % wide;
        size_t at = (size_t)(to ? to[g] : (int)g) * wide + j;
        real sum = 0;

        for (int k = start[g]; k < start[g + 1]; k++)
            sum += x[(size_t)(item ? item[k] : k) * wide + j];
        out[at] = add ? out[at] + scale * sum : scale * sum;
    }
}

GLOBAL cuda_wave_back(int b, int n, int d, const real *x, real *wave)
{
    size_t one = (size_t)n * (size_t)d;

    EACH(i, one) {
        real sum = 0;

        for (size_t s = 0; s < (size_t)b; s++)
            sum += x[s * one + i];
        wave[i] += sum;
    }
}

/* ---- losses ---- */

/* A value and its index; index `none` means that there is no value. */
struct best { real x; int at; };

DEVICE struct best better(struct best a, struct best b)
{
    return b.x > a.x || (b.x == a.x && b.at < a.at) ? b : a;
}

DEVICE struct best either(struct best a, struct best b, int none)
{
    return a.at == none ? b : b.at == none ? a : better(a, b);
}

/* Returns, in each thread, the largest value of the block and its first
 * index. */
DEVICE struct best block_best(struct best v, int none)
{
    SHARED struct best part[WARPS];

    for (int x = WARP / 2; x; x /= 2) {
        real o = exchange(v.x, x);
        struct best other = {o, (int)exchange_64(v.at, x)};

        v = either(v, other, none);
    }
    SYNC(); /* the previous values have been read */
    if (LANE == 0)
        part[THREAD / WARP] = v;
    SYNC();
    v = part[0];
    for (int w = 1; w < WARPS; w++)
        v = either(v, part[w], none);
    return v;
}

GLOBAL cuda_cross_entropy(struct cuda_loss s, real *logits, int gradient,
                          double *nll, double *smoothed, unsigned char *hit)
{
    real *x = logits + BLOCK * (size_t)s.v;
    int target = s.target[BLOCK];
    struct best best = {x[0], 0};
    real at = x[target];
    double all = 0, mass = 0;

    for (int j = THREAD; j < s.v; j += BLOCK_THREADS) {
        struct best one = {x[j], j};

        best = better(best, one);
        all += (double)x[j];
    }
    best = block_best(best, s.v);
    all = block_sum_64(all);
    for (int j = THREAD; j < s.v; j += BLOCK_THREADS) {
        real e = exp_of(x[j] - best.x);

        mass += (double)e;
        if (gradient)
            x[j] = e;
    }
    mass = block_sum_64(mass);
    double lse = (double)best.x + log_of(mass), loss = lse - (double)at;
    double e = s.smoothing, rest = s.v > 1 ? e / (s.v - 1) : 0;
    double others = all - (double)at - (s.v - 1) * lse; /* sum of log p */
    real scale = (real)(s.scale / mass), less = (real)(s.scale * rest);

    for (int j = THREAD; j < s.v && gradient; j += BLOCK_THREADS) {
        real y = x[j] * scale - less;

        x[j] = j == target ? y - (real)(s.scale * (1 - e - rest)) : y;
    }
    if (THREAD == 0) {
        nll[BLOCK] = loss;
        smoothed[BLOCK] = (1 - e) * loss - (e > 0 ? rest * others : 0);
        hit[BLOCK] = best.at == target;
    }
}

GLOBAL cuda_square_error(size_t n, double scale, const real *want,
                         const real *y, real *error, real *gy, double *nll)
{
    EACH(i, n) {
        real e = y[i] - want[i];

        error[i] = e;
        nll[i] = (double)e * (double)e;
        if (gy)
            gy[i] += (real)(2 * scale) * e;
    }
}

/* ---- decoding ---- */

GLOBAL cuda_best(int v, int k, const real *x, struct cuda_best *out)
{
    struct best last = {0, 0};
    double mass = 0;

    x += BLOCK * (size_t)v;
    out += BLOCK * (size_t)k;
    for (int n = 0; n < k; n++) {
        struct best top = {0, v}; /* no value yet */

        for (int j = THREAD; j < v; j += BLOCK_THREADS) {
            struct best one = {x[j], j};
            int left = n == 0 || one.x < last.x ||
                       (one.x == last.x && one.at > last.at);

            if (left)
                top = top.at == v ? one : better(top, one);
        }
        last = block_best(top, v);
        for (int j = THREAD; j < v && n == 0; j += BLOCK_THREADS)
            mass += (double)exp_of(x[j] - last.x);
        if (n == 0)
            mass = (double)last.x + log_of(block_sum_64(mass));
        if (THREAD == 0) {
            struct cuda_best found = {mass, last.x, last.at};

            out[n] = found;
        }
    }
}

/* ---- optimisers ---- */

GLOBAL cuda_adam(size_t n, struct cuda_adam s, const real *g, real *p,
                 real *m, real *v)
{
    EACH(i, n) {
        m[i] = s.b1 * m[i] + s.c1 * g[i];
        v[i] = s.b2 * v[i] + s.c2 * g[i] * g[i];
        p[i] -= s.step * m[i] / (ROOT(v[i]) * s.unbias + s.eps);
    }
}

GLOBAL cuda_far_squares(struct cuda_matrix s, const real *g, double *sum)
{
    size_t w = WARP_AT;
    double all = 0;

    if (w >= s.outer * s.far)
        return;
    g += w / s.far * s.step_outer + w % s.far * s.step_far;
    for (size_t j = (size_t)LANE; j < s.near; j += WARP) {
        double x = (double)g[j * s.step_near];

        all += x * x;
    }
    all = warp_sum_64(all);
    if (LANE == 0)
        sum[w] = all;
}

GLOBAL cuda_near_squares(struct cuda_matrix s, size_t slice, const real *g,
                         double *sum)
{
    SHARED double part[WARPS][WARP];
    size_t slices = (s.far + slice - 1) / slice;
    size_t tiles = (s.near + WARP - 1) / WARP, o = BLOCK / (tiles * slices);
    size_t t = BLOCK / tiles % slices, from = t * slice, warp = THREAD / WARP;
    size_t j = BLOCK % tiles * WARP + (size_t)LANE;
    size_t end = s.far - from < slice ? s.far : from + slice;
    double all = 0;

    for (size_t i = from + warp; i < end && j < s.near; i += WARPS) {
        double x = (double)g[o * s.step_outer + i * s.step_far +
                             j * s.step_near];

        all += x * x;
    }
    part[warp][LANE] = all;
    for (size_t k = WARPS / 2; k; k /= 2) {
        SYNC();
        if (warp < k)
            part[warp][LANE] += part[warp + k][LANE];
    }
    if (warp == 0 && j < s.near)
        sum[(o * slices + t) * s.near + j] = part[0][LANE];
}

GLOBAL cuda_moments(size_t outer, size_t cols, size_t slices,
                    struct cuda_decay c, const double *sum, real *v)
{
    EACH(i, outer * cols) {
        size_t o = i / cols, j = i % cols;
        double all = 0;

        for (size_t t = 0; t < slices; t++)
            all += sum[(o * slices + t) * cols + j];
        v[o * c.step + j] =
            (real)(c.decay * (double)v[o * c.step + j] +
                   (1 - c.decay) * (all / c.n + c.eps));
    }
}

GLOBAL cuda_row_means(size_t outer, size_t rows, size_t step, const real *v,
                      double *mean)
{
    size_t o = WARP_AT;
    double all = 0;

    if (o >= outer)
        return;
    for (size_t i = (size_t)LANE; i < rows; i += WARP)
        all += (double)v[o * step + i];
    all = warp_sum_64(all);
    if (LANE == 0)
        mean[o] = all / (double)rows;
}

/* Returns u = g / sqrt(second moment) of value i of the tensor, where values
 * are counted matrix by matrix with the near axis last, and stores the offset
 * of the value in *at. */
DEVICE double unit(const struct cuda_matrix *s, size_t i, const real *g,
                   const real *v, const double *mean, size_t *at)
{
    size_t one = s->far * s->near, o = i / one, k = i % one;
    size_t row = s->far_is_row ? k / s->near : k % s->near;
    size_t col = s->far_is_row ? k % s->near : k / s->near;
    size_t rows = s->far_is_row ? s->far : s->near;

    *at = o * s->step_outer + k / s->near * s->step_far +
          k % s->near * s->step_near;
    if (!mean)
        return (double)g[*at] / ROOT_64((double)v[i]);
    v += o * (s->far + s->near);
    double second = (double)v[row] / mean[o] * (double)v[rows + col];
    return (double)g[*at] / ROOT_64(second);
}

GLOBAL cuda_units(struct cuda_matrix s, const real *g, const real *v,
                  const double *mean, double *sum)
{
    size_t n = s.outer * s.far * s.near, from = BLOCK * SPAN, at;
    size_t end = n - from < SPAN ? n : from + SPAN;
    double all = 0;

    for (size_t i = from + (size_t)THREAD; i < end; i += BLOCK_THREADS) {
        double u = unit(&s, i, g, v, mean, &at);

        all += u * u;
    }
    all = block_sum_64(all);
    if (THREAD == 0)
        sum[BLOCK] = all;
}

GLOBAL cuda_adafactor(struct cuda_matrix s, struct cuda_rate r, const real *g,
                      const real *v, const double *mean,
                      const double *p_squares, const double *u_squares,
                      real *p)
{
    size_t n = s.outer * s.far * s.near, at;
    double rms_p = ROOT_64(*p_squares / (double)n);
    double rms_u = ROOT_64(*u_squares / (double)n);
    double size = rms_p > r.eps ? rms_p : r.eps;
    double over = rms_u / r.clip, rate = r.lr * size / (over > 1 ? over : 1);

    EACH(i, n) {
        double u = unit(&s, i, g, v, mean, &at);

        p[at] = (real)((double)p[at] - rate * u);
    }
}

#include "harness/engine/cuda/gemm.cu"
#include "harness/engine/cuda/attend.cu"
