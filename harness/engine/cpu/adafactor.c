/* Adafactor without momentum (Shazeer and Stern 2018):
 *     v = b v + (1 - b) (g^2 + eps1), as it is or, of a matrix, the means of
 *     its rows r and of its columns c, v_ij = r_i c_j / mean(r);
 *     u = g / sqrt(v),  p -= lr max(rms(p), eps2) u / max(1, rms(u) / clip) */
#include "harness/engine/cpu/cpu.h"

struct moments { real *row, *col; }; /* of one outer matrix */

static struct moments moments_of(const struct adafactor *s, real *v, size_t o)
{
    real *at = v + o * (s->rows + s->cols);

    return (struct moments){at, at + s->rows};
}

enum { STRIP = 64 };

/* mean[i] = b mean[i] + (1 - b) the mean over j < n of g_ij^2 + eps1, for
 * i < m.  A strip of i together, so that no line of memory is read in vain
 * whichever of the axes is the inner one. */
static void means(const struct adafactor *s, const real *g, size_t m,
                  size_t step_i, size_t n, size_t step_j, real *mean)
{
    for (size_t i = 0; i < m; i += STRIP) {
        size_t wide = m - i < STRIP ? m - i : STRIP;
        double sum[STRIP] = {0};

        for (size_t j = 0; j < n; j++) {
            const real *at = g + i * step_i + j * step_j;

            for (size_t k = 0; k < wide; k++) {
                double x = (double)at[k * step_i];

                sum[k] += x * x + s->eps1;
            }
        }
        for (size_t k = 0; k < wide; k++)
            mean[i + k] = (real)(s->decay * (double)mean[i + k] +
                                 (1 - s->decay) * sum[k] / (double)n);
    }
}

static void update_factored(const struct adafactor *s, const real *g, real *v)
{
    for (size_t o = 0; o < s->outer; o++) {
        struct moments m = moments_of(s, v, o);
        const real *from = g + o * s->step_outer;

        means(s, from, s->rows, s->step_row, s->cols, s->step_col, m.row);
        means(s, from, s->cols, s->step_col, s->rows, s->step_row, m.col);
    }
}

static void update_full(const struct adafactor *s, const real *g, real *v)
{
    for (size_t i = 0; i < s->outer * s->rows * s->cols; i++)
        v[i] = (real)(s->decay * (double)v[i] +
                      (1 - s->decay) *
                          ((double)g[i] * (double)g[i] + s->eps1));
}

static double mean(size_t n, const real *x)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum / (double)n;
}

static double unit(real g, double second) { return (double)g / sqrt(second); }

/* The sum of u^2, row by row. */
static double square(const struct adafactor *s, const real *g, real *v)
{
    double sum = 0;

    for (size_t i = 0; !s->factored && i < s->cols; i++) {
        double u = unit(g[i], (double)v[i]);

        sum += u * u;
    }
    for (size_t o = 0; s->factored && o < s->outer; o++) {
        struct moments m = moments_of(s, v, o);
        double all = mean(s->rows, m.row);

        for (size_t i = 0; i < s->rows; i++) {
            const real *at = g + o * s->step_outer + i * s->step_row;
            double row = (double)m.row[i] / all;

            for (size_t j = 0; j < s->cols; j++) {
                double u = unit(at[j * s->step_col], row * (double)m.col[j]);

                sum += u * u;
            }
        }
    }
    return sum;
}

/* p -= step u, the axis of the smaller step inside. */
static void apply(const struct adafactor *s, const real *g, real *p, real *v,
                  double step)
{
    int turned = s->step_row < s->step_col;
    size_t n = turned ? s->cols : s->rows, m = turned ? s->rows : s->cols;
    size_t far = turned ? s->step_col : s->step_row;
    size_t near = turned ? s->step_row : s->step_col;

    for (size_t i = 0; !s->factored && i < s->cols; i++)
        p[i] = (real)((double)p[i] - step * unit(g[i], (double)v[i]));
    for (size_t o = 0; s->factored && o < s->outer; o++) {
        struct moments k = moments_of(s, v, o);
        double all = mean(s->rows, k.row);

        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < m; j++) {
                size_t at = o * s->step_outer + i * far + j * near;
                double second = (double)k.row[turned ? j : i] / all *
                                (double)k.col[turned ? i : j];

                p[at] = (real)((double)p[at] - step * unit(g[at], second));
            }
    }
}

void cpu_adafactor(const struct adafactor *s, const real *g, real *p, real *v)
{
    size_t n = s->outer * s->rows * s->cols;
    double size = 0;

    (s->factored ? update_factored : update_full)(s, g, v);
    for (size_t i = 0; i < n; i++)
        size += (double)p[i] * (double)p[i];
    double rms_p = sqrt(size / (double)n);
    double rms_u = sqrt(square(s, g, v) / (double)n);

    apply(s, g, p, v,
          s->lr * fmax(rms_p, s->eps2) / fmax(1, rms_u / s->clip));
}
