/*
 * Attention on the CPU.  Processes one head and attend_together(a) sentences at
 * a time, so that the weights stay in the cache between softmax and product,
 * and one call of cpu_gemm computes the products of several short sentences.
 *
 * In the comments below, X' is the gradient d loss / d X.
 */
#include "harness/engine/cpu/cpu.h"

/* Writes the softmax of the first `end` scores of b to p, and 0 to the rest of
 * p.  Exponentials are computed in whole registers; they are summed in the same
 * order as in loss.c. */
static void softmax_row(int end, int m, const real *b, real *p)
{
    int all = (end + 15) / 16 * 16;
    real top = b[0], sum = 0;

    #pragma omp simd reduction(max : top)
    for (int j = 0; j < end; j++)
        top = b[j] > top ? b[j] : top;
    all = all < m ? all : m;
    for (int j = 0; j < all; j++)
        p[j] = exp_of(b[j] - top);
#ifdef __AVX512F__
    #pragma omp simd reduction(+ : sum)
#endif
    for (int j = 0; j < end; j++)
        sum += p[j];
    real share = end > 0 ? 1 / sum : 0;
    for (int j = 0; j < m; j++)
        p[j] = j < end ? p[j] * share : 0;
}

static void mask_row(int end, int m, const real *b, real *p)
{
    for (int j = 0; j < m; j++)
        p[j] = j < end ? b[j] : 0;
}

static void weigh(const struct attend *a, int b, const real *scores, real *p)
{
    for (int i = 0; i < a->n; i++) {
        size_t at = (size_t)i * (size_t)a->m;

        (a->linear ? mask_row : softmax_row)(attend_visible(a, b, i), a->m,
                                             scores + at, p + at);
    }
}

static void thin(size_t n, real keep, const unsigned char *kept, const real *p,
                 real *out)
{
    for (size_t j = 0; j < n; j++)
        out[j] = kept[j] ? p[j] / keep : 0;
}

/* Returns the offset of head h of sentence b in v or y, which have `rows` rows
 * per sentence and a->h * a->k values per row. */
static size_t slice(const struct attend *a, int rows, int h, int b)
{
    return ((size_t)b * (size_t)rows * (size_t)a->h + (size_t)h) * (size_t)a->k;
}

/* Computes one row, as in decoding: y = sum_j p_j v_j over the visible keys.
 * For a product this small, a call of oneDNN would take 1.1 us instead of 0.1
 * us. */
static void weigh_row(int end, int k, int d, const real *p, const real *v,
                      real *y)
{
    memset(y, 0, (size_t)k * sizeof *y);
    for (int j = 0; j < end; j++, v += d)
        for (int c = 0; c < k; c++)
            y[c] += p[j] * v[c];
}

/* Returns product `one` as a batch of up to attend_together(a) sentences, from
 * sentence b on. */
static struct gemm products(const struct attend *a, int b, struct gemm one)
{
    int left = a->b - b, most = attend_together(a);

    one.inner = left < most ? left : most;
    return one;
}

/* Returns Y = P V as a product for each sentence.  If the sentences share P, it
 * is stored once. */
static struct gemm by_values(const struct attend *a)
{
    size_t n = (size_t)a->n, m = (size_t)a->m, d = (size_t)(a->h * a->k);

    return (struct gemm){.m = a->n, .n = a->k, .k = a->m, .lda = a->m,
                         .ldb = (int)d, .ldc = (int)d,
                         .step_a = {0, attend_once(a) ? 0 : n * m},
                         .step_b = {0, m * d}, .step_c = {0, n * d}};
}

void cpu_attend(const struct attend *a, const real *scores, const real *v,
                real *work, real *p, real *y)
{
    size_t nm = (size_t)a->n * (size_t)a->m;

    for (int h = 0; h < a->h; h++)
        for (int b = 0, more; b < a->b; b += more) {
            struct gemm s = products(a, b, by_values(a));
            size_t first = (size_t)h * (size_t)a->b + (size_t)b;
            real *weights = p + (attend_once(a) ? (size_t)h : first) * nm;
            const real *values = v + slice(a, a->m, h, b);
            real *to = y + slice(a, a->n, h, b);

            more = s.inner;
            for (int i = 0; i < (attend_once(a) ? b == 0 : more); i++)
                weigh(a, b + i,
                      scores + (a->shared ? (size_t)h : first + (size_t)i) * nm,
                      weights + (size_t)i * nm);
            if (a->kept) {
                thin((size_t)more * nm, a->keep, a->kept + first * nm, weights,
                     work);
                weights = work;
            }
            for (int i = 0; a->n == 1 && i < more; i++)
                weigh_row(attend_visible(a, b + i, 0), a->k, s.ldb,
                          weights + (size_t)i * s.step_a[1],
                          values + (size_t)i * s.step_b[1],
                          to + (size_t)i * s.step_c[1]);
            if (a->n > 1)
                cpu_gemm(&s, weights, values, NULL, to);
        }
}

/* B' += P (P' - sum_j P'_j P_j), row by row over the visible keys.  If the
 * attention is linear, B' += P'. */
static void weigh_back(const struct attend *a, int b, const real *p,
                       const real *gp, real *gscores)
{
    for (int i = 0; i < a->n; i++) {
        size_t at = (size_t)i * (size_t)a->m;
        const real *pi = p + at, *gi = gp + at;
        real *to = gscores + at, sum = 0;
        int end = attend_visible(a, b, i);

        for (int j = 0; a->linear && j < end; j++)
            to[j] += gi[j];
        if (a->linear)
            continue;
        #pragma omp simd reduction(+ : sum)
        for (int j = 0; j < end; j++)
            sum += pi[j] * gi[j];
        for (int j = 0; j < end; j++)
            to[j] += pi[j] * (gi[j] - sum);
    }
}

/* Returns the product P' = Y' V^T. */
static struct gemm to_weights(const struct attend *a)
{
    size_t n = (size_t)a->n, m = (size_t)a->m, d = (size_t)(a->h * a->k);

    return (struct gemm){.m = a->n, .n = a->m, .k = a->k, .tb = 1,
                         .lda = (int)d, .ldb = (int)d, .ldc = a->m,
                         .step_a = {0, n * d}, .step_b = {0, m * d},
                         .step_c = {0, n * m}};
}

/* Returns the product V' += P^T Y'. */
static struct gemm to_values(const struct attend *a)
{
    size_t n = (size_t)a->n, m = (size_t)a->m, d = (size_t)(a->h * a->k);

    return (struct gemm){.m = a->m, .n = a->k, .k = a->n, .ta = 1,
                         .lda = a->m, .ldb = (int)d, .ldc = (int)d, .add = 1,
                         .step_a = {0, attend_once(a) ? 0 : n * m},
                         .step_b = {0, n * d}, .step_c = {0, m * d}};
}

/* Computes the gradients of one head if all sentences share the weights: sums
 * P' over the sentences, then calls weigh_back once. */
static void back_once(const struct attend *a, const real *p, const real *v,
                      const real *gy, real *gp, real *gscores, real *gv)
{
    size_t nm = (size_t)a->n * (size_t)a->m;
    struct gemm by_p = to_weights(a), by_v = to_values(a);

    by_v.inner = a->b;
    for (int h = 0; h < a->h; h++) {
        const real *weights = p + (size_t)h * nm;

        if (gv)
            cpu_gemm(&by_v, weights, gy + slice(a, a->n, h, 0), NULL,
                     gv + slice(a, a->m, h, 0));
        for (int b = 0; gscores && b < a->b; b++) {
            by_p.add = b > 0;
            cpu_gemm(&by_p, gy + slice(a, a->n, h, b),
                     v + slice(a, a->m, h, b), NULL, gp);
        }
        if (gscores)
            weigh_back(a, 0, weights, gp, gscores + (size_t)h * nm);
    }
}

void cpu_attend_back(const struct attend *a, const real *p, const real *v,
                     const real *gy, real *work, real *gscores, real *gv)
{
    size_t nm = (size_t)a->n * (size_t)a->m;
    real *gp = work, *thinned = work + (size_t)attend_together(a) * nm;

    if (attend_once(a)) {
        back_once(a, p, v, gy, gp, gscores, gv);
        return;
    }
    for (int h = 0; h < a->h; h++)
        for (int b = 0, more; b < a->b; b += more) {
            struct gemm by_p = products(a, b, to_weights(a));
            struct gemm by_v = products(a, b, to_values(a));
            size_t first = (size_t)h * (size_t)a->b + (size_t)b, all;
            const unsigned char *kept = a->kept ? a->kept + first * nm : NULL;
            const real *weights = p + first * nm, *used = weights;
            const real *gyb = gy + slice(a, a->n, h, b);

            more = by_p.inner;
            all = (size_t)more * nm;
            if (kept) {
                thin(all, a->keep, kept, weights, thinned);
                used = thinned;
            }
            if (gv)
                cpu_gemm(&by_v, used, gyb, NULL, gv + slice(a, a->m, h, b));
            if (!gscores)
                continue;
            cpu_gemm(&by_p, gyb, v + slice(a, a->m, h, b), NULL, gp);
            if (kept)
                thin(all, a->keep, kept, gp, gp);
            for (int i = 0; i < more; i++)
                weigh_back(a, b + i, weights + (size_t)i * nm,
                           gp + (size_t)i * nm,
                           gscores +
                               (a->shared ? (size_t)h : first + (size_t)i) *
                                   nm);
        }
}
