/* exp: e^x for the kernels of the CPU and of the GPU.  The results are
 * bit-identical if the compiler does not contract a * b + c to one
 * instruction. */
#pragma once

#include "harness/engine/tensor.h"

#ifndef DEVICE /* for kernels, cuda/grid.h defines it */
#define DEVICE static inline
#endif

/* Returns e^x.  In float, writes x as n ln 2 + r, computes e^r by a polynomial
 * (Cephes), and multiplies it by 2^n, whose exponent bits are set directly.
 * The error is below 2 ulp.  The result is 0 for x < -87.3, e^88 for x > 88,
 * and NaN for NaN.  The code masks bits and does not use ?:, because gcc would
 * compute the polynomial for both branches, which doubles the instructions of
 * vectorised loops. */
DEVICE real exp_of(real x)
{
#ifdef REAL_DOUBLE
    return __builtin_exp(x);
#else
    union { float f; unsigned u; } c = {x}, top = {88.0f}, two, y;
    const float magic = 12582912.0f; /* 1.5 * 2^23: its last bit is worth 1 */
    unsigned under = -(unsigned)(x < -87.3f), over = -(unsigned)(x > top.f);

    c.u = (c.u & ~over) | (top.u & over);
    two.f = c.f * 1.44269504f + magic;
    float n = two.f - magic, p = 1.9875691500e-4f;
    float r = (c.f - n * 0.693359375f) + n * 2.12194440e-4f;

    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    two.u = (two.u + 127) << 23; /* the shift removes magic's bits */
    y.f = p * two.f;
    y.u &= ~under;
    return y.f;
#endif
}
