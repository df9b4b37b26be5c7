/*
 * rng: counter-based random numbers, Philox 4x32-10 (Salmon et al., "Parallel
 * random numbers: as easy as 1, 2, 3", SC 2011).  Every draw is a pure
 * function of (seed, stream, step, site, index): no state to save, the same
 * on any number of threads, and a resumed run draws what the unbroken run
 * drew.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum rng_stream {
    RNG_INIT,    /* site: FNV-1a of the parameter's name          */
    RNG_SHUFFLE, /* step: the epoch                               */
    RNG_DROPOUT, /* step: the training step; site: the op         */
    RNG_DATA,    /* generators; site: split                       */
    RNG_STATS,   /* bootstrap                                     */
    RNG_TEST,
    RNG_TRACE    /* traces; site: FNV-1a of what is drawn         */
};

/* The largest seed that can be asked for: any JSON reader keeps it. */
#define RNG_SEED_MAX ((INT64_C(1) << 53) - 1)

struct rng_key { uint64_t seed; uint32_t stream, step; uint64_t site; };

/* out[0..3]: four words of the block `index`. */
void     rng_block(struct rng_key k, uint64_t index, uint32_t out[4]);
/* The blocks index, index + 1, ...: several times as fast as one by one. */
enum { RNG_BLOCKS = 16 };
void     rng_blocks(struct rng_key k, uint64_t index,
                    uint32_t out[RNG_BLOCKS][4]);
uint64_t rng_bits(struct rng_key k, uint64_t index);
double   rng_uniform(struct rng_key k, uint64_t index); /* [0,1)       */
double   rng_normal(struct rng_key k, uint64_t index);  /* mean 0 sd 1 */
/* Uniform in 0 .. n-1, n > 0, without bias worth a test (n < 2^32). */
uint32_t rng_below(struct rng_key k, uint64_t index, uint32_t n);
/* order[0..n-1] = a permutation of 0..n-1; n rows in such an order. */
void     rng_shuffle(struct rng_key k, int n, int *order);
void     rng_shuffle_rows(struct rng_key k, int n, void *rows, size_t bytes);
