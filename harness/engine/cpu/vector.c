#include "harness/engine/cpu/cpu.h"

void cpu_axpy(size_t n, real a, const real *x, real *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

void cpu_dot(size_t n, const real *x, const real *y, double *sum)
{
    double all = 0;

    #pragma omp simd reduction(+ : all)
    for (size_t i = 0; i < n; i++)
        all += (double)x[i] * (double)y[i];
    *sum += all;
}

static void add_rows(size_t rows, int n, const real *x, real *sum)
{
    for (size_t r = 0; r < rows; r++)
        for (int j = 0; j < n; j++)
            sum[j] += x[r * (size_t)n + (size_t)j];
}

void cpu_column_sums(int outer, size_t rows, int n, size_t step, const real *x,
                     real *sum)
{
    for (size_t o = 0; o < (size_t)outer; o++)
        add_rows(rows, n, x + o * rows * (size_t)n, sum + o * step);
}

void cpu_relu_back(size_t n, const real *y, real *gy)
{
    for (size_t i = 0; i < n; i++)
        gy[i] = y[i] > 0 ? gy[i] : 0;
}

void cpu_relu_back_low(size_t n, const uint16_t *y, real *gy)
{
    for (size_t i = 0; i < n; i++)
        gy[i] = cpu_widened(y[i]) > 0 ? gy[i] : 0;
}
