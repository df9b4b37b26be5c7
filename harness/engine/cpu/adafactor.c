/* Adafactor without momentum (Shazeer and Stern 2018), with decay b:
 *
 *     v = b v + (1 - b) (g^2 + eps1) for each value.  Of the v of a factored
 *     matrix, only the means r of the rows and c of the columns are kept, and
 *     v_ij = r_i c_j / mean(r);
 *     u = g / sqrt(v),  p -= lr max(rms(p), eps2) u / max(1, rms(u) / clip) */
#include "harness/engine/cpu/cpu.h"

/* One axis of a matrix and its moments. */
struct axis { size_t n, step; real *moment; };

/* One of the outer matrices.  `near` is the axis with the smaller stride. */
struct matrix { struct axis far, near; double mean; /* of the row moments */ };

static double mean(size_t n, const real *x)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum / (double)n;
}

static struct matrix matrix_of(const struct adafactor *s, real *v, size_t o)
{
    real *at = v + o * (s->rows + s->cols);
    struct axis row = {s->rows, s->step_row, at};
    struct axis col = {s->cols, s->step_col, at + s->rows};
    double all = mean(s->rows, at);

    return s->step_row < s->step_col ? (struct matrix){col, row, all}
                                     : (struct matrix){row, col, all};
}

enum { STRIP = 256 }; /* values of the near axis processed at a time, so that
                         they stay in the cache */

static real moved(const struct adafactor *s, real moment, double sum, size_t n)
{
    return (real)(s->decay * (double)moment +
                  (1 - s->decay) * (sum / (double)n + s->eps1));
}

/* Updates the moments of one matrix, each axis separately. */
static void means(const struct adafactor *s, const real *g,
                  const struct matrix *m)
{
    struct axis far = m->far, near = m->near;

    for (size_t i = 0; i < far.n; i++) {
        const real *at = g + i * far.step;
        double sum = 0;

        #pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j < near.n; j++)
            sum += (double)at[j * near.step] * (double)at[j * near.step];
        far.moment[i] = moved(s, far.moment[i], sum, near.n);
    }
    for (size_t j = 0; j < near.n; j += STRIP) {
        size_t wide = near.n - j < STRIP ? near.n - j : STRIP;
        double sum[STRIP] = {0};

        for (size_t i = 0; i < far.n; i++) {
            const real *at = g + i * far.step + j * near.step;

            for (size_t k = 0; k < wide; k++)
                sum[k] += (double)at[k * near.step] *
                          (double)at[k * near.step];
        }
        for (size_t k = 0; k < wide; k++)
            near.moment[j + k] = moved(s, near.moment[j + k], sum[k], far.n);
    }
}

static double square(size_t n, const real *g, size_t step,
                     const double *factor)
{
    double sum = 0;

    #pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < n; k++) {
        double u = (double)g[k * step] * factor[k];

        sum += u * u;
    }
    return sum;
}

static void subtract_update(size_t n, real *p, const real *g, size_t step,
                            const double *factor, double times)
{
    for (size_t k = 0; k < n; k++)
        p[k * step] = (real)((double)p[k * step] -
                             times * ((double)g[k * step] * factor[k]));
}

/* Computes p -= rate u or, if p is NULL, returns the sum of u^2, where u_ij =
 * g_ij sqrt(mean(r) / far_i) / sqrt(near_j) and far_i and near_j are the
 * moments of the axes. */
static double units(const real *g, const struct matrix *m, real *p,
                    double rate)
{
    struct axis far = m->far, near = m->near;
    double sum = 0;

    for (size_t j = 0; j < near.n; j += STRIP) {
        size_t wide = near.n - j < STRIP ? near.n - j : STRIP;
        double factor[STRIP];

        for (size_t k = 0; k < wide; k++)
            factor[k] = 1 / sqrt((double)near.moment[j + k]);
        for (size_t i = 0; i < far.n; i++) {
            size_t at = i * far.step + j * near.step;
            double second = m->mean / (double)far.moment[i];

            if (p)
                subtract_update(wide, p + at, g + at, near.step, factor,
                                rate * sqrt(second));
            else
                sum += second * square(wide, g + at, near.step, factor);
        }
    }
    return sum;
}

static double factored(const struct adafactor *s, const real *g, real *p,
                       real *v, double rate)
{
    double sum = 0;

    for (size_t o = 0; o < s->outer; o++) {
        size_t at = o * s->step_outer;
        struct matrix m = matrix_of(s, v, o);

        sum += units(g + at, &m, p ? p + at : NULL, rate);
    }
    return sum;
}

static double full(const struct adafactor *s, const real *g, real *p, real *v,
                   double rate)
{
    double sum = 0;

    for (size_t i = 0; i < s->outer * s->rows * s->cols; i++) {
        double u = (double)g[i] / sqrt((double)v[i]);

        sum += u * u;
        if (p)
            p[i] = (real)((double)p[i] - rate * u);
    }
    return sum;
}

static void moments(const struct adafactor *s, const real *g, real *v)
{
    for (size_t o = 0; s->factored && o < s->outer; o++) {
        struct matrix m = matrix_of(s, v, o);

        means(s, g + o * s->step_outer, &m);
    }
    for (size_t i = 0; !s->factored && i < s->outer * s->rows * s->cols; i++)
        v[i] = moved(s, v[i], (double)g[i] * (double)g[i], 1);
}

void cpu_adafactor(const struct adafactor *s, const real *g, real *p, real *v)
{
    double (*step)(const struct adafactor *, const real *, real *, real *,
                   double) = s->factored ? factored : full;
    size_t n = s->outer * s->rows * s->cols;
    double size = 0;

    moments(s, g, v);
    cpu_dot(n, p, p, &size);
    double rms_p = sqrt(size / (double)n);
    double rms_u = sqrt(step(s, g, NULL, v, 0) / (double)n);

    step(s, g, p, v, s->lr * fmax(rms_p, s->eps2) / fmax(1, rms_u / s->clip));
}
