/*
 * pcg64: bit-identical to the random numbers of numpy.random.default_rng(seed),
 * for statistics that must equal those of tools that draw with it.  All other
 * draws use base/rng.h.  Call pcg64_seed first.
 */
#pragma once

#include <stdint.h>

__extension__ typedef unsigned __int128 pcg64_word;

struct pcg64 {
    pcg64_word state, inc;
    /* half: 32 unused bits of a draw; bits: n_bits unused bits of pcg64_bit. */
    uint32_t   half, bits;
    int        has_half, n_bits;
};

void     pcg64_seed(struct pcg64 *g, uint32_t seed);
uint64_t pcg64_next(struct pcg64 *g);
uint32_t pcg64_next32(struct pcg64 *g);
uint32_t pcg64_below(struct pcg64 *g, uint32_t n); /* choice(n), n >= 1 */
int      pcg64_bit(struct pcg64 *g);               /* choice([0, 1])    */

/* Writes generate_state(8) of NumPy's SeedSequence(seed). */
void pcg64_seed_sequence(uint32_t out[8], uint32_t seed);
