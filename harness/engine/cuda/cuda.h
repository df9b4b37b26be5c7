/* cuda: the backends that compute on a GPU (driver.h).  cuda_open comes before
 * their first use. */
#pragma once

#include "harness/engine/backend.h"

extern const struct backend backend_cuda;

/* The same with products of operands rounded to bfloat16, summed in float32,
 * those of attention too. */
extern const struct backend backend_cuda_bf16;

/* Rows of a block of logits; bytes that the library of products and the way to
 * the card take. */
enum { CUDA_LOSS_ROWS = 1 << 13, CUDA_ROOMS = 36 << 20 };
