#include "harness/engine/cpu/cpu.h"

void cpu_pair(size_t rows, int a, int c, int m, const real *fa, const real *fc,
              real *out)
{
    for (size_t r = 0; r < rows; r++)
        for (int j = 0; j < m; j++)
            out[r * (size_t)m + (size_t)j] =
                fa[r * (size_t)a + (size_t)(j % a)] *
                fc[r * (size_t)c + (size_t)(j / a)];
}

void cpu_pair_back(size_t rows, int a, int c, int m, const real *fa,
                   const real *fc, const real *gout, real *ga, real *gc)
{
    for (size_t r = 0; r < rows; r++)
        for (int j = 0; j < m; j++) {
            size_t i = r * (size_t)a + (size_t)(j % a);
            size_t k = r * (size_t)c + (size_t)(j / a);
            real g = gout[r * (size_t)m + (size_t)j];

            ga[i] += g * fc[k];
            gc[k] += g * fa[i];
        }
}

void cpu_columns(int r, int h, int N, int n, int m, const real *r1,
                 const real *r2, real *y)
{
    for (int i = 0; i < h; i++) {
        real *row = y + (size_t)i * (size_t)n * (size_t)m;

        for (int j = 0; j < m; j++) {
            row[j] = 0;
            for (int t = 0; t < r; t++)
                row[j] += r1[(t * h + i) * N + j] * r2[(t * h + i) * N + j];
        }
        for (int k = 1; k < n; k++)
            memcpy(row + (size_t)k * (size_t)m, row, (size_t)m * sizeof *row);
    }
}

void cpu_columns_back(int r, int h, int N, int n, int m, const real *r1,
                      const real *r2, const real *gy, real *gr1, real *gr2)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < m; j++) {
            real g = 0;

            for (int k = 0; k < n; k++)
                g += gy[(i * n + k) * m + j];
            for (int t = 0; t < r; t++) {
                gr1[(t * h + i) * N + j] += g * r2[(t * h + i) * N + j];
                gr2[(t * h + i) * N + j] += g * r1[(t * h + i) * N + j];
            }
        }
}

void cpu_diagonals(int n, int m, int h, const int *row, const real *table,
                   real *y)
{
    for (int k = 0; k < h; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                *y++ = table[row[j - i + n - 1] * h + k];
}

void cpu_diagonals_back(int n, int m, int h, const int *row, const real *gy,
                        real *gtable)
{
    for (int k = 0; k < h; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                gtable[row[j - i + n - 1] * h + k] += *gy++;
}
