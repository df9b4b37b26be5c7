/* launches: defines launch_NAME(blocks, arguments) for each kernel of
 * kernel_list.h.  If `blocks` is 0, launch_NAME does nothing.  The files of
 * cuda/ include this header to launch kernels. */
#pragma once

#include "harness/base/rng.h"
#include "harness/engine/cuda/card.h"

#define ADDRESS(type, name) (void *)&name
#define CUDA(name, ...)                                                       \
    static inline void launch_##name(size_t launch_blocks,                    \
                                     ROW_PARAMETERS(__VA_ARGS__))             \
    {                                                                         \
        void *arguments[] = {ROW_EACH(ADDRESS, __VA_ARGS__)};                 \
                                                                              \
        card_launch(CUDA_##name, launch_blocks, arguments);                   \
    }
#include "harness/engine/cuda/kernel_list.h"
#undef CUDA
#undef ADDRESS

/* n / of, rounded up */
static inline size_t parts(size_t n, size_t of) { return (n + of - 1) / of; }

/* The maximum number of blocks for kernels whose results do not depend on the
 * number of blocks. */
enum { BLOCKS_MOST = 4096 };

/* values(n) is the number of blocks for n values, one thread each, up to
 * BLOCKS_MOST; warps(n) is the number of blocks for n rows, one warp each. */
static inline size_t values(size_t n)
{
    size_t blocks = parts(n, BLOCK_THREADS);

    return blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST;
}

static inline size_t warps(size_t n) { return parts(n, WARPS); }

static inline struct cuda_key key_of(struct rng_key k)
{
    return (struct cuda_key){k.seed, k.site, k.stream, k.step};
}

/* Returns the limit below which 16 random bits mean that a value is kept. */
static inline unsigned limit_of(real keep)
{
    return (unsigned)((double)keep * 65536 + 0.5);
}
