/* Faulty kernels: each makes one mistake and otherwise calls the correct
 * kernel. */
#include "tests/support/faults.h"

#include "harness/base/err.h"

#include <string.h>

static const struct backend *const truth = &backend_cpu;

/* ---- attention ---- */

enum { SENTENCES = 64 };

static void attend_ahead(const struct attend *a, const real *scores,
                         const real *v, real *work, real *p, real *y)
{
    struct attend wrong = *a;

    wrong.causal = 0;
    truth->attend(&wrong, scores, v, work, p, y);
}

static void no_causal_mask(struct backend *be) { be->attend = attend_ahead; }

static void attend_padding(const struct attend *a, const real *scores,
                           const real *v, real *work, real *p, real *y)
{
    struct attend wrong = *a;
    int all[SENTENCES];

    REQUIRE(a->b <= SENTENCES, "%d sentences", a->b);
    for (int b = 0; b < a->b; b++)
        all[b] = a->m;
    wrong.length = a->length ? all : NULL;
    truth->attend(&wrong, scores, v, work, p, y);
}

static void pads_attended(struct backend *be) { be->attend = attend_padding; }

/* Normalizes the columns of p (n,m) instead of its rows, so the weights of each
 * key sum to 1. */
static void by_columns(const struct attend *a, real *p)
{
    for (int j = 0; j < a->m; j++) {
        real sum = 0;

        for (int i = 0; i < a->n; i++)
            sum += p[i * a->m + j];
        for (int i = 0; i < a->n && sum > 0; i++)
            p[i * a->m + j] /= sum;
    }
}

/* Computes y of one head and sentence from its weights. */
static void outputs(const struct attend *a, int h, int b, const real *p,
                    const real *v, real *y)
{
    int d = a->h * a->k;

    for (int e = 0; e < a->n * a->k; e++) {
        int i = e / a->k, c = h * a->k + e % a->k;
        real sum = 0;

        for (int j = 0; j < a->m; j++)
            sum += p[i * a->m + j] * v[(b * a->m + j) * d + c];
        y[(b * a->n + i) * d + c] = sum;
    }
}

static void attend_columns(const struct attend *a, const real *scores,
                           const real *v, real *work, real *p, real *y)
{
    int once = a->shared && !a->length && !a->kept, nm = a->n * a->m;

    truth->attend(a, scores, v, work, p, y);
    for (int i = 0; i < a->h * (once ? 1 : a->b) && !a->linear; i++)
        by_columns(a, p + i * nm);
    for (int h = 0; h < a->h && !a->linear; h++)
        for (int b = 0; b < a->b; b++)
            outputs(a, h, b, p + (once ? h : h * a->b + b) * nm, v, y);
}

static void wrong_axis(struct backend *be) { be->attend = attend_columns; }

static void attend_reversed(const struct attend *a, const real *scores,
                            const real *v, real *work, real *p, real *y)
{
    int d = a->h * a->k;

    truth->attend(a, scores, v, work, p, y);
    for (int r = 0; r < a->b * a->n; r++)
        for (int c = 0; c < d / 2; c++) {
            int h = c / a->k, other = (a->h - 1 - h) * a->k + c % a->k;
            real keep = y[r * d + c];

            if (other <= c)
                continue;
            y[r * d + c] = y[r * d + other];
            y[r * d + other] = keep;
        }
}

static void heads_reversed(struct backend *be) { be->attend = attend_reversed; }

static void attend_back_twice(const struct attend *a, const real *p,
                              const real *v, const real *gy, real *work,
                              real *gscores, real *gv)
{
    truth->attend_back(a, p, v, gy, work, gscores, gv);
    if (gscores)
        truth->attend_back(a, p, v, gy, work, gscores, NULL);
}

static void twice(struct backend *be) { be->attend_back = attend_back_twice; }

/* Gives masked keys a gradient, which must be 0. */
static void attend_back_leaks(const struct attend *a, const real *p,
                              const real *v, const real *gy, real *work,
                              real *gscores, real *gv)
{
    int blocks = a->h * (a->shared ? 1 : a->b);

    truth->attend_back(a, p, v, gy, work, gscores, gv);
    for (int e = 0; e < blocks * a->n * a->m && gscores && a->causal; e++)
        if (e % a->m > a->from + e / a->m % a->n)
            gscores[e] += (real)0.01;
}

static void leaks(struct backend *be) { be->attend_back = attend_back_leaks; }

/* ---- scores ---- */

/* Tiles both factors instead of repeating one, so only lcm(a, c) columns are
 * distinct. */
static void pair_tiled(size_t rows, int a, int c, int m, const real *fa,
                       const real *fc, real *out)
{
    for (size_t r = 0; r < rows; r++)
        for (int j = 0; j < m; j++)
            *out++ = fa[r * (size_t)a + (size_t)(j % a)] *
                     fc[r * (size_t)c + (size_t)(j % c)];
}

static void tiled(struct backend *be) { be->pair = pair_tiled; }

/* Makes the mixture weights of two parts sum to 2 instead of 1. */
static void weights_double(int parts, int sigmoid, const real *a, double *w)
{
    truth->mix_weights(parts, sigmoid, a, w);
    for (int i = 0; i < parts; i++)
        w[i] *= 2;
}

static void alpha(struct backend *be) { be->mix_weights = weights_double; }

/* Puts the relative position of a key into the next bucket. */
static void diagonals_off(int n, int m, int h, const int *row,
                          const real *table, real *y)
{
    for (int k = 0; k < h; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int bucket = row[j - i + n - 1];

                *y++ = table[(bucket > 0 ? bucket - 1 : 0) * h + k];
            }
}

static void bucket(struct backend *be) { be->diagonals = diagonals_off; }

/* ---- convolutions ---- */

static void glu_padding(int b, int n, int d, const int *length, const real *x,
                        real *y)
{
    (void)length;
    truth->glu(b, n, d, NULL, x, y);
}

static void gate(struct backend *be) { be->glu = glu_padding; }

static void softmax_none(size_t rows, int k, const real *x, real *y)
{
    memcpy(y, x, rows * (size_t)k * sizeof *x);
}

static void taps(struct backend *be) { be->softmax = softmax_none; }

/* ---- training ---- */

static void adam_idle(size_t n, const struct adam *s, const real *g, real *p,
                      real *m, real *v)
{
    (void)n, (void)s, (void)g, (void)p, (void)m, (void)v;
}

static void idle(struct backend *be) { be->adam = adam_idle; }

const struct fault fault_kernels[] = {
    {"the causal mask is off", "vanilla lightweight-conv", "vanilla",
     "output grad weight causal decode", "lightweight-conv", NULL,
     no_causal_mask},
    {"padding is attended to", "vanilla lightweight-conv", "vanilla",
     "output grad weight hull pad empty", "lightweight-conv", NULL,
     pads_attended},
    {"the softmax runs over the wrong axis", "random dynamic-conv-mtf",
     "random", "output grad weight hull pad decode", "dynamic-conv-mtf", NULL,
     wrong_axis},
    {"outputs of heads are swapped", "vanilla dynamic-conv-mtf", "vanilla",
     "output grad hull", "dynamic-conv-mtf", NULL, heads_reversed},
    {"the gradient of scores is taken twice", "vanilla lightweight-conv",
     "vanilla", "grad", "lightweight-conv", NULL, twice},
    {"hidden scores get a gradient", "random dense lightweight-conv",
     "random", "grad upper", "lightweight-conv", NULL, leaks},
    {"both factors are tiled", "factorized-dense dense", "factorized-dense",
     "output grad column", "dense", NULL, tiled},
    {"alphas do not sum to 1", "random vanilla", "random+vanilla",
     "output grad", "vanilla", NULL, alpha},
    {"alphas of outputs do not sum to 1", "random vanilla",
     "random+vanilla, weights", "output grad hull", "random", NULL, alpha},
    {"relative positions are off by one", "vanilla lightweight-conv",
     "vanilla", "output grad", "lightweight-conv", NULL, bucket},
    {"a convolution sees padding", "dynamic-conv dense", "dynamic-conv",
     "output grad pad", "dense", NULL, gate},
    {"taps have no softmax", "lightweight-conv dense", "lightweight-conv",
     "output grad band", "dense", NULL, taps},
    {"an optimiser changes no weight", "dense uniform", "dense", "still", NULL,
     NULL, idle},
    {.sentence = NULL},
};
