/*
 * PCG XSL RR 128/64 (O'Neill 2014): each step sets the state of 128 bits to
 * state * multiplier + increment; the output is the exclusive or of the two
 * halves of the state, rotated right by the top six bits of the state.  The
 * seed is hashed into a pool of four words, as by NumPy's SeedSequence.
 * pcg64_below multiplies 32-bit draws with rejection (Lemire, ACM TOMACS 2019).
 */
#include "harness/stats/pcg64.h"

enum { POOL = 4 };

static pcg64_word join(uint64_t high, uint64_t low)
{
    return (pcg64_word)high << 64 | low;
}

/* Hashes `value`.  Each call multiplies *constant, which the next call uses. */
static uint32_t hash(uint32_t value, uint32_t *constant, uint32_t multiplier)
{
    value ^= *constant;
    *constant *= multiplier;
    value *= *constant;
    return value ^ value >> 16;
}

static uint32_t mix(uint32_t x, uint32_t y)
{
    uint32_t r = 0xCA01F9DDu * x - 0x4973F715u * y;

    return r ^ r >> 16;
}

void pcg64_seed_sequence(uint32_t out[8], uint32_t seed)
{
    uint32_t pool[POOL], in = 0x43B0D7E5u, to = 0x8B51F9DDu;

    for (int i = 0; i < POOL; i++)
        pool[i] = hash(i ? 0 : seed, &in, 0x931E8875u);
    for (int from = 0; from < POOL; from++)
        for (int i = 0; i < POOL; i++)
            if (i != from)
                pool[i] = mix(pool[i], hash(pool[from], &in, 0x931E8875u));
    for (int i = 0; i < 8; i++)
        out[i] = hash(pool[i % POOL], &to, 0x58F38DEDu);
}

static void step(struct pcg64 *g)
{
    g->state *= join(0x2360ED051FC65DA4u, 0x4385DF649FCCF645u);
    g->state += g->inc;
}

void pcg64_seed(struct pcg64 *g, uint32_t seed)
{
    uint32_t w[8];
    uint64_t q[4];

    pcg64_seed_sequence(w, seed);
    for (int i = 0; i < 4; i++)
        q[i] = (uint64_t)w[2 * i + 1] << 32 | w[2 * i];
    *g = (struct pcg64){.inc = join(q[2], q[3]) << 1 | 1};
    step(g);
    g->state += join(q[0], q[1]);
    step(g);
}

uint64_t pcg64_next(struct pcg64 *g)
{
    step(g);
    uint64_t high = (uint64_t)(g->state >> 64), x = high ^ (uint64_t)g->state;
    unsigned by = (unsigned)(high >> 58);
    return x >> by | x << (-by & 63);
}

static uint32_t pcg64_next32(struct pcg64 *g)
{
    if (g->has_half) {
        g->has_half = 0;
        return g->half;
    }
    uint64_t x = pcg64_next(g);
    g->half = (uint32_t)(x >> 32);
    g->has_half = 1;
    return (uint32_t)x;
}

uint32_t pcg64_below(struct pcg64 *g, uint32_t n)
{
    if (n < 2) /* nothing to draw */
        return 0;
    uint64_t m = (uint64_t)pcg64_next32(g) * n;
    if ((uint32_t)m < n)
        for (uint32_t least = -n % n; (uint32_t)m < least;)
            m = (uint64_t)pcg64_next32(g) * n;
    return (uint32_t)(m >> 32);
}

int pcg64_bit(struct pcg64 *g)
{
    if (!g->n_bits) {
        g->bits = pcg64_next32(g);
        g->n_bits = 32;
    }
    int bit = g->bits & 1;
    g->bits >>= 1;
    g->n_bits--;
    return bit;
}
