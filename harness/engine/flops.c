#include "harness/engine/flops.h"

static _Thread_local double total;

void flops_add(const struct gemm *s)
{
    double outer = s->outer ? s->outer : 1, inner = s->inner ? s->inner : 1;

    total += 2.0 * s->m * s->n * s->k * outer * inner;
}

void flops_conv(const struct conv *s)
{
    flops_add(&(struct gemm){.m = s->b * s->n, .n = s->d, .k = s->k});
}

double flops_total(void) { return total; }
