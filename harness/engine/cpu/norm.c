#include "harness/engine/cpu/cpu.h"

void cpu_norm(size_t rows, int d, double eps, const real *x, const real *gain,
              const real *bias, real *y, real *stat)
{
    for (size_t r = 0; r < rows; r++) {
        const real *xr = x + r * (size_t)d;
        real *yr = y + r * (size_t)d, sum = 0, square = 0;

        #pragma omp simd reduction(+ : sum)
        for (int j = 0; j < d; j++)
            sum += xr[j];
        real mean = bias ? sum / (real)d : 0;
        #pragma omp simd reduction(+ : square)
        for (int j = 0; j < d; j++)
            square += (xr[j] - mean) * (xr[j] - mean);
        real rstd = (real)(1 / sqrt((double)square / d + eps));
        for (int j = 0; j < d; j++)
            yr[j] = (xr[j] - mean) * rstd * gain[j] + (bias ? bias[j] : 0);
        stat[2 * r] = mean;
        stat[2 * r + 1] = rstd;
    }
}

/* With z = (x - mean) rstd, u = y' gain, and y' = d loss / d y:
 *     x' += rstd (u - mean(u) - z mean(u z)),  gain' += y' z,  bias' += y'
 * Without a bias, mean = 0 and x' += rstd (u - z mean(u z)). */
void cpu_norm_back(size_t rows, int d, const real *x, const real *gain,
                   const real *stat, const real *gy, real *gx, real *ggain,
                   real *gbias)
{
    for (size_t r = 0; r < rows; r++) {
        const real *xr = x + r * (size_t)d, *gr = gy + r * (size_t)d;
        real *to = gx + r * (size_t)d, mean = stat[2 * r];
        real rstd = stat[2 * r + 1], sum = 0, along = 0;

        #pragma omp simd reduction(+ : sum, along)
        for (int j = 0; j < d; j++) {
            real z = (xr[j] - mean) * rstd, u = gr[j] * gain[j];

            sum += u;
            along += u * z;
        }
        sum = gbias ? sum / (real)d : 0;
        along /= (real)d;
        #pragma omp simd
        for (int j = 0; j < d; j++) {
            real z = (xr[j] - mean) * rstd;

            to[j] += rstd * (gr[j] * gain[j] - sum - z * along);
            ggain[j] += gr[j] * z;
        }
        for (int j = 0; gbias && j < d; j++)
            gbias[j] += gr[j];
    }
}
