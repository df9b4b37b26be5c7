#include "harness/engine/cpu/cpu.h"

static real sigmoid(real x) { return 1 / (1 + exp_of(-x)); }

void cpu_glu(int b, int n, int d, const int *length, const real *x, real *y)
{
    for (int r = 0; r < b * n; r++) {
        const real *from = x + (size_t)r * 2 * (size_t)d, *gate = from + d;
        real *to = y + (size_t)r * (size_t)d;
        int seen = !length || r % n < length[r / n];

        for (int j = 0; j < d; j++)
            to[j] = seen ? from[j] * sigmoid(gate[j]) : 0;
    }
}

void cpu_glu_back(int b, int n, int d, const int *length, const real *x,
                  const real *gy, real *gx)
{
    for (int r = 0; r < b * n; r++) {
        const real *from = x + (size_t)r * 2 * (size_t)d, *gate = from + d;
        const real *g = gy + (size_t)r * (size_t)d;
        real *to = gx + (size_t)r * 2 * (size_t)d;

        if (length && r % n >= length[r / n])
            continue;
        for (int j = 0; j < d; j++) {
            real s = sigmoid(gate[j]);

            to[j] += g[j] * s;
            to[d + j] += g[j] * from[j] * s * (1 - s);
        }
    }
}

void cpu_softmax(size_t rows, int k, const real *x, real *y)
{
    for (size_t r = 0; r < rows; r++) {
        const real *from = x + r * (size_t)k;
        real *to = y + r * (size_t)k, top = from[0], sum = 0;

        for (int j = 1; j < k; j++)
            top = from[j] > top ? from[j] : top;
        for (int j = 0; j < k; j++)
            sum += to[j] = exp_of(from[j] - top);
        for (int j = 0; j < k; j++)
            to[j] /= sum;
    }
}

void cpu_softmax_back(size_t rows, int k, const real *y, const real *gy,
                      real *gx)
{
    for (size_t r = 0; r < rows; r++) {
        const real *p = y + r * (size_t)k, *g = gy + r * (size_t)k;
        real *to = gx + r * (size_t)k, sum = 0;

        for (int j = 0; j < k; j++)
            sum += p[j] * g[j];
        for (int j = 0; j < k; j++)
            to[j] += p[j] * (g[j] - sum);
    }
}

/* Returns the position that tap j of row i reads, or a negative number if the
 * position lies outside the sentence. */
static int position(const struct conv *s, int i, int j)
{
    int at = s->from + i + s->first + j;

    return at < s->m ? at : -1;
}

/* Returns the offset of the taps of group g in row r = b n + i. */
static size_t taps_at(const struct conv *s, size_t r, int g)
{
    return ((s->shared ? 0 : r * (size_t)s->heads) + (size_t)g) * (size_t)s->k;
}

/* Returns the first channel of group g.  Channel c belongs to group c H div d,
 * where H = s->heads. */
static int channel(const struct conv *s, int g)
{
    return (g * s->d + s->heads - 1) / s->heads;
}

void cpu_conv(const struct conv *s, const real *u, const real *w,
              const real *bias, real *y)
{
    size_t d = (size_t)s->d;

    for (int r = 0; r < s->b * s->n; r++) {
        const real *from = u + (size_t)(r / s->n) * (size_t)s->m * d;
        real *to = y + (size_t)r * d;

        if (bias)
            memcpy(to, bias, d * sizeof *to);
        else
            memset(to, 0, d * sizeof *to);
        for (int j = 0; j < s->k; j++) {
            int at = position(s, r % s->n, j);
            const real *x = from + (size_t)(at < 0 ? 0 : at) * d;

            for (int g = 0; g < s->heads && at >= 0; g++) {
                real tap = w[taps_at(s, (size_t)r, g) + (size_t)j];

                for (int c = channel(s, g); c < channel(s, g + 1); c++)
                    to[c] += tap * x[c];
            }
        }
    }
}

void cpu_conv_back(const struct conv *s, const real *u, const real *w,
                   const real *gy, real *gu, real *gw)
{
    size_t d = (size_t)s->d;

    for (int r = 0; r < s->b * s->n; r++) {
        size_t sentence = (size_t)(r / s->n) * (size_t)s->m * d;
        const real *g = gy + (size_t)r * d;

        for (int j = 0; j < s->k; j++) {
            int at = position(s, r % s->n, j);
            size_t row = sentence + (size_t)(at < 0 ? 0 : at) * d;

            for (int h = 0; h < s->heads && at >= 0; h++) {
                size_t tap = taps_at(s, (size_t)r, h) + (size_t)j;
                real sum = 0;

                for (int c = channel(s, h); c < channel(s, h + 1); c++) {
                    sum += g[c] * u[row + (size_t)c];
                    gu[row + (size_t)c] += w[tap] * g[c];
                }
                gw[tap] += sum;
            }
        }
    }
}
