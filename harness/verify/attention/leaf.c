#include "harness/verify/attention/leaf.h"

#include "harness/base/rng.h"

#include <string.h>

enum { WEIGHTS = 0xa11 }; /* site of leaf_weight */

void leaf_fill(real *x, size_t n, double sd, uint64_t site)
{
    struct rng_key key = {.stream = RNG_TEST, .site = site};

    for (size_t i = 0; i < n; i++)
        x[i] = (real)(sd * rng_normal(key, i));
}

tensor *leaf_new(struct arena *a, uint64_t site, int nd, const int dim[])
{
    tensor *y = arena_zero(a, sizeof *y);

    y->nd = nd;
    memcpy(y->dim, dim, (size_t)nd * sizeof *dim);
    y->x = arena_take(a, tensor_len(y) * sizeof(real));
    y->g = arena_zero(a, tensor_len(y) * sizeof(real));
    leaf_fill(y->x, tensor_len(y), 1, site);
    return y;
}

void leaf_weight(real *w, size_t n) { leaf_fill(w, n, 1, WEIGHTS); }

static void sum_back(struct tape *t, tensor *y)
{
    tensor *x = y->in[0];

    t->be->axpy(tensor_len(x), y->g[0], y->aux, x->g);
}

tensor *leaf_sum(struct tape *t, tensor *y)
{
    size_t n = tensor_len(y);
    tensor *sum = tape_node(t, 0, NULL, sum_back, 1, &y);
    real *w = arena_take(t->data, n * sizeof *w);
    double all = 0;

    leaf_weight(w, n);
    sum->aux = w;
    for (size_t i = 0; i < n; i++)
        all += (double)y->x[i] * (double)w[i];
    sum->x[0] = (real)all;
    return sum;
}
