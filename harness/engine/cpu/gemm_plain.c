#include "harness/engine/cpu/cpu.h"


static void one(const struct gemm *s, const real *a, const real *b,
                const real *bias, real *c)
{
    real alpha = s->alpha == 0 ? 1 : s->alpha;

    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->n; j++) {
            real sum = 0;
            real *to = &c[(size_t)i * (size_t)s->ldc + (size_t)j];

            for (int k = 0; k < s->k; k++) {
                size_t ik = s->ta ? (size_t)k * (size_t)s->lda + (size_t)i
                                  : (size_t)i * (size_t)s->lda + (size_t)k;
                size_t kj = s->tb ? (size_t)j * (size_t)s->ldb + (size_t)k
                                  : (size_t)k * (size_t)s->ldb + (size_t)j;
                sum += a[ik] * b[kj];
            }
            sum = alpha * sum + (bias ? bias[j] : 0) + (s->add ? *to : 0);
            *to = s->relu && !(sum > 0) ? 0 : sum;
        }
}

void cpu_gemm_plain(const struct gemm *s, const real *a, const real *b,
                    const real *bias, real *c)
{
    size_t outer = s->outer ? (size_t)s->outer : 1;
    size_t inner = s->inner ? (size_t)s->inner : 1;

    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < inner; i++)
            one(s, a + o * s->step_a[0] + i * s->step_a[1],
                b + o * s->step_b[0] + i * s->step_b[1], bias,
                c + o * s->step_c[0] + i * s->step_c[1]);
}
