/*
 * grid: runs the kernels of harness/engine/cuda/kernels.cu on the host. Each
 * thread of a block is a fiber, which runs until it waits at a barrier. Aborts
 * the program if some thread of a block does not reach a barrier that others
 * wait at.
 */
#pragma once

#include <stddef.h>

/* Order in which threads and blocks are scheduled. */
enum grid_order { GRID_FORWARD, GRID_BACKWARD, GRID_SHUFFLED, GRID_ORDERS };
extern enum grid_order grid_order;

/* Calls body(arg) in each thread of each block. Shared memory is filled with
 * NaN when a block begins. Denormals are kept, as on the GPU. */
void grid_run(size_t blocks, void (*body)(void *arg), void *arg);
