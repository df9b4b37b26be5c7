#include "harness/engine/cpu/cpu.h"

#include "harness/base/owned.h"

#include <stdlib.h>

/* Columns of C that are computed together.  Each element is summed in the order
 * of k, one product at a time, so its bits do not depend on COLUMNS. */
enum { COLUMNS = 32 / sizeof(real) };
typedef real columns
    __attribute__((vector_size(COLUMNS * sizeof(real)), aligned(sizeof(real))));

/* Copies columns j to j + n - 1 of op(B) to `panel` (k,COLUMNS) and fills the
 * other columns of the panel with zeros. */
static void pack(const struct gemm *s, const real *b, int j, int n,
                 columns *panel)
{
    size_t down = (size_t)(s->tb ? 1 : s->ldb);
    size_t right = (size_t)(s->tb ? s->ldb : 1);

    for (int k = 0; k < s->k; k++)
        for (int l = 0; l < COLUMNS; l++)
            panel[k][l] =
                l < n ? b[(size_t)k * down + (size_t)(j + l) * right] : 0;
}

static void one(const struct gemm *s, const real *a, const real *b,
                const real *bias, real *c, columns *panel)
{
    real   alpha = s->alpha == 0 ? 1 : s->alpha;
    size_t down = (size_t)(s->ta ? 1 : s->lda);
    size_t right = (size_t)(s->ta ? s->lda : 1);

    for (int j = 0; j < s->n; j += COLUMNS) {
        int n = s->n - j < COLUMNS ? s->n - j : COLUMNS;

        pack(s, b, j, n, panel);
        for (int i = 0; i < s->m; i++) {
            columns sum = {0};
            real   *to = &c[(size_t)i * (size_t)s->ldc + (size_t)j];

            for (int k = 0; k < s->k; k++)
                sum += a[(size_t)i * down + (size_t)k * right] * panel[k];
            for (int l = 0; l < n; l++) {
                real y = alpha * sum[l] + (bias ? bias[j + l] : 0) +
                         (s->add ? to[l] : 0);

                to[l] = s->relu && !(y > 0) ? 0 : y;
            }
        }
    }
}

void cpu_gemm_plain(const struct gemm *s, const real *a, const real *b,
                    const real *bias, real *c)
{
    size_t outer = s->outer ? (size_t)s->outer : 1;
    size_t inner = s->inner ? (size_t)s->inner : 1;
    OWNED(free) columns *panel = malloc((size_t)s->k * sizeof *panel);

    if (s->each) {
        cpu_gemm_each(cpu_gemm_plain, s, a, b, bias, c);
        return;
    }
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < inner; i++)
            one(s, a + o * s->step_a[0] + i * s->step_a[1],
                b + o * s->step_b[0] + i * s->step_b[1], bias,
                c + o * s->step_c[0] + i * s->step_c[1], panel);
}
