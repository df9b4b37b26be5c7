/* Rows and blocks of rows that are copied or added, without other
 * arithmetic. */
#include "harness/engine/cpu/cpu.h"

void cpu_copy_blocks(const struct blocks *s, const real *from, real *to)
{
    for (size_t o = 0; o < s->outer; o++)
        for (size_t r = 0; r < s->rows; r++)
            memcpy(to + o * s->to[0] + r * s->to[1],
                   from + o * s->from[0] + r * s->from[1],
                   s->cols * sizeof *to);
}

void cpu_add_blocks(const struct blocks *s, const real *from, real *to)
{
    for (size_t o = 0; o < s->outer; o++)
        for (size_t r = 0; r < s->rows; r++)
            cpu_axpy(s->cols, 1, from + o * s->from[0] + r * s->from[1],
                     to + o * s->to[0] + r * s->to[1]);
}

void cpu_gather(size_t rows, size_t cols, size_t step, const int *row,
                const real *from, real *to)
{
    for (size_t i = 0; i < rows; i++)
        if (from != to || (size_t)row[i] != i)
            memcpy(to + i * step, from + (size_t)row[i] * step,
                   cols * sizeof *to);
}

void cpu_scatter_add(size_t rows, size_t cols, const int *row,
                     const real *from, real *to)
{
    for (size_t i = 0; i < rows; i++)
        cpu_axpy(cols, 1, from + i * cols, to + (size_t)row[i] * cols);
}

/* Extends the last row first, so that no row is overwritten before it is
 * read. */
void cpu_spread(int b, size_t from, size_t to, real *x)
{
    for (size_t i = (size_t)b; i-- > 0;) {
        memmove(x + i * to, x + i * from, from * sizeof *x);
        memset(x + i * to + from, 0, (to - from) * sizeof *x);
    }
}

/* ---- tokens without padding, sentence by sentence ---- */

void cpu_pack(const struct packing *p, int h, int d, int add, const real *wide,
              real *packed)
{
    size_t one = (size_t)d, row = (size_t)p->n * one;

    for (int i = 0; i < h; i++) {
        real *end = packed + (size_t)p->rows * one;

        for (int s = 0; s < p->b; s++, wide += row) {
            size_t n = (size_t)p->length[s] * one;

            if (add)
                cpu_axpy(n, 1, wide, packed);
            else
                memcpy(packed, wide, n * sizeof *wide);
            packed += n;
        }
        if (!add)
            memset(packed, 0, (size_t)(end - packed) * sizeof *packed);
        packed = end;
    }
}

void cpu_unpack(const struct packing *p, int h, int d, int add,
                const real *packed, real *wide)
{
    size_t one = (size_t)d, row = (size_t)p->n * one;

    for (int i = 0; i < h; i++) {
        const real *end = packed + (size_t)p->rows * one;

        for (int s = 0; s < p->b; s++, wide += row) {
            size_t n = (size_t)p->length[s] * one;

            if (add) {
                cpu_axpy(n, 1, packed, wide);
            } else {
                memcpy(wide, packed, n * sizeof *wide);
                memset(wide + n, 0, (row - n) * sizeof *wide);
            }
            packed += n;
        }
        packed = end;
    }
}
