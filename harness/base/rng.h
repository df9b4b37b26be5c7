/*
 * rng: counter-based random numbers, Philox 4x32-10 (Salmon et al., "Parallel
 * random numbers: as easy as 1, 2, 3", SC 2011).  It is the only source of
 * randomness of a cell.  Every number is a pure function of (seed, stream,
 * step, site, index).  So there is no state to save, the number of threads does
 * not matter, and a resumed run draws the same numbers as an uninterrupted one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What the numbers are for, and what `step` and `site` mean there. */
enum rng_stream {
    RNG_INIT,    /* site: FNV-1a of the parameter's name          */
    RNG_SHUFFLE, /* step: the epoch                               */
    RNG_DROPOUT, /* step: the training step; site: the op         */
    RNG_DATA,    /* synthetic examples; site: the split           */
    RNG_STATS,   /* bootstrap                                     */
    RNG_TEST,
    RNG_TRACE    /* traces; site: FNV-1a of the drawn array       */
};

/* The largest seed that is accepted: every JSON reader represents it
 * exactly. */
#define RNG_SEED_MAX ((INT64_C(1) << 53) - 1)

struct rng_key { uint64_t seed; uint32_t stream, step; uint64_t site; };

/* Writes the four words of Philox's block `index`. */
void     rng_block(struct rng_key k, uint64_t index, uint32_t out[4]);
/* Writes RNG_BLOCKS consecutive blocks, from block `index` on.  This is several
 * times faster than calling rng_block for each block. */
enum { RNG_BLOCKS = 16 };
void     rng_blocks(struct rng_key k, uint64_t index,
                    uint32_t out[RNG_BLOCKS][4]);
uint64_t rng_bits(struct rng_key k, uint64_t index);
double   rng_uniform(struct rng_key k, uint64_t index); /* [0,1)       */
double   rng_normal(struct rng_key k, uint64_t index);  /* mean 0, sd 1 */
/* Returns a number from 0 to n-1, where n > 0.  It is uniform, except for a
 * bias that no test can detect. */
uint32_t rng_below(struct rng_key k, uint64_t index, uint32_t n);
/* rng_shuffle writes a random permutation of 0..n-1 to `order`;
 * rng_shuffle_rows permutes `n` rows of `bytes` bytes in the same way. */
void     rng_shuffle(struct rng_key k, int n, int *order);
void     rng_shuffle_rows(struct rng_key k, int n, void *rows, size_t bytes);
