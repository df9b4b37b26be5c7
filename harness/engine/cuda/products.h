/* products: matrix products on the card (products.c). */
#pragma once

#include "harness/engine/backend.h"

struct lt;

/* Opens the library of products, after the card.  given NULL: the machine's
 * cuBLASLt, if there is one.  Returns ERR_USAGE if it does not work. */
int products_open(const struct lt *given);

/* Kernels of the backend (op_list.h). */
void card_gemm(const struct gemm *s, const real *a, const real *b,
               const real *bias, real *c);
void card_gemm_bf16(const struct gemm *s, const real *a, const real *b,
                    const real *bias, real *c);
void card_lower(size_t n, const real *x, uint16_t *low);
