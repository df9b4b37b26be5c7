#include "harness/engine/backend.h"

#include <string.h>

void backend_get(const struct backend *be, void *host, const void *buffer,
                 size_t bytes)
{
    if (be->get)
        be->get(host, buffer, bytes);
    else
        memcpy(host, buffer, bytes);
}

const real *backend_read(const struct backend *be, const real *buffer,
                         size_t n, struct arena *a)
{
    if (!be->get)
        return buffer;
    real *host = arena_take(a, n * sizeof *host);

    be->get(host, buffer, n * sizeof *host);
    return host;
}

const real *tensor_read(const struct backend *be, const tensor *x,
                        struct arena *a)
{
    return backend_read(be, x->x, tensor_len(x), a);
}

void backend_clear(const struct backend *be, void *buffer, size_t bytes)
{
    if (be->memory == &arena_host)
        arena_clear(buffer, bytes);
    else
        be->zero(buffer, bytes);
}

int gemm_same(const struct gemm *a, const struct gemm *b)
{
    return a->m == b->m && a->n == b->n && a->k == b->k && a->ta == b->ta &&
           a->tb == b->tb && a->lda == b->lda && a->ldb == b->ldb &&
           a->ldc == b->ldc && a->outer == b->outer && a->inner == b->inner &&
           a->step_a[0] == b->step_a[0] && a->step_a[1] == b->step_a[1] &&
           a->step_b[0] == b->step_b[0] && a->step_b[1] == b->step_b[1] &&
           a->step_c[0] == b->step_c[0] && a->step_c[1] == b->step_c[1] &&
           a->each == b->each && a->add == b->add && a->relu == b->relu &&
           a->alpha == b->alpha;
}

struct gemm gemm_batch(const struct gemm *s, int i)
{
    static const size_t none[2] = {0, 0};
    struct gemm one = *s;

    one.outer = one.inner = one.each = 0;
    memcpy(one.step_a, none, sizeof none);
    memcpy(one.step_b, none, sizeof none);
    memcpy(one.step_c, none, sizeof none);
    one.step_bias = 0;
    one.length = NULL;
    one.limits = 0;
    if (s->length)
        *(s->limits == 'm' ? &one.m : s->limits == 'n' ? &one.n : &one.k) =
            s->length[i];
    return one;
}

double gemm_flops(const struct gemm *s)
{
    double outer = s->outer ? s->outer : 1, all = 0;
    int inner = s->inner ? s->inner : 1, kinds = s->length ? inner : 1;

    for (int i = 0; i < kinds; i++) {
        struct gemm one = gemm_batch(s, i);

        all += 2.0 * one.m * one.n * one.k;
    }
    return all * outer * (s->length ? 1 : inner);
}

static size_t span(const struct gemm *s, int rows, int cols, int ld,
                   const size_t step[2])
{
    size_t outer = s->outer > 1 ? (size_t)s->outer - 1 : 0;
    size_t inner = s->inner > 1 ? (size_t)s->inner - 1 : 0;

    return outer * step[0] + inner * step[1] +
           (size_t)(rows - 1) * (size_t)ld + (size_t)cols;
}

struct gemm_spans gemm_spans(const struct gemm *s)
{
    return (struct gemm_spans){
        span(s, s->ta ? s->k : s->m, s->ta ? s->m : s->k, s->lda, s->step_a),
        span(s, s->tb ? s->n : s->k, s->tb ? s->k : s->n, s->ldb, s->step_b),
        span(s, s->m, s->n, s->ldc, s->step_c)};
}

enum { TOGETHER = 1 << 15 }; /* attention weights, 128 kB, that stay in the
                                cache of a core */

int attend_together(const struct attend *a)
{
    size_t most = TOGETHER / ((size_t)a->n * (size_t)a->m);

    return most < 1 ? 1 : most < (size_t)a->b ? (int)most : a->b;
}
