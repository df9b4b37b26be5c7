#include "harness/engine/flops.h"

static _Thread_local double total;

void flops_add(const struct gemm *s)
{
    double batch = (s->outer ? s->outer : 1) * (double)(s->inner ? s->inner : 1);

    total += 2.0 * s->m * s->n * s->k * batch;
}

double flops_total(void) { return total; }
