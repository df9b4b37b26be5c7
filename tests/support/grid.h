/*
 * grid: runs kernels of harness/engine/cuda/kernels.cu on the host.  The
 * threads of a block are fibers; one runs until it waits at a barrier.  Stops
 * the program if a barrier is not reached by all threads that it is for.
 */
#pragma once

#include <stddef.h>

/* In which order threads, and blocks, get their turns. */
enum grid_order { GRID_FORWARD, GRID_BACKWARD, GRID_SHUFFLED, GRID_ORDERS };
extern enum grid_order grid_order;

/* Calls body(arg) in each thread of each block.  Shared memory holds NaN when
 * a block begins.  Denormals are kept, as the card keeps them. */
void grid_run(size_t blocks, void (*body)(void *arg), void *arg);
