/* formula_scores: computes the scores B (n,n) of one head, for every variant
 * that has scores, and counts the values that they need.  X (n,d) is the input;
 * the suffix _h denotes the columns of head h. */
#include "harness/verify/attention/formula.h"

#include <math.h>

/* B = scale (X W_q)_h (X W_k)_h^T */
static void dot(const struct formula_layer *l, const char *at, int h,
                double scale, double *b)
{
    const struct model_config *c = l->f->c;
    int n = l->n, k = config_head(c), I = config_inner(c);
    double *q = formula_project(l, at, "q");
    double *key = formula_project(l, at, "k");

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;

            for (int e = h * k; e < (h + 1) * k; e++)
                sum += q[i * I + e] * key[j * I + e];
            b[i * n + j] = scale * sum;
        }
}

void formula_vanilla(const struct formula_layer *l, const char *at, int h,
                     double *b)
{
    const struct model_config *c = l->f->c;

    dot(l, at, h, c->dot_scale ? 1 / sqrt(config_head(c)) : 1, b);
}

/* The initial values of frozen queries do not include the factor 1 / sqrt(k),
 * with head width k, so the scores are always multiplied by it. */
void formula_frozen_dot(const struct formula_layer *l, const char *at, int h,
                        double *b)
{
    const double *gain = formula_weight(l->f, at, "gain");

    dot(l, at, h, (gain ? gain[h] : 1) / sqrt(config_head(l->f->c)), b);
}

/* B_ij = <x_i Q_h, x_j Q_h>, with one matrix for queries and keys */
void formula_tied(const struct formula_layer *l, const char *at, int h,
                  double *b)
{
    const struct model_config *c = l->f->c;
    int n = l->n, k = config_head(c), I = config_inner(c);
    const double *gain = formula_weight(l->f, at, "gain");
    double *q = formula_project(l, at, "q");

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;

            for (int e = h * k; e < (h + 1) * k; e++)
                sum += q[i * I + e] * q[j * I + e];
            b[i * n + j] = (gain ? gain[h] : 1) * sum / sqrt(k);
        }
}

/* Returns x_h W_h + b_h (n,e), where x_h is slice h of x (n,d), of width k = d
 * / heads.  W (heads,k,e) and b (heads,e) are the parameters of these names; b
 * may be missing. */
static double *affine(const struct formula_layer *l, const double *x, int h,
                      int e, const char *at, const char *name,
                      const char *bias)
{
    const double *w = formula_weight(l->f, at, name);
    const double *b = formula_weight(l->f, at, bias);
    int d = l->f->c->d, k = d / l->f->c->heads;
    double *y = formula_take(l->f, l->n, e);

    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < e; j++) {
            double sum = b ? b[h * e + j] : 0;

            for (int s = 0; s < k; s++)
                sum += x[i * d + h * k + s] * w[(h * k + s) * e + j];
            y[i * e + j] = sum;
        }
    return y;
}

static void relu(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = fmax(x[i], 0);
}

/* B = relu(X_h W_1 + b_1) W_2 + b_2 */
void formula_dense(const struct formula_layer *l, const char *at, int h,
                   double *b)
{
    const struct formula *f = l->f;
    int n = l->n, N = f->c->N, k = f->c->d / f->c->heads;
    const double *w2 = formula_weight(f, at, "w2");
    const double *b2 = formula_weight(f, at, "b2");
    double *inner = affine(l, l->x, h, k, at, "w1", "b1");

    relu(inner, n * k);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = b2 ? b2[h * N + j] : 0;

            for (int s = 0; s < k; s++)
                sum += inner[i * k + s] * w2[(h * k + s) * N + j];
            b[i * n + j] = sum;
        }
}

/* Like formula_dense, but with all d columns of X:
 * B = relu(X W_1 + b_1) W_2 + b_2 */
void formula_dense_literal(const struct formula_layer *l, const char *at, int h,
                           double *b)
{
    const struct formula *f = l->f;
    int n = l->n, N = f->c->N, d = f->c->d;
    const double *w1 = formula_weight(f, at, "w1");
    const double *b1 = formula_weight(f, at, "b1");
    const double *w2 = formula_weight(f, at, "w2");
    const double *b2 = formula_weight(f, at, "b2");
    double *inner = formula_take(f, n, d);

    formula_product(n, d, d, l->x, w1 + h * d * d, inner);
    for (int i = 0; i < n * d && b1; i++)
        inner[i] += b1[h * d + i % d];
    relu(inner, n * d);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            b[i * n + j] = b2 ? b2[h * N + j] : 0;
            for (int s = 0; s < d; s++)
                b[i * n + j] += inner[i * d + s] * w2[(h * d + s) * N + j];
        }
}

/* B = relu(X W_q)_h P.  All heads share P (k,N).  W_q may be that of the part
 * `vanilla` (share_q). */
void formula_dense_mtf(const struct formula_layer *l, const char *at, int h,
                       double *b)
{
    const struct formula *f = l->f;
    int n = l->n, N = f->c->N, k = config_head(f->c), I = config_inner(f->c);
    const double *p = formula_weight(f, at, "p");
    int own = formula_weight(f, at, "q") != NULL;
    double *q = formula_linear(l, l->x, f->c->d, I, own ? at : l->at,
                               own ? "q" : "vanilla.q", NULL);

    relu(q, n * I);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            b[i * n + j] = 0;
            for (int s = 0; s < k; s++)
                b[i * n + j] += q[i * I + h * k + s] * p[s * N + j];
        }
}

/* B is the top left corner (n,n) of the table R (N,N) of head h. */
void formula_table(const struct formula_layer *l, const char *at, int h,
                   double *b)
{
    const double *r = formula_weight(l->f, at, "R");
    int n = l->n, N = l->f->c->N;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = r[(h * N + i) * N + j];
}

/* B = R_1 R_2^T */
void formula_low_rank(const struct formula_layer *l, const char *at, int h,
                      double *b)
{
    const double *r1 = formula_weight(l->f, at, "R1");
    const double *r2 = formula_weight(l->f, at, "R2");
    int n = l->n, N = l->f->c->N, r = l->f->c->rank;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            b[i * n + j] = 0;
            for (int s = 0; s < r; s++)
                b[i * n + j] += r1[(h * N + i) * r + s] *
                                r2[(h * N + j) * r + s];
        }
}

/* B_ij = sum_t R1[t,h,j] R2[t,h,j], as in the released code */
void formula_columns(const struct formula_layer *l, const char *at, int h,
                     double *b)
{
    const double *r1 = formula_weight(l->f, at, "R1");
    const double *r2 = formula_weight(l->f, at, "R2");
    int n = l->n, N = l->f->c->N, heads = l->f->c->heads, r = l->f->c->rank;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            b[i * n + j] = 0;
            for (int t = 0; t < r; t++)
                b[i * n + j] += r1[(t * heads + h) * N + j] *
                                r2[(t * heads + h) * N + j];
        }
}

/* Returns a, the number of columns of A in formula_factors.  If neither c->a
 * nor c->c is set, a is the largest divisor of N that is at most sqrt(N). */
static int short_side(const struct model_config *c)
{
    int a = c->a ? c->a : c->c ? c->N / c->c : (int)sqrt(c->N + 0.5);

    while (c->N % a)
        a--;
    return a;
}

/* B_ij = A[i, j mod a] C[i, j div a] */
void formula_factors(const struct formula_layer *l, const char *at, int h,
                     double *b)
{
    const struct formula *f = l->f;
    int n = l->n, d = f->c->d, a = short_side(f->c), c = f->c->N / a;
    const double *x = l->x;

    if (f->c->inner) {
        double *wide = formula_linear(l, x, d, d, at, "w", NULL);

        relu(wide, n * d);
        x = wide;
    }
    double *fa = affine(l, x, h, a, at, "wa", "ba");
    double *fc = affine(l, x, h, c, at, "wc", "bc");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = fa[i * a + j % a] * fc[i * c + j / a];
}

void formula_uniform(const struct formula_layer *l, const char *at, int h,
                     double *b)
{
    (void)at, (void)h;
    for (int i = 0; i < l->n * l->n; i++)
        b[i] = 0;
}

/* ---- counts; slices have width k = d / h ---- */

/* Frozen queries and keys have no bias. */
long formula_count_frozen_qk(const struct model_config *c)
{
    return 2 * (long)c->d * config_inner(c);
}

long formula_count_tied(const struct model_config *c)
{
    return (long)c->d * config_inner(c);
}

long formula_count_gain(const struct model_config *c)
{
    return c->gain ? c->heads : 0;
}

long formula_count_qk(const struct model_config *c)
{
    return 2 * (long)config_inner(c) * (c->d + (c->attention_bias != 0));
}

long formula_count_dense(const struct model_config *c)
{
    long k = c->d / c->heads;

    return c->heads * (k * k + k * c->N) +
           (c->dense_bias ? c->heads * (k + c->N) : 0);
}

long formula_count_dense_literal(const struct model_config *c)
{
    long d = c->d;

    return c->heads * (d * d + d * c->N) +
           (c->dense_bias ? c->heads * (d + c->N) : 0);
}

long formula_count_dense_mtf(const struct model_config *c)
{
    return (long)c->d * config_inner(c) + (long)config_head(c) * c->N;
}

long formula_count_table(const struct model_config *c)
{
    return (long)c->heads * c->N * c->N;
}

long formula_count_pair(const struct model_config *c)
{
    return 2 * (long)c->heads * c->N * c->rank;
}

long formula_count_factors(const struct model_config *c)
{
    long a = short_side(c), k = c->d / c->heads, sides = a + c->N / a;

    return c->heads * (k + (c->dense_bias != 0)) * sides +
           (c->inner ? (long)c->d * c->d : 0);
}
