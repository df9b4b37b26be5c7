#include "harness/engine/cpu/cpu.h"

struct row { double nll, smoothed; int hit; };

/* Returns 1 if x contains y.  row_loss calls it because a target with the
 * largest logit is a hit only if no earlier class has the same logit. */
static int holds(int n, const real *x, real y)
{
    int found = 0;

    #pragma omp simd reduction(| : found)
    for (int j = 0; j < n; j++)
        found |= x[j] == y;
    return found;
}

/* Returns sum_j e^(x_j - top); if `keep` is set, stores the terms in x.  The
 * sum uses 16 lanes with AVX-512 and one lane without, which is what gcc 12
 * once generated.  Stored results depend on this order, so the compiler must
 * not choose it. */
#ifdef __AVX512F__
static real mass_of(int v, real top, real *x, int keep)
{
    real mass = 0;

    if (keep) {
        #pragma omp simd reduction(+ : mass)
        for (int j = 0; j < v; j++) {
            x[j] = exp_of(x[j] - top);
            mass += x[j];
        }
        return mass;
    }
    #pragma omp simd reduction(+ : mass)
    for (int j = 0; j < v; j++)
        mass += exp_of(x[j] - top);
    return mass;
}
#else
static real mass_of(int v, real top, real *x, int keep)
{
    enum { SOME = 64 };
    real mass = 0, some[SOME];

    for (int at = 0; at < v; at += SOME) {
        int n = v - at < SOME ? v - at : SOME;
        real *to = keep ? x + at : some;

        for (int j = 0; j < n; j++)
            to[j] = exp_of(x[at + j] - top);
        for (int j = 0; j < n; j++)
            mass += to[j];
    }
    return mass;
}
#endif

/* Computes the loss of one row and, if `gradient` is set, replaces the logits x
 * by the gradient. */
static struct row row_loss(const struct cross_entropy *s, int target, real *x,
                           int gradient)
{
    int v = s->v;
    real top = x[0], all = 0, at = x[target];

    #pragma omp simd reduction(max : top)
    for (int j = 0; j < v; j++)
        top = x[j] > top ? x[j] : top;
    int hit = at == top && !holds(target, x, top);
    if (s->smoothing > 0) {
        #pragma omp simd reduction(+ : all)
        for (int j = 0; j < v; j++)
            all += x[j];
    }
    real mass = mass_of(v, top, x, gradient);
    double lse = (double)top + log((double)mass), nll = lse - (double)at;
    double e = s->smoothing, rest = v > 1 ? e / (v - 1) : 0;
    double others = (double)all - (double)at - (v - 1) * lse; /* sum of log p */

    if (gradient) {
        real scale = (real)(s->scale / (double)mass);
        real less = (real)(s->scale * rest);

        #pragma omp simd
        for (int j = 0; j < v; j++)
            x[j] = x[j] * scale - less;
        x[target] -= (real)(s->scale * (1 - e - rest));
    }
    return (struct row){nll, (1 - e) * nll - (e > 0 ? rest * others : 0),
                        hit};
}

void cpu_cross_entropy(const struct cross_entropy *s, real *logits,
                       int gradient, double *nll, unsigned char *hit,
                       double *loss)
{
    double sum = 0;

    for (size_t r = 0; r < s->rows; r++) {
        struct row one = row_loss(s, s->target[r], logits + r * (size_t)s->v,
                                  gradient);

        sum += one.smoothed;
        nll[r] = one.nll;
        hit[r] = (unsigned char)one.hit;
    }
    *loss = s->scale * sum;
}

void cpu_square_error(size_t n, double scale, const real *want, const real *y,
                      real *error, real *gy, double *nll, double *loss)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        error[i] = y[i] - want[i];
        nll[i] = (double)error[i] * (double)error[i];
    }
    cpu_dot(n, error, error, &sum);
    *loss = scale * sum;
    if (gy)
        cpu_axpy(n, (real)(2 * scale), error, gy);
}

/* Writes the k largest values of x (v) to out, in descending order. */
static void largest(int v, int k, const real *x, struct best *out)
{
    int n = 0;

    for (int j = 0; j < v; j++) {
        int i = n < k ? n++ : k;

        if (i == k && !(x[j] > out[--i].x))
            continue;
        for (; i > 0 && x[j] > out[i - 1].x; i--)
            out[i] = out[i - 1];
        out[i] = (struct best){.x = x[j], .id = j};
    }
}

/* The field `mass`, log sum_j e^x_j, is computed as the largest x minus the log
 * of its softmax. */
void cpu_best(size_t rows, int v, int k, const real *x, real *work,
              struct best *out)
{
    for (size_t r = 0; r < rows; r++, x += v, out += k) {
        largest(v, k, x, out);
        cpu_softmax(1, v, x, work);
        for (int i = 0; i < k; i++)
            out[i].mass = (double)out->x - log((double)work[out->id]);
    }
}
