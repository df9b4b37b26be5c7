/*
 * grid: runs kernels of harness/engine/cuda/kernels.cu on the host. The threads
 * of a block are fibers; each runs until it waits at a barrier. Aborts the
 * program if not all threads of a barrier reach it.
 */
#pragma once

#include <stddef.h>

/* Order in which threads and blocks are scheduled. */
enum grid_order { GRID_FORWARD, GRID_BACKWARD, GRID_SHUFFLED, GRID_ORDERS };
extern enum grid_order grid_order;

/* Calls body(arg) in each thread of each block. Shared memory contains NaN when
 * a block begins. Denormals are kept, as on the GPU. */
void grid_run(size_t blocks, void (*body)(void *arg), void *arg);
