/* cuda: the backends that compute on a GPU (driver.h).  backend_of calls
 * cuda_open and returns one of them.  Code that uses one of the three directly
 * must call cuda_open first. */
#pragma once

#include "harness/engine/backend.h"

extern const struct backend backend_cuda;

/* Like backend_cuda, but operands of products, including those of attention,
 * are rounded to bfloat16 and the sums are float32, and attention is fused
 * (form.h). */
extern const struct backend backend_cuda_bf16;

/* Like backend_cuda_bf16, without fused attention. */
extern const struct backend backend_cuda_unfused;

/* CUDA_LOSS_ROWS: rows of a block of logits.  CUDA_ROOMS: bytes that cuBLASLt
 * (lt.h) and the transfers to the card take. */
enum { CUDA_LOSS_ROWS = 1 << 13, CUDA_ROOMS = 36 << 20 };
