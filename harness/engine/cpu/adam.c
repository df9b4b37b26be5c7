/* Adam (Kingma and Ba 2015), with eps outside the root of the corrected v:
 *     m = b1 m + (1 - b1) g,  v = b2 v + (1 - b2) g^2,
 *     p -= lr (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps) */
#include "harness/engine/cpu/cpu.h"

void cpu_adam(size_t n, const struct adam *s, const real *g, real *p, real *m,
              real *v)
{
    real b1 = (real)s->b1, b2 = (real)s->b2, eps = (real)s->eps;
    real c1 = (real)(1 - s->b1), c2 = (real)(1 - s->b2);
    real step = (real)(s->lr / s->correct1);
    real unbias = (real)(1 / sqrt(s->correct2));

    #pragma omp simd
    for (size_t i = 0; i < n; i++) {
        m[i] = b1 * m[i] + c1 * g[i];
        v[i] = b2 * v[i] + c2 * g[i] * g[i];
#ifdef REAL_DOUBLE
        p[i] -= step * m[i] / (sqrt(v[i]) * unbias + eps);
#else
        p[i] -= step * m[i] / (sqrtf(v[i]) * unbias + eps);
#endif
    }
}
