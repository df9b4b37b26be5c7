/*
 * Products of small matrices, of which attention needs many.  Each product by
 * oneDNN has a fixed cost: with 32 rows, oneDNN reaches a third of its peak
 * throughput.  In addition, each length of a sentence needs a separate
 * primitive, which takes 50 to 1000 us and 100 kB.  Here a tile of C stays in
 * registers during the loop over k.
 */
#include "harness/engine/cpu/cpu.h"

#ifndef PLAIN_PRODUCTS

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* LANES is the number of values in a register, ROWS the number of rows of a
 * tile, and WIDE the number of its columns.  The processor has enough registers
 * for the sums of a tile, two registers of B and one of A. */
enum { LANES = 16, ROWS = 8, WIDE = 2 * LANES };
enum { LEAST = 8, MOST = 96 }; /* range of m, n and k of small products */
typedef real lanes
    __attribute__((vector_size(LANES * sizeof(real)), aligned(sizeof(real))));

/* sum += a b, rounded once.  Without AVX-512, only tests call this function,
 * because oneDNN is faster there. */
static inline __attribute__((always_inline)) void
add_product(lanes *sum, real a, const lanes *b)
{
#ifdef __AVX512F__
    *sum = _mm512_fmadd_ps(_mm512_set1_ps(a), *b, *sum);
#else
    for (int i = 0; i < LANES; i++)
        (*sum)[i] = __builtin_fmaf(a, (*b)[i], (*sum)[i]);
#endif
}

/* Prevents the compiler from fusing the product y with a later addition. */
#ifdef __AVX512F__
#define ROUNDED(y) __asm__("" : "+v"(y))
#else
#define ROUNDED(y) __asm__("" : "+m"(y))
#endif

/* Returns 1 if cpu_gemm_small can compute s.  cpu_gemm_small sums each element
 * in the order of k with fused multiply-adds, then applies alpha and adds to C.
 * Only products that oneDNN 2.6 with AVX-512 sums in the same way are accepted,
 * so both give bit-identical results. */
int cpu_gemm_is_small(const struct gemm *s, int bias)
{
    if (bias || s->relu || s->m > MOST || s->n > MOST || s->k > MOST)
        return 0;
    if (s->m < LEAST || s->n < LEAST || s->k < LEAST)
        return 0;
#ifdef __AVX512F__
    return (s->ta || !s->tb || s->m >= 16) &&
           backend_multiplies(PRECISION_BF16); /* AVX-512 is allowed */
#else
    return 0;
#endif
}

/* One product of the batch.  a_row is the distance in A between two rows of C;
 * a_k and b_k are the distances in A and B between two values of k. */
struct one {
    const real *a, *b;
    real       *c;
    size_t      a_row, a_k, b_k;
};

static inline __attribute__((always_inline)) void
tile(const struct gemm *s, struct one o, int rows, int wide, int columns)
{
    lanes sum[ROWS][2] = {{{0}}};
    real  alpha = s->alpha == 0 ? 1 : s->alpha;

    for (int k = 0; k < s->k; k++, o.a += o.a_k, o.b += o.b_k)
        for (int w = 0; w < wide; w++) {
            lanes b = *(const lanes *)(o.b + w * LANES);

            for (int r = 0; r < rows; r++)
                add_product(&sum[r][w], o.a[(size_t)r * o.a_row], &b);
        }
    for (int r = 0; r < rows; r++, o.c += s->ldc)
        for (int w = 0; w < wide; w++) {
            real *to = o.c + w * LANES;
            lanes y = alpha * sum[r][w];

            ROUNDED(y);
            if (columns == wide * LANES)
                *(lanes *)to = s->add ? *(lanes *)to + y : y;
            else
                for (int j = 0; j < LANES && w * LANES + j < columns; j++)
                    to[j] = s->add ? to[j] + y[j] : y[j];
        }
}

/* narrow and wide call tile() with constant numbers of rows and registers, so
 * that the compiler unrolls its loops. */
static void narrow(const struct gemm *s, struct one o, int rows, int columns)
{
    switch (rows) {
    case 8: tile(s, o, 8, 1, columns); break;
    case 4: tile(s, o, 4, 1, columns); break;
    case 2: tile(s, o, 2, 1, columns); break;
    default: tile(s, o, 1, 1, columns);
    }
}

static void wide(const struct gemm *s, struct one o, int rows, int columns)
{
    switch (rows) {
    case 8: tile(s, o, 8, 2, columns); break;
    case 4: tile(s, o, 4, 2, columns); break;
    case 2: tile(s, o, 2, 2, columns); break;
    default: tile(s, o, 1, 2, columns);
    }
}

/* Computes all rows of a strip of C; `columns` is at most WIDE. */
static void strip(const struct gemm *s, struct one o, int columns)
{
    int i = 0;

    for (int rows = ROWS; rows; rows /= 2)
        for (; i + rows <= s->m; i += rows) {
            (columns > LANES ? wide : narrow)(s, o, rows, columns);
            o.a += (size_t)rows * o.a_row;
            o.c += (size_t)rows * (size_t)s->ldc;
        }
}

/* Writes the transpose of the (LANES,LANES) block b to `to`.  Rows are ldb
 * values apart in b, and WIDE values apart in `to`. */
static void turn(const real *b, size_t ldb, real *to)
{
    lanes x[LANES], y[LANES];

    for (int i = 0; i < LANES; i++)
        x[i] = *(const lanes *)(b + (size_t)i * ldb);
    /* Each round interleaves rows i and i + 8 into rows 2 i and 2 i + 1.  After
     * four rounds, the block is transposed. */
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < LANES / 2; i++) {
            y[2 * i] = __builtin_shufflevector(
                x[i], x[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                22, 7, 23);
            y[2 * i + 1] = __builtin_shufflevector(
                x[i], x[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                14, 30, 15, 31);
        }
        memcpy(x, y, sizeof x);
    }
    for (int i = 0; i < LANES; i++)
        *(lanes *)(to + (size_t)i * WIDE) = x[i];
}

/* Copies `columns` columns of op(B) to `panel` (k,WIDE) and fills the other
 * columns of the panel with zeros. */
static void pack(const struct gemm *s, const real *b, int columns, real *panel)
{
    size_t ldb = (size_t)s->ldb;
    size_t down = s->tb ? 1 : ldb, right = s->tb ? ldb : 1;

    for (int k = 0; k < s->k; k += LANES)
        for (int j = 0; j < WIDE; j += LANES) {
            const real *from = b + (size_t)k * down + (size_t)j * right;
            real       *to = panel + k * WIDE + j;

            if (s->tb && k + LANES <= s->k && j + LANES <= columns) {
                turn(from, ldb, to);
                continue;
            }
            for (int q = 0; q < LANES && k + q < s->k; q++)
                for (int l = 0; l < LANES; l++)
                    to[q * WIDE + l] =
                        j + l < columns
                            ? from[(size_t)q * down + (size_t)l * right]
                            : 0;
        }
}

static void multiply(const struct gemm *s, struct one o)
{
    real        panel[MOST * WIDE] __attribute__((aligned(64)));
    const real *b = o.b;

    for (int j = 0; j < s->n; j += WIDE, o.c += WIDE) {
        int columns = s->n - j < WIDE ? s->n - j : WIDE;
        size_t at = (size_t)j * (size_t)(s->tb ? s->ldb : 1);

        o.b = b + at;
        o.b_k = (size_t)s->ldb;
        if (s->tb || columns % LANES) {
            pack(s, b + at, columns, panel);
            o.b = panel;
            o.b_k = WIDE;
        }
        strip(s, o, columns);
    }
}

void cpu_gemm_small(const struct gemm *s, const real *a, const real *b, real *c)
{
    size_t outer = s->outer ? (size_t)s->outer : 1;
    size_t inner = s->inner ? (size_t)s->inner : 1;
    size_t lda = (size_t)s->lda;

    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < inner; i++)
            multiply(s, (struct one){.a = a + o * s->step_a[0] +
                                          i * s->step_a[1],
                                     .b = b + o * s->step_b[0] +
                                          i * s->step_b[1],
                                     .c = c + o * s->step_c[0] +
                                          i * s->step_c[1],
                                     .a_row = s->ta ? 1 : lda,
                                     .a_k = s->ta ? lda : 1});
}

#endif
