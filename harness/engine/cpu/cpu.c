#include "harness/engine/cpu/cpu.h"

#include "harness/engine/flops.h"

#include <omp.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Denormals slow Adam threefold: flush them.  One thread a product: the
 * threads of a step are its shards (train/train.h). */
static void thread_begin(void)
{
#ifdef __SSE2__
    _mm_setcsr(_mm_getcsr() | 0x8040); /* FTZ, DAZ */
#endif
    omp_set_num_threads(1);
}

static void copy(void *d, const void *s, size_t n) { memcpy(d, s, n); }
static void zero(void *p, size_t n) { memset(p, 0, n); }


static void axpy(size_t n, real a, const real *x, real *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

static double dot(size_t n, const real *x, const real *y)
{
    double sum = 0;

    #pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

static void column_sums(size_t rows, int n, const real *x, real *sum)
{
    for (size_t r = 0; r < rows; r++)
        for (int j = 0; j < n; j++)
            sum[j] += x[r * (size_t)n + (size_t)j];
}

static void relu_back(size_t n, const real *y, real *gy)
{
    for (size_t i = 0; i < n; i++)
        gy[i] = y[i] > 0 ? gy[i] : 0;
}

static void embed(size_t rows, int n, int d, int from, const int *id,
                  const real *table, const real *wave, real scale, real *y)
{
    for (size_t r = 0; r < rows; r++) {
        const real *e = table + (size_t)id[r] * (size_t)d;
        size_t at = ((size_t)from + r % (size_t)n) * (size_t)d;
        real *to = y + r * (size_t)d;

        for (int j = 0; j < d; j++)
            to[j] = scale * e[j] + (wave ? wave[at + (size_t)j] : 0);
    }
}

static void embed_back(size_t rows, int n, int d, int from, const int *id,
                       real scale, const real *gy, real *gtable, real *gwave)
{
    size_t wide = (size_t)d;

    for (size_t r = 0; r < rows && gtable; r++)
        axpy(wide, scale, gy + r * wide, gtable + (size_t)id[r] * wide);
    for (size_t r = 0; r < rows && gwave; r++)
        axpy(wide, 1, gy + r * wide,
             gwave + ((size_t)from + r % (size_t)n) * wide);
}

static void diagonals(int n, int m, int h, const int *row, const real *table,
                      real *y)
{
    for (int k = 0; k < h; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                *y++ = table[row[j - i + n - 1] * h + k];
}

static void diagonals_back(int n, int m, int h, const int *row, const real *gy,
                           real *gtable)
{
    for (int k = 0; k < h; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                gtable[row[j - i + n - 1] * h + k] += *gy++;
}

static void columns(int r, int h, int N, int n, int m, const real *r1,
                    const real *r2, real *y)
{
    for (int i = 0; i < h; i++) {
        real *row = y + (size_t)i * (size_t)n * (size_t)m;

        for (int j = 0; j < m; j++) {
            row[j] = 0;
            for (int t = 0; t < r; t++)
                row[j] += r1[(t * h + i) * N + j] * r2[(t * h + i) * N + j];
        }
        for (int k = 1; k < n; k++)
            memcpy(row + (size_t)k * (size_t)m, row, (size_t)m * sizeof *row);
    }
}

static void columns_back(int r, int h, int N, int n, int m, const real *r1,
                         const real *r2, const real *gy, real *gr1, real *gr2)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < m; j++) {
            real g = 0;

            for (int k = 0; k < n; k++)
                g += gy[(i * n + k) * m + j];
            for (int t = 0; t < r; t++) {
                gr1[(t * h + i) * N + j] += g * r2[(t * h + i) * N + j];
                gr2[(t * h + i) * N + j] += g * r1[(t * h + i) * N + j];
            }
        }
}

/* Sixteen bits decide one value: eight values a block of Philox. */
static void drop_draw(size_t n, struct rng_key key, uint64_t first, real keep,
                      unsigned char *kept)
{
    uint32_t limit = (uint32_t)((double)keep * 65536 + 0.5);

    for (size_t i = 0; i < n;) {
        uint64_t at = first + i;
        uint32_t w[4];

        rng_block(key, at / 8, w);
        for (unsigned j = (unsigned)(at % 8); j < 8 && i < n; j++, i++)
            kept[i] = (w[j / 2] >> 16 * (j % 2) & 0xffff) < limit;
    }
}

static void drop_add(size_t n, real keep, const unsigned char *kept,
                     const real *x, const real *z, real *y)
{
    for (size_t i = 0; i < n; i++) {
        real add = kept ? (kept[i] ? z[i] / keep : 0) : z[i];

        y[i] = x ? x[i] + add : add;
    }
}

static void drop_back(size_t n, real keep, const unsigned char *kept,
                      const real *gy, real *gz)
{
    for (size_t i = 0; i < n; i++)
        gz[i] += kept ? (kept[i] ? gy[i] / keep : 0) : gy[i];
}

static void pair(size_t rows, int a, int c, int m, const real *fa,
                 const real *fc, real *out)
{
    for (size_t r = 0; r < rows; r++)
        for (int j = 0; j < m; j++)
            out[r * (size_t)m + (size_t)j] =
                fa[r * (size_t)a + (size_t)(j % a)] *
                fc[r * (size_t)c + (size_t)(j / a)];
}

static void pair_back(size_t rows, int a, int c, int m, const real *fa,
                      const real *fc, const real *gout, real *ga, real *gc)
{
    for (size_t r = 0; r < rows; r++)
        for (int j = 0; j < m; j++) {
            size_t i = r * (size_t)a + (size_t)(j % a);
            size_t k = r * (size_t)c + (size_t)(j / a);
            real g = gout[r * (size_t)m + (size_t)j];

            ga[i] += g * fc[k];
            gc[k] += g * fa[i];
        }
}

static void mean(int b, int n, int d, const int *length, const real *x,
                 real *y)
{
    memset(y, 0, (size_t)b * (size_t)d * sizeof *y);
    for (int s = 0; s < b; s++)
        for (int i = 0; i < length[s]; i++)
            axpy((size_t)d, 1 / (real)length[s],
                 x + ((size_t)s * (size_t)n + (size_t)i) * (size_t)d,
                 y + (size_t)s * (size_t)d);
}

static void mean_back(int b, int n, int d, const int *length, const real *gy,
                      real *gx)
{
    for (int s = 0; s < b; s++)
        for (int i = 0; i < length[s]; i++)
            axpy((size_t)d, 1 / (real)length[s], gy + (size_t)s * (size_t)d,
                 gx + ((size_t)s * (size_t)n + (size_t)i) * (size_t)d);
}

#define KERNELS \
    .put = copy, \
    .get = copy, \
    .zero = zero, \
    .thread_begin = thread_begin, \
    .axpy = axpy, \
    .dot = dot, \
    .column_sums = column_sums, \
    .relu_back = relu_back, \
    .norm = cpu_norm, \
    .norm_back = cpu_norm_back, \
    .embed = embed, \
    .embed_back = embed_back, \
    .drop_draw = drop_draw, \
    .drop_add = drop_add, \
    .drop_back = drop_back, \
    .attend = cpu_attend, \
    .attend_back = cpu_attend_back, \
    .pair = pair, \
    .pair_back = pair_back, \
    .columns = columns, \
    .columns_back = columns_back, \
    .diagonals = diagonals, \
    .diagonals_back = diagonals_back, \
    .glu = cpu_glu, \
    .glu_back = cpu_glu_back, \
    .softmax = cpu_softmax, \
    .softmax_back = cpu_softmax_back, \
    .conv = cpu_conv, \
    .conv_back = cpu_conv_back, \
    .mean = mean, \
    .mean_back = mean_back, \
    .cross_entropy = cpu_cross_entropy, \
    .adam = cpu_adam, \
    .adafactor = cpu_adafactor

const struct backend backend_cpu = {.name = "cpu", .gemm = cpu_gemm, KERNELS};

const struct backend backend_bf16 = {.name = "cpu, bfloat16 products",
                                     .gemm = cpu_gemm_bf16, KERNELS};

const struct backend *backend_of(enum precision p)
{
    return p == PRECISION_BF16 ? &backend_bf16 : &backend_cpu;
}
