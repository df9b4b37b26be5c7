/* products: computes matrix products on the GPU (the "card"), by cuBLASLt or by
 * kernels of this program.  cuda_open calls products_open; the backends of
 * cuda.h contain the kernels below. */
#pragma once

#include "harness/engine/backend.h"

struct lt;

/* Opens cuBLASLt; the card must be open.  Uses the functions of `given` (lt.h)
 * or, if it is NULL, those of the installed cuBLASLt; if none is installed,
 * does nothing.  Returns OK, or ERR_USAGE if cuBLASLt does not work. */
int products_open(const struct lt *given);

/* These are kernels of the backends (op_list.h). */
void card_gemm(const struct gemm *s, const real *a, const real *b,
               const real *bias, real *c);
void card_gemm_bf16(const struct gemm *s, const real *a, const real *b,
                    const real *bias, real *c);
void card_lower(size_t n, const real *x, uint16_t *low);
