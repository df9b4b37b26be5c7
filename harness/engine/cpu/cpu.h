/* The CPU kernels, one file a subject; collected in cpu.c.  Meanings and
 * shapes: engine/backend.h. */
#ifndef ENGINE_CPU_H
#define ENGINE_CPU_H

#include "harness/engine/backend.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void cpu_gemm(const struct gemm *s, const real *a, const real *b,
              const real *bias, real *c);
void cpu_gemm_bf16(const struct gemm *s, const real *a, const real *b,
                   const real *bias, real *c);

/* Plain loops: the double build, and the reference of the tests. */
void cpu_gemm_plain(const struct gemm *s, const real *a, const real *b,
                    const real *bias, real *c);

void cpu_norm(size_t rows, int d, double eps, const real *x, const real *gain,
              const real *bias, real *y, real *stat);
void cpu_norm_back(size_t rows, int d, const real *x, const real *gain,
                   const real *stat, const real *gy, real *gx, real *ggain,
                   real *gbias);

void cpu_attend(const struct attend *a, const real *scores, const real *v,
                real *work, real *p, real *y);
void cpu_attend_back(const struct attend *a, const real *p, const real *v,
                     const real *gy, real *work, real *gscores, real *gv);

void cpu_glu(int b, int n, int d, const int *length, const real *x, real *y);
void cpu_glu_back(int b, int n, int d, const int *length, const real *x,
                  const real *gy, real *gx);
void cpu_softmax(size_t rows, int k, const real *x, real *y);
void cpu_softmax_back(size_t rows, int k, const real *y, const real *gy,
                      real *gx);
void cpu_conv(const struct conv *s, const real *u, const real *w,
              const real *bias, real *y);
void cpu_conv_back(const struct conv *s, const real *u, const real *w,
                   const real *gy, real *gu, real *gw);

double cpu_cross_entropy(const struct cross_entropy *s, real *logits,
                         int gradient, double *nll, unsigned char *hit);

void cpu_adam(size_t n, const struct adam *s, const real *g, real *p, real *m,
              real *v);

void cpu_adafactor(const struct adafactor *s, const real *g, real *p, real *v);

/* x rounded to bfloat16, ties to even. */
static inline uint16_t cpu_bf16(float x)
{
    union { float f; uint32_t i; } u = {x};
    uint32_t odd = u.i >> 16 & 1, up = u.i + 0x7fff + odd;

    return (uint16_t)((u.i & 0x7fffffff) > 0x7f800000 ? 0x7fc0 : up >> 16);
}

/* e^x.  In float: x = n ln 2 + r, a polynomial in r (Cephes), 2^n by the
 * exponent's bits; below 2 ulp, 0 under -87.3, NaN at NaN.  Branch-free, so
 * loops over it become vector code. */
static inline real cpu_exp(real x)
{
#ifdef REAL_DOUBLE
    return exp(x);
#else
    const float magic = 12582912.0f; /* 1.5 * 2^23: rounds to an integer */
    float low = x > -87.3f ? x : -87.3f, c = low < 88.0f ? low : 88.0f;
    float m = (c * 1.44269504f + magic) - magic;
    float n = m > -126.0f ? m : -126.0f; /* a number even where c is NaN */
    float r = (c - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    union { int32_t i; float f; } two;

    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    two.i = ((int32_t)n + 127) * (1 << 23);
    return x < -87.3f ? 0.0f : x > -88.0f ? p * two.f : x; /* NaN stays */
#endif
}

#endif
