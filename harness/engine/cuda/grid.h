/*
 * grid: the subset of C in which kernels.cu is written.  kernels.cu is compiled
 * twice: by clang (-x cuda) to PTX for the card, and by the host's compiler for
 * tests, where the threads of a block are fibers that switch at barriers
 * (tests/support/grid.h).  Neither fused multiply-adds nor approximate
 * instructions are used, so the results of both are bit-identical.
 *
 * A block has BLOCK_THREADS threads in warps of WARP.  All threads of a block
 * must reach each SYNC, and all lanes of a warp each `exchange` and WARP_SYNC.
 */
#pragma once

#include "harness/engine/cuda/kernels.h"

#ifdef __CUDA__
#ifdef __CUDA_ARCH__
#define GLOBAL                                                                \
    extern "C" __attribute__((global))                                        \
    __attribute__((launch_bounds(BLOCK_THREADS))) void
#else /* clang also parses the text for the host, but generates no code */
#define GLOBAL extern "C" __attribute__((global)) void
#endif
#define DEVICE      static __attribute__((device, always_inline)) inline
#define SHARED      __attribute__((shared))
#define THREAD      ((int)__nvvm_read_ptx_sreg_tid_x())
#define BLOCK       ((size_t)__nvvm_read_ptx_sreg_ctaid_x())
#define BLOCKS      ((size_t)__nvvm_read_ptx_sreg_nctaid_x())
#define SYNC()      __syncthreads()
#define WARP_SYNC() __nvvm_bar_warp_sync(0xffffffffu)
#define UNROLL      _Pragma("unroll") /* keeps arrays in registers */
#define ROOT(x)     __builtin_sqrtf(x)
#define ROOT_64(x)  __builtin_sqrt(x)

/* Returns the v that lane LANE ^ x of the warp passes in the same call. */
DEVICE real exchange(real v, int x)
{
    return __nvvm_shfl_sync_bfly_f32(0xffffffffu, v, x, 31);
}

DEVICE double exchange_64(double v, int x)
{
    union { double d; int i[2]; } u = {v};

    for (int i = 0; i < 2; i++)
        u.i[i] = __nvvm_shfl_sync_bfly_i32(0xffffffffu, u.i[i], x, 31);
    return u.d;
}

#else

struct grid { int thread; size_t block, blocks; };
extern struct grid grid; /* position of the current thread */
void   grid_sync(int line);
double grid_exchange(double v, int x);

#define GLOBAL      void
#define DEVICE      static inline
#define SHARED      static __attribute__((section("grid_shared")))
#define THREAD      (grid.thread)
#define BLOCK       (grid.block)
#define BLOCKS      (grid.blocks)
#define SYNC()      grid_sync(__LINE__)
#define WARP_SYNC() ((void)grid_exchange(0, 0))
#define UNROLL
#define ROOT_64(x)  __builtin_sqrt(x)
#define exchange(v, x)    ((real)grid_exchange(v, x))
#define exchange_64(v, x) grid_exchange(v, x)
#ifdef REAL_DOUBLE
#define ROOT(x)     __builtin_sqrt(x)
#else
#define ROOT(x)     __builtin_sqrtf(x)
#endif

#endif

#define LANE (THREAD % WARP)

/* The index of the warp among all warps of the launch. */
#define WARP_AT (BLOCK * WARPS + (size_t)(THREAD / WARP))

/* Distributes i = 0 .. n - 1 over all threads of the launch. */
#define EACH(i, n)                                                            \
    for (size_t i = BLOCK * BLOCK_THREADS + (size_t)THREAD,                   \
                i##_end = (n);                                                \
         i < i##_end; i += BLOCKS * BLOCK_THREADS)

#define CUDA(name, ...) GLOBAL cuda_##name(ROW_PARAMETERS(__VA_ARGS__));
#include "harness/engine/cuda/kernel_list.h"
#undef CUDA
