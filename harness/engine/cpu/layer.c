#include "harness/engine/cpu/cpu.h"

void cpu_embed(size_t rows, int n, int d, int from, const int *id,
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

void cpu_embed_back(size_t rows, int n, int d, int from, const int *id,
                    real scale, const real *gy, real *gtable, real *gwave)
{
    size_t wide = (size_t)d;

    for (size_t r = 0; r < rows && gtable; r++)
        cpu_axpy(wide, scale, gy + r * wide, gtable + (size_t)id[r] * wide);
    for (size_t r = 0; r < rows && gwave; r++)
        cpu_axpy(wide, 1, gy + r * wide,
                 gwave + ((size_t)from + r % (size_t)n) * wide);
}

/* Draws each value from 16 bits, so a block of Philox yields eight values. */
static void draw_mask(size_t n, struct rng_key key, uint64_t first, real keep,
                      unsigned char *kept)
{
    enum { WORDS = 4 * RNG_BLOCKS, VALUES = 2 * WORDS };
    uint32_t limit = (uint32_t)((double)keep * 65536 + 0.5);
    size_t done;

    for (size_t i = 0; i < n; i += done) {
        uint64_t at = first + i;
        size_t skip = at % 8;
        uint32_t w[RNG_BLOCKS][4];
        uint16_t half[VALUES];
        unsigned char drawn[VALUES];

        rng_blocks(key, at / 8, w);
        for (int j = 0; j < WORDS; j++) {
            half[2 * j] = (uint16_t)w[j / 4][j % 4];
            half[2 * j + 1] = (uint16_t)(w[j / 4][j % 4] >> 16);
        }
        for (int j = 0; j < VALUES; j++)
            drawn[j] = half[j] < limit;
        done = n - i < VALUES - skip ? n - i : VALUES - skip;
        memcpy(kept + i, drawn + skip, done);
    }
}

void cpu_drop_draw(int sites, size_t n, struct rng_key key, uint64_t first,
                   real keep, unsigned char *kept)
{
    for (int s = 0; s < sites; s++, key.site++)
        draw_mask(n, key, first, keep, kept + (size_t)s * n);
}

void cpu_drop_draw_packed(const struct packing *p, int d, struct rng_key key,
                          int row, real keep, unsigned char *kept)
{
    const unsigned char *end = kept + (size_t)p->rows * (size_t)d;
    uint64_t one = (uint64_t)p->n * (uint64_t)d;

    for (int s = 0; s < p->b; s++) {
        size_t n = (size_t)p->length[s] * (size_t)d;

        draw_mask(n, key, (uint64_t)(row + s) * one, keep, kept);
        kept += n;
    }
    memset(kept, 0, (size_t)(end - kept));
}

void cpu_drop_add(size_t n, real keep, const unsigned char *kept,
                  const real *x, const real *z, real *y)
{
    for (size_t i = 0; i < n; i++) {
        real add = kept ? (kept[i] ? z[i] / keep : 0) : z[i];

        y[i] = x ? x[i] + add : add;
    }
}

void cpu_drop_back(size_t n, real keep, const unsigned char *kept,
                   const real *gy, real *gz)
{
    for (size_t i = 0; i < n; i++)
        gz[i] += kept ? (kept[i] ? gy[i] / keep : 0) : gy[i];
}

void cpu_mean(int b, int n, int d, const int *length, const real *x, real *y)
{
    memset(y, 0, (size_t)b * (size_t)d * sizeof *y);
    for (int s = 0; s < b; s++)
        for (int i = 0; i < length[s]; i++)
            cpu_axpy((size_t)d, 1 / (real)length[s],
                     x + ((size_t)s * (size_t)n + (size_t)i) * (size_t)d,
                     y + (size_t)s * (size_t)d);
}

void cpu_mean_back(int b, int n, int d, const int *length, const real *gy,
                   real *gx)
{
    for (int s = 0; s < b; s++)
        for (int i = 0; i < length[s]; i++)
            cpu_axpy((size_t)d, 1 / (real)length[s],
                     gy + (size_t)s * (size_t)d,
                     gx + ((size_t)s * (size_t)n + (size_t)i) * (size_t)d);
}
