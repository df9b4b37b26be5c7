#include "harness/engine/cpu/cpu.h"

static void clear(const struct gemm *s, real *c)
{
    for (int i = 0; i < s->m; i++)
        memset(c + (size_t)i * (size_t)s->ldc, 0, (size_t)s->n * sizeof *c);
}

/* Returns the offset at which batch (o,i) of an operand begins. */
static size_t at(const size_t step[2], size_t o, size_t i)
{
    return o * step[0] + i * step[1];
}

void cpu_gemm_each(cpu_product *product, const struct gemm *s, const real *a,
                   const real *b, const real *bias, real *c)
{
    size_t outer = s->outer ? (size_t)s->outer : 1;
    size_t inner = s->inner ? (size_t)s->inner : 1;

    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < inner; i++) {
            struct gemm one = gemm_batch(s, (int)i);
            size_t at_a = at(s->step_a, o, i), at_b = at(s->step_b, o, i);
            real *to = c + at(s->step_c, o, i);

            one.low_a = s->low_a ? s->low_a + at_a : NULL;
            one.low_b = s->low_b ? s->low_b + at_b : NULL;
            if (one.m && one.n && one.k)
                product(&one, one.low_a ? NULL : a + at_a,
                        one.low_b ? NULL : b + at_b,
                        bias ? bias + o * s->step_bias : NULL, to);
            else if (!s->add)
                clear(&one, to);
        }
}
