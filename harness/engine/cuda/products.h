/* products: the matrix products of the card.  cuda_open opens the library of
 * products; the backends call the kernels. */
#pragma once

#include "harness/engine/backend.h"

struct lt;

/* Opens the library of products; the card must be open.  If given is NULL,
 * opens the machine's cuBLASLt, if installed.  Returns OK, or ERR_USAGE if the
 * library does not work. */
int products_open(const struct lt *given);

/* Kernels of the backends (op_list.h). */
void card_gemm(const struct gemm *s, const real *a, const real *b,
               const real *bias, real *c);
void card_gemm_bf16(const struct gemm *s, const real *a, const real *b,
                    const real *bias, real *c);
void card_lower(size_t n, const real *x, uint16_t *low);
