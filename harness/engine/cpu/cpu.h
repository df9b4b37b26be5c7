/* cpu: the kernels of the CPU backend, one file per subject.  cpu.c collects
 * the kernels in backend_cpu and backend_bf16.  engine/op_list.h and
 * engine/backend.h define what each kernel computes. */
#pragma once

#include "harness/engine/backend.h"
#include "harness/engine/exp.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define KERNEL(name, class, work, ...) \
    void cpu_##name(ROW_PARAMETERS(__VA_ARGS__));
#include "harness/engine/op_list.h"

/* Like cpu_gemm, but rounds operands to bfloat16 and sums in float32. */
void cpu_gemm_bf16(const struct gemm *s, const real *a, const real *b,
                   const real *bias, real *c);
/* Like cpu_gemm, but with plain loops.  Builds with PLAIN_PRODUCTS use it, and
 * tests use it as a reference. */
void cpu_gemm_plain(const struct gemm *s, const real *a, const real *b,
                    const real *bias, real *c);

/* cpu_gemm_each calls `product` for each batch of s, one after another; s->each
 * must be set. */
typedef void cpu_product(const struct gemm *s, const real *a, const real *b,
                         const real *bias, real *c);
void cpu_gemm_each(cpu_product *product, const struct gemm *s, const real *a,
                   const real *b, const real *bias, real *c);

/* *sum += x . y */
void cpu_dot(size_t n, const real *x, const real *y, double *sum);

/* cpu_gemm uses cpu_gemm_small if cpu_gemm_is_small returns 1, and
 * cpu_gemm_library otherwise. */
int cpu_gemm_is_small(const struct gemm *s, int bias);
void cpu_gemm_small(const struct gemm *s, const real *a, const real *b,
                    real *c);
void cpu_gemm_library(const struct gemm *s, const real *a, const real *b,
                      const real *bias, real *c);

/* Returns x rounded to bfloat16, ties to even. */
static inline uint16_t cpu_bf16(float x)
{
    union { float f; uint32_t i; } u = {x};
    uint32_t odd = u.i >> 16 & 1, up = u.i + 0x7fff + odd;

    return (uint16_t)((u.i & 0x7fffffff) > 0x7f800000 ? 0x7fc0 : up >> 16);
}

static inline void cpu_lower(size_t n, const real *x, uint16_t *low)
{
    #pragma omp simd
    for (size_t i = 0; i < n; i++)
        low[i] = cpu_bf16((float)x[i]);
}

static inline real cpu_widened(uint16_t low)
{
    union { uint32_t i; float f; } u = {(uint32_t)low << 16};

    return (real)u.f;
}

static inline void cpu_widen(size_t n, const uint16_t *low, real *x)
{
    #pragma omp simd
    for (size_t i = 0; i < n; i++)
        x[i] = cpu_widened(low[i]);
}

/* y = x, rounded to bfloat16 */
static inline void cpu_round(size_t n, const real *x, real *y)
{
    #pragma omp simd
    for (size_t i = 0; i < n; i++)
        y[i] = cpu_widened(cpu_bf16((float)x[i]));
}
