/*
 * pcg64: random numbers that are bit-identical to those of
 * numpy.random.default_rng(seed), for statistics that must equal the results of
 * tools that use NumPy.  All other draws use base/rng.h.  Call pcg64_seed
 * first.
 */
#pragma once

#include <stdint.h>

__extension__ typedef unsigned __int128 pcg64_word;

struct pcg64 {
    pcg64_word state, inc;
    /* `half` is the unused half of a draw, if has_half is 1; `bits` holds
     * n_bits bits that pcg64_bit has drawn but not returned. */
    uint32_t   half, bits;
    int        has_half, n_bits;
};

void     pcg64_seed(struct pcg64 *g, uint32_t seed);
uint64_t pcg64_next(struct pcg64 *g);
/* pcg64_below draws like NumPy's choice(n), n >= 1, and pcg64_bit like
 * choice([0, 1]). */
uint32_t pcg64_below(struct pcg64 *g, uint32_t n);
int      pcg64_bit(struct pcg64 *g);

/* Sets `out` to NumPy's SeedSequence(seed).generate_state(8). */
void pcg64_seed_sequence(uint32_t out[8], uint32_t seed);
