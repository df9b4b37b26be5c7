/*
 * spectrum: measures singular values, eigenvalues and column spaces of the
 * draws W (d,k), the matrices W_Q and W_K of all heads.  A Gaussian W ~ N(0,
 * 1/d) has singular values from about 1 - sqrt(k/d) to 1 + sqrt(k/d).  If W_1
 * and W_2 are independent and have orthonormal columns, or columns of mean
 * square 1, then E ||W_1^T W_2||_F^2 = k^2 / d.
 */
#include "harness/claims/weight_draws.h"

#include "harness/base/err.h"
#include "harness/stats/linalg.h"
#include "harness/stats/stats.h"

#include <math.h>

enum { DRAWS = 128 };

struct seen {
    int    n, pairs, gains;
    double low, high, least, greatest, product_low, product_high, apart;
    double condition[DRAWS] /* log */, gain[DRAWS], overlap[DRAWS];
};

static void singular(struct seen *s, struct check_layer *l,
                     const struct draws *w)
{
    double *sigma = draws_room(l, 1, w->k);

    s->low = INFINITY;
    for (int i = 0; i < s->n; i++) {
        linalg_singular(sigma, w->d, w->k, draws_at(w, i));
        s->low = fmin(s->low, sigma[w->k - 1]);
        s->high = fmax(s->high, sigma[0]);
        s->condition[i] = log(sigma[0] / sigma[w->k - 1]);
    }
}

/* Returns R (k,k) of the decomposition W = Q R of draw `i`. */
static double *triangle(struct check_layer *l, const struct draws *w, int i)
{
    int d = w->d, k = w->k;
    double *q = draws_room(l, d, k), *r = draws_room(l, k, k);

    linalg_orthonormal(LINALG_QR, q, d, k, draws_at(w, i));
    draws_turned(d, k, k, q, draws_at(w, i), r);
    return r;
}

/* Measures W_Q and W_K of the first head.  W_Q W_K^T = Q_Q R_Q R_K^T Q_K^T has
 * the singular values of R_Q R_K^T.  The eigenvalues are those of a square
 * matrix: W_Q followed by d - k columns of zeros. */
static void first(struct seen *s, struct check_layer *l, const struct draws *w)
{
    int d = w->d, k = w->k;
    double *sigma = draws_room(l, 1, k), *wide = draws_room(l, d, d);
    double *inner = draws_outer(l, k, k, triangle(l, w, 0),
                                triangle(l, w, w->heads));

    linalg_singular(sigma, k, k, inner);
    s->product_high = sigma[0];
    s->product_low = sigma[k - 1];
    for (int i = 0; i < d * d; i++)
        wide[i] = i % d < k ? w->w[i / d * k + i % d] : 0;
    linalg_moduli(&s->least, &s->greatest, d, wide);
}

/* Computes ||W_Q W_K^T||_F^2 / k of each head: the variance of its scores if
 * tokens are N(0, I). */
static void gains(struct seen *s, struct check_layer *l, const struct draws *w)
{
    int k = w->k;
    double *one = draws_room(l, k, k), *two = draws_room(l, k, k);

    for (int i = 0; i < s->gains; i++) {
        const double *q = draws_at(w, i), *key = draws_at(w, w->heads + i);

        draws_turned(w->d, k, k, q, q, one);
        draws_turned(w->d, k, k, key, key, two);
        s->gain[i] = 0;
        for (int e = 0; e < k * k; e++)
            s->gain[i] += one[e] * two[e] / k;
    }
}

/* Returns the largest principal angle between the column spaces of `one` and
 * `two`.  The cosines of the principal angles are the singular values of Q_1^T
 * Q_2, where Q_1 and Q_2 are orthonormal bases of the two spaces. */
static double angle(struct check_layer *l, const struct draws *w,
                    const double *one, const double *two)
{
    int d = w->d, k = w->k;
    double *q = draws_room(l, d, k), *p = draws_room(l, d, k);
    double *gram = draws_room(l, k, k), *sigma = draws_room(l, 1, k);

    linalg_orthonormal(LINALG_QR, q, d, k, one);
    linalg_orthonormal(LINALG_QR, p, d, k, two);
    draws_turned(d, k, k, q, p, gram);
    linalg_singular(sigma, k, k, gram);
    return acos(fmin(sigma[k - 1], 1));
}

/* Compares heads 0 and 1, 2 and 3, ..., of W_Q and of W_K. */
static void pairs(struct seen *s, struct check_layer *l, const struct draws *w)
{
    double *gram = draws_room(l, w->k, w->k);
    int half = w->heads / 2;

    s->apart = INFINITY;
    for (int i = 0; i < 2 * half && s->pairs < DRAWS; i++) {
        int at = i / half * w->heads + i % half * 2;
        const double *one = draws_at(w, at), *two = draws_at(w, at + 1);

        draws_turned(w->d, w->k, w->k, one, two, gram);
        s->overlap[s->pairs++] =
            draws_norm2((size_t)w->k * (size_t)w->k, gram) / w->k;
        s->apart = fmin(s->apart, angle(l, w, one, two));
    }
}

/* Reports the geometric mean of the condition numbers, because the arithmetic
 * mean is infinite for square Gaussian matrices. */
static void say_condition(struct check_out *o, const struct seen *s)
{
    size_t n = (size_t)s->n;
    double mean = exp(stats_mean(s->condition, n));

    check_say(o, "condition", mean,
              mean * stats_sd(s->condition, n) / sqrt(s->n));
}

static void report_spectrum(struct check_out *o, const struct seen *s)
{
    check_say(o, "low", s->low, 0);
    check_say(o, "high", s->high, 0);
    say_condition(o, s);
    check_say(o, "product_low", s->product_low, 0);
    check_say(o, "product_high", s->product_high, 0);
    check_say(o, "least", s->least, 0);
    check_say(o, "greatest", s->greatest, 0);
    draws_say(o, "gain", s->gain, s->gains);
    check_say(o, "spread", stats_sd(s->gain, (size_t)s->gains), 0);
    draws_say(o, "overlap", s->overlap, s->pairs);
    check_say(o, "apart", s->apart, 0);
}

static int run_spectrum(const struct check_args *a, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct seen s = {0};
    struct draws w;

    PASS(draws_open(&w, &l, a));
    if (w.heads < 2)
        return err_set(ERR_USAGE, "heads: %d: expected at least 2", w.heads);
    s.gains = w.heads < DRAWS ? w.heads : DRAWS;
    s.n = 2 * w.heads < DRAWS ? 2 * w.heads : DRAWS;
    singular(&s, &l, &w);
    first(&s, &l, &w);
    gains(&s, &l, &w);
    pairs(&s, &l, &w);
    report_spectrum(o, &s);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"variant", NAN, "variant of W_Q, W_K: orthogonal, frozen-gaussian, ..."},
    {"method", NAN, "construction of orthonormal columns; default: qr"},
    {"d", 128, "rows of W"},
    {"k", 32, "columns of W"},
    {"heads", 8, "half the number of draws"},
    {0}};

static const struct check_measure measures[] = {
    {"low", "smallest singular value of any W"},
    {"high", "largest singular value of any W"},
    {"condition", "largest / smallest singular value, geometric mean"},
    {"product_low", "smallest of the k singular values of W_Q W_K^T"},
    {"product_high", "largest of the k singular values of W_Q W_K^T"},
    {"least", "smallest |eigenvalue| of W extended by d - k zero columns"},
    {"greatest", "largest |eigenvalue| of W extended by d - k zero columns"},
    {"gain", "||W_Q W_K^T||_F^2 / k, the variance of a head's scores"},
    {"spread", "standard deviation of gain over heads"},
    {"overlap", "||W_1^T W_2||_F^2 / k of two heads"},
    {"apart", "largest principal angle of two heads, least over pairs, rad"},
    {0}};

const struct check check_spectrum = {
    "spectrum", "singular values and subspaces of frozen W_Q and W_K",
    parameters, measures, run_spectrum};
