/* Adafactor without momentum (Shazeer and Stern 2018):
 *     v = b v + (1 - b) (g^2 + eps1), as it is or, of a matrix, the means of
 *     its rows r and of its columns c, v_ij = r_i c_j / mean(r);
 *     u = g / sqrt(v),  p -= lr max(rms(p), eps2) u / max(1, rms(u) / clip) */
#include "harness/engine/cpu/cpu.h"

struct moments { real *row, *col; double mean; }; /* of one outer matrix */

static struct moments moments_of(const struct adafactor *s, real *v, size_t o)
{
    real *at = v + o * (s->rows + s->cols);

    return (struct moments){at, at + s->rows, 0};
}

static size_t at(const struct adafactor *s, size_t o, size_t i, size_t j)
{
    return o * s->step_outer + i * s->step_row + j * s->step_col;
}

static void update_factored(const struct adafactor *s, const real *g, real *v)
{
    for (size_t o = 0; o < s->outer; o++) {
        struct moments m = moments_of(s, v, o);

        for (size_t i = 0; i < s->rows; i++) {
            double sum = 0;

            for (size_t j = 0; j < s->cols; j++) {
                double x = (double)g[at(s, o, i, j)];

                sum += x * x + s->eps1;
            }
            m.row[i] = (real)(s->decay * (double)m.row[i] +
                              (1 - s->decay) * sum / (double)s->cols);
        }
        for (size_t j = 0; j < s->cols; j++) {
            double sum = 0;

            for (size_t i = 0; i < s->rows; i++) {
                double x = (double)g[at(s, o, i, j)];

                sum += x * x + s->eps1;
            }
            m.col[j] = (real)(s->decay * (double)m.col[j] +
                              (1 - s->decay) * sum / (double)s->rows);
        }
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

/* p -= step u, and returns the sum of u^2. */
static double apply(const struct adafactor *s, const real *g, real *p, real *v,
                    double step)
{
    double square = 0;

    for (size_t o = 0; o < s->outer; o++) {
        struct moments m = moments_of(s, v, s->factored ? o : 0);

        m.mean = s->factored ? mean(s->rows, m.row) : 0;
        for (size_t i = 0; i < s->rows; i++)
            for (size_t j = 0; j < s->cols; j++) {
                size_t k = at(s, o, i, j);
                double second = s->factored ? (double)m.row[i] / m.mean *
                                                  (double)m.col[j]
                                            : (double)v[k];
                double u = (double)g[k] / sqrt(second);

                square += u * u;
                p[k] = (real)((double)p[k] - step * u);
            }
    }
    return square;
}

void cpu_adafactor(const struct adafactor *s, const real *g, real *p, real *v)
{
    size_t n = s->outer * s->rows * s->cols;
    double size = 0;

    (s->factored ? update_factored : update_full)(s, g, v);
    for (size_t i = 0; i < n; i++)
        size += (double)p[i] * (double)p[i];
    double rms_p = sqrt(size / (double)n);
    double rms_u = sqrt(apply(s, g, p, v, 0) / (double)n);
    double step = s->lr * fmax(rms_p, s->eps2) / fmax(1, rms_u / s->clip);

    apply(s, g, p, v, step);
}
