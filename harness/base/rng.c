#include "harness/base/rng.h"

#include "harness/base/owned.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 10 };

/* Computes `n` blocks side by side, so that the compiler can vectorize.  The
 * four words of the counter are the low and the high word of the index, the
 * step, and the high word of the site combined with the stream.  The key
 * combines the seed and the low word of the site by exclusive or, because the
 * key of Philox 4x32 has only two words. */
static inline __attribute__((always_inline)) void
blocks(struct rng_key k, uint64_t index, int n, uint32_t out[][4])
{
    uint32_t c0[RNG_BLOCKS], c1[RNG_BLOCKS], c2[RNG_BLOCKS], c3[RNG_BLOCKS];
    uint32_t k0 = (uint32_t)k.seed;
    uint32_t k1 = (uint32_t)(k.seed >> 32) ^ (uint32_t)k.site;

    for (int i = 0; i < n; i++) {
        c0[i] = (uint32_t)(index + (uint64_t)i);
        c1[i] = (uint32_t)((index + (uint64_t)i) >> 32);
        c2[i] = k.step;
        c3[i] = (uint32_t)(k.site >> 32) ^ k.stream << 24;
    }
    for (int r = 0; r < ROUNDS; r++) {
        #pragma omp simd /* vectorize before gcc unrolls the loop */
        for (int i = 0; i < n; i++) {
            uint64_t a = (uint64_t)0xD2511F53u * c0[i];
            uint64_t b = (uint64_t)0xCD9E8D57u * c2[i];

            c0[i] = (uint32_t)(b >> 32) ^ c1[i] ^ k0;
            c2[i] = (uint32_t)(a >> 32) ^ c3[i] ^ k1;
            c1[i] = (uint32_t)b;
            c3[i] = (uint32_t)a;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    for (int i = 0; i < n; i++) {
        out[i][0] = c0[i];
        out[i][1] = c1[i];
        out[i][2] = c2[i];
        out[i][3] = c3[i];
    }
}

void rng_block(struct rng_key k, uint64_t index, uint32_t out[4])
{
    uint32_t one[1][4];

    blocks(k, index, 1, one);
    for (int i = 0; i < 4; i++)
        out[i] = one[0][i];
}

void rng_blocks(struct rng_key k, uint64_t index, uint32_t out[RNG_BLOCKS][4])
{
    blocks(k, index, RNG_BLOCKS, out);
}

uint64_t rng_bits(struct rng_key k, uint64_t index)
{
    uint32_t w[4];

    rng_block(k, index, w);
    return (uint64_t)w[1] << 32 | w[0];
}

double rng_uniform(struct rng_key k, uint64_t index)
{
    return (double)(rng_bits(k, index) >> 11) * 0x1p-53;
}

double rng_normal(struct rng_key k, uint64_t index) /* Box-Muller */
{
    uint32_t w[4];

    rng_block(k, index, w);
    double u = ((double)w[0] + (double)w[1] * 0x1p-32 + 0x1p-33) * 0x1p-32;
    double v = ((double)w[2] + (double)w[3] * 0x1p-32) * 0x1p-32;
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

uint32_t rng_below(struct rng_key k, uint64_t index, uint32_t n)
{
    return (uint32_t)((rng_bits(k, index) >> 32) * n >> 32);
}

/* Uses the algorithm of Fisher and Yates. */
void rng_shuffle_rows(struct rng_key k, int n, void *rows, size_t bytes)
{
    OWNED(free) char *keep = malloc(bytes);

    for (int i = n - 1; i > 0; i--) {
        uint32_t j = rng_below(k, (uint64_t)i, (uint32_t)i + 1);
        char *one = (char *)rows + (size_t)i * bytes;
        char *other = (char *)rows + j * bytes;

        memcpy(keep, one, bytes);
        memmove(one, other, bytes);
        memcpy(other, keep, bytes);
    }
}

void rng_shuffle(struct rng_key k, int n, int *order)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    rng_shuffle_rows(k, n, order, sizeof *order);
}
