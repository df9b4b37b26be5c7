/*
 * Convolutions over tokens (Wu et al. 2019), and products along the length.  x'
 * is d loss / d x.
 *
 *     glu        u = x1 sigmoid(x2), x = (x1, x2);  0 at padding
 *     softmax    p = softmax of each run of k values of the last dimension
 *                x' += p (p' - sum p' p)
 *     conv       y[i,c] = bias[c] + sum_j w[g,j] u[from + i + first + j, c],
 *                g = c H div d with H heads;  u is 0 outside the sentence
 *     project    y = E[:, :n] x, for each sentence
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

static void glu_back(struct tape *t, tensor *y)
{
    const tensor *x = y->in[0];

    t->be->glu_back(y->dim[0], y->dim[1], y->dim[2], y->aux, x->x, y->g, x->g);
}

tensor *ad_glu(struct tape *t, tensor *x, const int *length)
{
    int b = x->dim[0], n = x->dim[1], d = x->dim[2] / 2, dim[] = {b, n, d};

    REQUIRE(x->dim[2] % 2 == 0, "width %d is odd", x->dim[2]);
    tensor *y = tape_node(t, 3, dim, glu_back, 1, &x);

    y->aux = (void *)length; /* backward only reads aux */
    t->be->glu(b, n, d, length, x->x, y->x);
    return y;
}

static void softmax_back(struct tape *t, tensor *y)
{
    int k = *(const int *)y->aux;

    t->be->softmax_back(tensor_len(y) / (size_t)k, k, y->x, y->g, y->in[0]->g);
}

tensor *ad_softmax(struct tape *t, tensor *x, int k)
{
    REQUIRE(tensor_last(x) % k == 0, "width %d does not divide %d", k,
            tensor_last(x));
    tensor *y = tape_node(t, x->nd, x->dim, softmax_back, 1, &x);
    struct attend rows = {.h = 1, .b = 1, .n = (int)tensor_len(y) / k, .m = k};

    tape_keep(t, y, &k, sizeof k);
    y->own = OWN_VALUES;
    t->be->softmax(tensor_len(y) / (size_t)k, k, x->x, y->x);
    if (t->logits)
        t->logits(t->watch_arg, t->place, t->layer, &rows,
                  tensor_read(t->be, x, t->nodes));
    return y;
}

/* Returns the number of operations: two per row, tap and channel. */
static double conv_flops(const struct conv *s)
{
    return 2.0 * s->b * s->n * s->d * s->k;
}

static void conv_back(struct tape *t, tensor *y)
{
    tensor *u = y->in[0], *w = y->in[1], *bias = y->in[2];
    const struct conv *s = y->aux;

    REQUIRE(u->g && w->g && (!bias || bias->g),
            "convolution: an operand has no gradient");
    t->flops += 2 * conv_flops(s); /* gradients of u and of w */
    t->be->conv_back(s, u->x, w->x, y->g, u->g, w->g);
    if (bias)
        t->be->column_sums(1, tensor_rows(y), s->d, 0, y->g, bias->g);
}

tensor *ad_conv(struct tape *t, tensor *u, tensor *w, tensor *bias, int n,
                int heads, int from, int first)
{
    int b = u->dim[0], d = u->dim[2], dim[] = {b, n, d}, shared = w->nd == 2;
    int k = shared ? w->dim[1] : w->dim[2] / heads;

    REQUIRE(shared ? w->dim[0] == heads : w->dim[1] == n && w->dim[0] == b,
            "taps (%d,%d) for %d rows of %d heads", w->dim[0], w->dim[1], n,
            heads);
    tensor *y = tape_node(t, 3, dim, conv_back, 3, (tensor *[]){u, w, bias});
    struct conv s = {.b = b, .n = n, .m = u->dim[1], .d = d, .heads = heads,
                     .k = k, .from = from, .first = first, .shared = shared};

    tape_keep(t, y, &s, sizeof s);
    t->flops += conv_flops(&s);
    t->be->conv(&s, u->x, w->x, bias ? bias->x : NULL, y->x);
    return y;
}

/* ---- project ---- */

static size_t one_sentence(const tensor *x)
{
    return (size_t)x->dim[1] * (size_t)x->dim[2];
}

/* Returns a batch with one product per sentence of x.  The length of the
 * sentence replaces the dimension that `limits` names. */
static struct gemm each_sentence(const tensor *x, const int *length,
                                 char limits)
{
    return (struct gemm){.inner = x->dim[0], .each = 1, .length = length,
                         .limits = limits};
}

static void project_back(struct tape *t, tensor *y)
{
    tensor *e = y->in[0], *x = y->in[1];
    int p = e->dim[0], N = e->dim[1], n = x->dim[1], d = x->dim[2];
    struct gemm by_x = each_sentence(x, y->aux, 'm');
    struct gemm by_e = each_sentence(x, y->aux, 'n');

    by_x.m = by_e.n = n;
    by_x.n = by_e.k = by_x.ldb = by_x.ldc = by_e.lda = by_e.ldb = d;
    by_x.k = by_e.m = p;
    by_x.lda = by_e.ldc = N;
    by_x.ta = by_e.tb = by_x.add = by_e.add = 1;
    by_x.step_b[1] = by_e.step_a[1] = one_sentence(y);
    by_x.step_c[1] = by_e.step_b[1] = one_sentence(x);
    if (x->g)
        tape_gemm(t, &by_x, e->x, y->g, NULL, x->g);
    if (e->g)
        tape_gemm(t, &by_e, y->g, x->x, NULL, e->g);
}

tensor *ad_project(struct tape *t, tensor *e, tensor *x, const int *length)
{
    int n = x->dim[1], d = x->dim[2], p = e->dim[0];
    int dim[] = {x->dim[0], p, d};
    struct gemm s = each_sentence(x, length, 'k');

    REQUIRE(n <= e->dim[1], "%d positions of %d", n, e->dim[1]);
    tensor *y = tape_node(t, 3, dim, project_back, 2, (tensor *[]){e, x});

    y->aux = (void *)length; /* backward only reads aux */
    s.m = p;
    s.n = s.ldb = s.ldc = d;
    s.k = n;
    s.lda = e->dim[1];
    s.step_b[1] = one_sentence(x);
    s.step_c[1] = one_sentence(y);
    tape_gemm(t, &s, e->x, x->x, NULL, y->x);
    return y;
}
