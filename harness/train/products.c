#include "harness/train/products.h"

#include "harness/base/array.h"
#include "harness/base/clock.h"
#include "harness/base/err.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 8, ROUNDS = 7 };
static const double ROUND = 3e-3; /* seconds */

/* `outer` is a backend that calls `inner` and measures the time of every shape
 * of product.  The results are in the `n` entries of `of`. */
static struct {
    const struct backend *inner;
    struct backend        outer;
    struct product       *of;
    int                   n;
    size_t                room;
} noted;

static struct product *find(const struct gemm *s, int bias)
{
    for (int i = 0; i < noted.n; i++)
        if (noted.of[i].bias == bias && gemm_same(&noted.of[i].shape, s))
            return &noted.of[i];
    struct gemm shape = *s;

    shape.length = NULL; /* batches of the bench have no padding */
    ARRAY_ROOM(noted.of, noted.n, noted.room);
    noted.of[noted.n] = (struct product){
        .shape = shape, .bias = bias, .flops = gemm_flops(&shape)};
    return &noted.of[noted.n++];
}

static void note(const struct gemm *s, const real *a, const real *b,
                 const real *bias, real *c)
{
    struct product *p = find(s, bias != NULL);
    double began = clock_seconds();

    noted.inner->gemm(s, a, b, bias, c);
    p->seconds += clock_seconds() - began;
    p->calls++;
}

/* Returns n values, none of them denormal.  The caller frees them. */
static real *operand(size_t n)
{
    real *x = malloc(n * sizeof *x);

    for (size_t i = 0; i < n; i++)
        x[i] = (real)(i % 7) * (real)0.125 - (real)0.375;
    return x;
}

/* Returns the seconds per call of the product, the best of ROUNDS rounds. */
static double alone(const struct backend *be, const struct product *p)
{
    struct gemm_spans n = gemm_spans(&p->shape);
    OWNED(free) real *a = operand(n.a), *b = operand(n.b), *c = operand(n.c);
    size_t outer = p->shape.outer ? (size_t)p->shape.outer : 1;
    OWNED(free) real *bias = operand((outer - 1) * p->shape.step_bias +
                                     (size_t)p->shape.n);
    double best = INFINITY;

    for (int r = 0; r < ROUNDS; r++) {
        double began = clock_seconds(), took = 0;
        int calls = 0;

        for (; took < ROUND; calls++) {
            be->gemm(&p->shape, a, b, p->bias ? bias : NULL, c);
            took = clock_seconds() - began;
        }
        best = fmin(best, took / calls);
    }
    return best;
}

static int by_time(const void *a, const void *b)
{
    const struct product *x = a, *y = b;
    double d = y->seconds * y->calls - x->seconds * x->calls;

    return (d > 0) - (d < 0);
}

int products_time(struct product **out, int *n, const struct config *c,
                  const struct mix *mix, const struct task *task)
{
    OWNED(bencher_close) struct bencher *b = NULL;
    struct config single = *c;
    double seconds[STEPS];

    single.threads = 1;
    PASS(backend_of(&noted.inner, c->device, c->precision));
    noted.outer = *noted.inner;
    noted.outer.gemm = note;
    PASS(bencher_open(&b, &single, mix, task, &noted.outer));
    noted.n = 0; /* discard the warm-up */
    bencher_steps(b, seconds, STEPS);
    for (int i = 0; i < noted.n; i++) {
        struct product *p = &noted.of[i];

        p->seconds /= p->calls;
        p->calls /= STEPS;
        p->alone = alone(noted.inner, p);
    }
    qsort(noted.of, (size_t)noted.n, sizeof *noted.of, by_time);
    *out = noted.of;
    *n = noted.n;
    noted.of = NULL;
    noted.n = 0;
    noted.room = 0;
    return OK;
}

const char *product_name(const struct product *p, char out[96])
{
    const struct gemm *s = &p->shape;
    int outer = s->outer ? s->outer : 1, inner = s->inner ? s->inner : 1;
    char batch[32] = "";

    if (outer * inner > 1)
        snprintf(batch, sizeof batch, "%d of ", outer * inner);
    snprintf(out, 96, "%s%dx%dx%d A%s B%s%s%s%s", batch, s->m, s->n, s->k,
             s->ta ? "^T" : "", s->tb ? "^T" : "", p->bias ? " + bias" : "",
             s->relu ? ", relu" : "", s->add ? ", +=" : "");
    return out;
}
