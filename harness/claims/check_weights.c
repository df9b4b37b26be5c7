/*
 * projection: measures how well W (d,k) preserves norms, angles and inner
 * products of x and y in R^d, where x and z are N(0, I) and y = x + z / 2.  If
 * W^T W = I, the inner product <xW,yW> = x W W^T y^T contains W W^T, a
 * projection of rank k:
 *
 *     E <xW,yW> = (k/d) <x,y>
 *
 * Each draw of W has x and y of its own; errors are standard errors over the
 * draws.
 *
 * spectrum: measures singular values, eigenvalues and column spaces of the
 * draws W (d,k), the matrices W_Q and W_K of all heads.  A Gaussian W ~ N(0,
 * 1/d) has singular values from about 1 - sqrt(k/d) to 1 + sqrt(k/d).  If W_1
 * and W_2 are independent and have orthonormal columns, or columns of mean
 * square 1, then E ||W_1^T W_2||_F^2 = k^2 / d.
 *
 * Both copy W_Q and W_K of all heads of a layer, each (d,k).  If each head has
 * matrices of its own, they are independent draws from one distribution.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/stats/linalg.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <string.h>

/* ---- the draws ---- */

enum { DRAWS = 128 }; /* maximum number of draws */

struct draws {
    int     d, k, heads; /* W_Q of all heads, then W_K           */
    double *w;           /* (2 heads,d,k), in the layer's memory */
};

static const double *draws_at(const struct draws *w, int i)
{
    return w->w + (size_t)i * (size_t)w->d * (size_t)w->k;
}

/* Opens the layer and copies its matrices.  Returns ERR_USAGE if the variant
 * has no W_Q and W_K. */
static int draws_open(struct draws *w, struct check_layer *l,
                      const struct check_values *v)
{
    struct model_config c = check_layer_config(v);

    PASS(check_layer_open(l, v->variant, MIX_LOGITS, &c));
    const tensor *qk[] = {check_layer_weight(l, "q"),
                          check_layer_weight(l, "k")};
    if (!qk[0] || !qk[1])
        return err_set(ERR_USAGE, "%s has no W_Q and W_K", v->variant);
    *w = (struct draws){.d = c.d, .k = config_head(&c), .heads = c.heads};
    size_t k = (size_t)w->k, one = (size_t)w->d * k;
    const double *all[] = {check_layer_wide(l, qk[0]),
                           check_layer_wide(l, qk[1])};

    w->w = arena_take(l->layer.memory,
                      2 * (size_t)w->heads * one * sizeof *w->w);
    for (int i = 0; i < 2 * w->heads; i++)
        for (int row = 0; row < w->d; row++)
            memcpy(w->w + (size_t)i * one + (size_t)row * k,
                   all[i / w->heads] +
                       (size_t)(row * w->heads + i % w->heads) * k,
                   k * sizeof *w->w);
    return OK;
}

/* ---- projection ---- */

enum { PAIRS = 32 }; /* pairs x, y per draw */

struct sums { double xx, yy, xy; }; /* |x|^2, |y|^2 and <x,y> of one pair */

static struct sums sums(int n, const double *x, const double *y)
{
    struct sums s = {0};

    for (int i = 0; i < n; i++) {
        s.xx += x[i] * x[i];
        s.yy += y[i] * y[i];
        s.xy += x[i] * y[i];
    }
    return s;
}

static double cosine(struct sums s) { return s.xy / sqrt(s.xx * s.yy); }

/* The measures of each draw, and the largest |W^T W - I| of all. */
struct kept_shares {
    double inner[DRAWS], norm[DRAWS], lift[DRAWS], turn[DRAWS], gram;
};

static double normal(int draw, int pair, int i)
{
    struct rng_key key = {.seed = 1, .stream = RNG_STATS,
                          .step = (uint32_t)draw, .site = (uint64_t)pair};

    return rng_normal(key, (uint64_t)i);
}

/* Fills x and y, both (PAIRS,d), for a draw. */
static void fill(int draw, int d, double *x, double *y)
{
    for (int p = 0; p < PAIRS; p++)
        for (int i = 0; i < d; i++) {
            x[p * d + i] = normal(draw, p, i);
            y[p * d + i] = x[p * d + i] + normal(draw, p, d + i) / 2;
        }
}

/* Compares x and y (PAIRS,d) of draw i with xW and yW (PAIRS,k). */
static void compare_pairs(struct kept_shares *out, int i, int d, int k,
                 const double *const v[4])
{
    double inner = 0, norm = 0, down = 0, of = 0, turn = 0;

    for (int p = 0; p < PAIRS; p++) {
        struct sums was = sums(d, v[0] + p * d, v[1] + p * d);
        struct sums is = sums(k, v[2] + p * k, v[3] + p * k);

        inner += was.xy * is.xy;
        norm += was.xy * was.xy;
        down += is.xx;
        of += was.xx;
        turn += pow(cosine(is) - cosine(was), 2);
    }
    out->inner[i] = inner / norm; /* slope of a fit through 0 */
    out->norm[i] = down / of;
    out->turn[i] = turn / PAIRS;
}

/* Returns |W z|^2 / |z|^2, where z holds the first k values of `x`.  `up` (d)
 * is scratch. */
static double lift(int d, int k, const double *w, const double *x, double *up)
{
    check_times(d, k, 1, w, x, up);
    return check_norm2(d, up) / check_norm2(k, x);
}

static void all_draws(struct kept_shares *t, struct check_layer *l,
                      const struct draws *w, int n)
{
    int d = w->d, k = w->k;
    double *x = check_room(l, PAIRS, d), *y = check_room(l, PAIRS, d);
    double *u = check_room(l, PAIRS, k), *v = check_room(l, PAIRS, k);
    double *gram = check_room(l, k, k), *up = check_room(l, 1, d);

    for (int i = 0; i < n; i++) {
        const double *at = draws_at(w, i);

        fill(i, d, x, y);
        check_times(PAIRS, d, k, x, at, u);
        check_times(PAIRS, d, k, y, at, v);
        compare_pairs(t, i, d, k, (const double *const[]){x, y, u, v});
        t->lift[i] = lift(d, k, at, x, up);
        check_turned(d, k, k, at, at, gram);
        for (int e = 0; e < k * k; e++)
            t->gram = fmax(t->gram, fabs(gram[e] - (e % (k + 1) == 0)));
    }
}

static int run_projection(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct kept_shares t = {.gram = 0};
    struct draws w;

    PASS(draws_open(&w, &l, v));
    int n = 2 * w.heads < DRAWS ? 2 * w.heads : DRAWS;
    all_draws(&t, &l, &w, n);
    check_mean(o, "inner", t.inner, n);
    check_mean(o, "norm", t.norm, n);
    check_mean(o, "lift", t.lift, n);
    check_mean(o, "turn", t.turn, n);
    check_say(o, "gram", t.gram, 0);
    return OK;
}

const struct check check_projection = {
    "projection", "norms, angles and products under frozen W_Q and W_K",
    "variant method=qr d=128 k=32 heads=32", run_projection,
    {{"gram", "largest |W^T W - I|"},
     {"inner", "<xW,yW> / <x,y>, slope of a fit over pairs"},
     {"norm", "|xW|^2 / |x|^2"},
     {"lift", "|Wz|^2 / |z|^2, z in R^k"},
     {"turn", "mean square change of the cosine of x and y"}}};

/* ---- spectrum ---- */

struct spectrum {
    int    n, pairs, gains;
    double least, greatest, product_low, product_high, apart;
    double condition[DRAWS] /* log */, gain[DRAWS], overlap[DRAWS];
};

static void singular(struct spectrum *s, struct check_layer *l,
                     const struct draws *w)
{
    double *sigma = check_room(l, 1, w->k);

    for (int i = 0; i < s->n; i++) {
        linalg_singular(sigma, w->d, w->k, draws_at(w, i));
        s->condition[i] = log(sigma[0] / sigma[w->k - 1]);
    }
}

/* Returns R (k,k) of the decomposition W = Q R of draw `i`. */
static double *triangle(struct check_layer *l, const struct draws *w, int i)
{
    int d = w->d, k = w->k;
    double *q = check_room(l, d, k), *r = check_room(l, k, k);

    linalg_orthonormal(LINALG_QR, q, d, k, draws_at(w, i));
    check_turned(d, k, k, q, draws_at(w, i), r);
    return r;
}

/* Returns V W^T (d,d) for V and W (d,k). */
static double *outer(struct check_layer *l, int d, int k, const double *v,
                     const double *w)
{
    double *turned = check_room(l, k, d), *y = check_room(l, d, d);

    for (int i = 0; i < d * k; i++)
        turned[i % k * d + i / k] = w[i];
    check_times(d, k, d, v, turned, y);
    return y;
}

/* Measures W_Q and W_K of the first head.  With the QR factorizations W_Q =
 * Q_Q R_Q and W_K = Q_K R_K, W_Q W_K^T has the singular values of R_Q R_K^T.
 * For its eigenvalues, W_Q is made square by d - k columns of zeros. */
static void first(struct spectrum *s, struct check_layer *l,
                  const struct draws *w)
{
    int d = w->d, k = w->k;
    double *sigma = check_room(l, 1, k), *wide = check_room(l, d, d);
    double *inner = outer(l, k, k, triangle(l, w, 0),
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
static void gains(struct spectrum *s, struct check_layer *l,
                  const struct draws *w)
{
    int k = w->k;
    double *one = check_room(l, k, k), *two = check_room(l, k, k);

    for (int i = 0; i < s->gains; i++) {
        const double *q = draws_at(w, i), *key = draws_at(w, w->heads + i);

        check_turned(w->d, k, k, q, q, one);
        check_turned(w->d, k, k, key, key, two);
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
    double *q = check_room(l, d, k), *p = check_room(l, d, k);
    double *gram = check_room(l, k, k), *sigma = check_room(l, 1, k);

    linalg_orthonormal(LINALG_QR, q, d, k, one);
    linalg_orthonormal(LINALG_QR, p, d, k, two);
    check_turned(d, k, k, q, p, gram);
    linalg_singular(sigma, k, k, gram);
    return acos(fmin(sigma[k - 1], 1));
}

/* Compares heads 0 and 1, 2 and 3, ..., of W_Q and of W_K. */
static void pairs(struct spectrum *s, struct check_layer *l,
                  const struct draws *w)
{
    double *gram = check_room(l, w->k, w->k);
    int half = w->heads / 2;

    s->apart = INFINITY;
    for (int i = 0; i < 2 * half && s->pairs < DRAWS; i++) {
        int at = i / half * w->heads + i % half * 2;
        const double *one = draws_at(w, at), *two = draws_at(w, at + 1);

        check_turned(w->d, w->k, w->k, one, two, gram);
        s->overlap[s->pairs++] =
            check_norm2(w->k * w->k, gram) / w->k;
        s->apart = fmin(s->apart, angle(l, w, one, two));
    }
}

static int run_spectrum(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct spectrum s = {0};
    struct draws w;

    PASS(draws_open(&w, &l, v));
    if (w.heads < 2)
        return err_set(ERR_USAGE, "heads: %d: expected at least 2", w.heads);
    s.gains = w.heads < DRAWS ? w.heads : DRAWS;
    s.n = 2 * w.heads < DRAWS ? 2 * w.heads : DRAWS;
    singular(&s, &l, &w);
    first(&s, &l, &w);
    gains(&s, &l, &w);
    pairs(&s, &l, &w);
    /* The geometric mean, because the arithmetic mean of the condition numbers
     * is infinite for square Gaussian matrices. */
    double mean = exp(stats_mean(s.condition, (size_t)s.n));
    double spread = stats_sd(s.condition, (size_t)s.n);
    check_say(o, "condition", mean, mean * spread / sqrt(s.n));
    check_say(o, "product_low", s.product_low, 0);
    check_say(o, "product_high", s.product_high, 0);
    check_say(o, "least", s.least, 0);
    check_say(o, "greatest", s.greatest, 0);
    check_mean(o, "gain", s.gain, s.gains);
    check_say(o, "spread", stats_sd(s.gain, (size_t)s.gains), 0);
    check_mean(o, "overlap", s.overlap, s.pairs);
    check_say(o, "apart", s.apart, 0);
    return OK;
}

const struct check check_spectrum = {
    "spectrum", "singular values and subspaces of frozen W_Q and W_K",
    "variant method=qr d=128 k=32 heads=8", run_spectrum,
    {{"condition", "largest / smallest singular value, geometric mean"},
     {"product_low", "smallest of the k singular values of W_Q W_K^T"},
     {"product_high", "largest of the k singular values of W_Q W_K^T"},
     {"least", "smallest |eigenvalue| of W extended by d - k zero columns"},
     {"greatest", "largest |eigenvalue| of W extended by d - k zero columns"},
     {"gain", "||W_Q W_K^T||_F^2 / k, the variance of a head's scores"},
     {"spread", "standard deviation of gain over heads"},
     {"overlap", "||W_1^T W_2||_F^2 / k of two heads"},
     {"apart", "largest principal angle of two heads, least over pairs, rad"}}};
