/*
 * Attention of one (head, sentence) at a time, so that its n x m weights stay
 * in the first-level cache between softmax and product.
 */
#include "harness/engine/cpu/cpu.h"

/* Visible keys are a prefix: how long it is for row i of sentence b. */
static int visible(const struct attend *a, int b, int i)
{
    int end = a->length ? a->length[b] : a->m;

    if (a->causal && end > a->from + i + 1)
        end = a->from + i + 1;
    return end < a->m ? end : a->m;
}

static void softmax_row(int end, int m, const real *b, real *p)
{
    real top = b[0], sum = 0;

    #pragma omp simd reduction(max : top)
    for (int j = 0; j < end; j++)
        top = b[j] > top ? b[j] : top;
    #pragma omp simd reduction(+ : sum)
    for (int j = 0; j < end; j++) {
        p[j] = cpu_exp(b[j] - top);
        sum += p[j];
    }
    real share = end > 0 ? 1 / sum : 0;
    for (int j = 0; j < end; j++)
        p[j] *= share;
    for (int j = end; j < m; j++)
        p[j] = 0;
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

        (a->linear ? mask_row : softmax_row)(visible(a, b, i), a->m,
                                             scores + at, p + at);
    }
}

/* Without padding and dropout, shared scores give shared weights. */
static int once(const struct attend *a)
{
    return a->shared && !a->length && !a->kept;
}

static void thin(size_t n, real keep, const unsigned char *kept, const real *p,
                 real *out)
{
    for (size_t j = 0; j < n; j++)
        out[j] = kept[j] ? p[j] / keep : 0;
}

/* Where head h of sentence b starts in v or y, rows of h k. */
static size_t slice(const struct attend *a, int rows, int h, int b)
{
    return ((size_t)b * (size_t)rows * (size_t)a->h + (size_t)h) * (size_t)a->k;
}

/* One row, as decoding has it: y = sum_j p_j v_j over the visible keys.  A
 * product this small is mostly the library's call: 1.1 us against 0.1. */
static void weigh_row(int end, int k, int d, const real *p, const real *v,
                      real *y)
{
    memset(y, 0, (size_t)k * sizeof *y);
    for (int j = 0; j < end; j++, v += d)
        for (int c = 0; c < k; c++)
            y[c] += p[j] * v[c];
}

void cpu_attend(const struct attend *a, const real *scores, const real *v,
                real *work, real *p, real *y)
{
    size_t nm = (size_t)a->n * (size_t)a->m;
    int d = a->h * a->k;
    struct gemm s = {.m = a->n, .n = a->k, .k = a->m, .lda = a->m, .ldb = d,
                     .ldc = d};

    for (int h = 0; h < a->h; h++)
        for (int b = 0; b < a->b; b++) {
            size_t hb = (size_t)h * (size_t)a->b + (size_t)b;
            real *weights = p + (once(a) ? (size_t)h : hb) * nm;

            if (!once(a) || b == 0)
                weigh(a, b, scores + (a->shared ? (size_t)h : hb) * nm,
                      weights);
            if (a->kept) {
                thin(nm, a->keep, a->kept + hb * nm, weights, work);
                weights = work;
            }
            const real *values = v + slice(a, a->m, h, b);
            real *to = y + slice(a, a->n, h, b);
            if (a->n == 1)
                weigh_row(visible(a, b, 0), a->k, d, weights, values, to);
            else
                cpu_gemm(&s, weights, values, NULL, to);
        }
}

/* B' += P (P' - sum_j P'_j P_j), row by row over the visible keys; without a
 * softmax B' += P'. */
static void weigh_back(const struct attend *a, int b, const real *p,
                       const real *gp, real *gscores)
{
    for (int i = 0; i < a->n; i++) {
        size_t at = (size_t)i * (size_t)a->m;
        const real *pi = p + at, *gi = gp + at;
        real *to = gscores + at, sum = 0;
        int end = visible(a, b, i);

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

/* Shared weights: P' is summed over the sentences, then one weigh_back. */
static void back_once(const struct attend *a, const real *p, const real *v,
                      const real *gy, real *gp, real *gscores, real *gv)
{
    size_t nm = (size_t)a->n * (size_t)a->m;
    int d = a->h * a->k;
    struct gemm by_p = {.m = a->n, .n = a->m, .k = a->k, .lda = d, .tb = 1,
                        .ldb = d, .ldc = a->m};
    struct gemm by_v = {.m = a->m, .n = a->k, .k = a->n, .ta = 1, .lda = a->m,
                        .ldb = d, .ldc = d, .add = 1};

    for (int h = 0; h < a->h; h++) {
        for (int b = 0; b < a->b; b++) {
            const real *gyb = gy + slice(a, a->n, h, b);

            by_p.add = b > 0;
            if (gscores)
                cpu_gemm(&by_p, gyb, v + slice(a, a->m, h, b), NULL, gp);
            if (gv)
                cpu_gemm(&by_v, p + (size_t)h * nm, gyb, NULL,
                         gv + slice(a, a->m, h, b));
        }
        if (gscores)
            weigh_back(a, 0, p + (size_t)h * nm, gp,
                       gscores + (size_t)h * nm);
    }
}

void cpu_attend_back(const struct attend *a, const real *p, const real *v,
                     const real *gy, real *work, real *gscores, real *gv)
{
    size_t nm = (size_t)a->n * (size_t)a->m;
    int d = a->h * a->k;
    real *gp = work, *thinned = work + nm;
    struct gemm by_p = {.m = a->n, .n = a->m, .k = a->k, .lda = d, .tb = 1,
                        .ldb = d, .ldc = a->m};
    struct gemm by_v = {.m = a->m, .n = a->k, .k = a->n, .ta = 1, .lda = a->m,
                        .ldb = d, .ldc = d, .add = 1};

    if (once(a)) {
        back_once(a, p, v, gy, gp, gscores, gv);
        return;
    }
    for (int h = 0; h < a->h; h++)
        for (int b = 0; b < a->b; b++) {
            size_t hb = (size_t)h * (size_t)a->b + (size_t)b;
            const unsigned char *kept = a->kept ? a->kept + hb * nm : NULL;
            const real *weights = p + hb * nm, *gyb = gy + slice(a, a->n, h, b);

            if (kept)
                thin(nm, a->keep, kept, weights, thinned);
            if (gv)
                cpu_gemm(&by_v, kept ? thinned : weights, gyb, NULL,
                         gv + slice(a, a->m, h, b));
            if (!gscores)
                continue;
            cpu_gemm(&by_p, gyb, v + slice(a, a->m, h, b), NULL, gp);
            if (kept)
                thin(nm, a->keep, kept, gp, gp);
            weigh_back(a, b, weights, gp,
                       gscores + (a->shared ? (size_t)h : hb) * nm);
        }
}
