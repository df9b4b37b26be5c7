/*
 * projection: measures how well W (d,k) preserves norms, angles and inner
 * products of x and y in R^d, where x and z are N(0, I) and y = x + z / 2.  If
 * W^T W = I, the inner product <xW,yW> = x W W^T y^T contains W W^T, a
 * projection of rank k:
 *
 *     ||W W^T - I||_F^2 = d - k,    E <xW,yW> = (k/d) <x,y>
 *
 * Each draw of W has x and y of its own; errors are standard errors over the
 * draws.
 */
#include "harness/claims/weight_draws.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"

#include <math.h>

enum { PAIRS = 32, DRAWS = 128 }; /* pairs x, y per draw; maximum of draws */

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

/* The measures of one draw. */
struct draw { double inner, norm, lift, turn; };

struct whole { struct draw draw[DRAWS]; double gram; struct check_layer *l; };

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

static void look(struct draw *out, int d, int k, const double *const v[4])
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
    out->inner = inner / norm; /* slope of a fit through 0 */
    out->norm = down / of;
    out->turn = turn / PAIRS;
}

/* Returns |W z|^2 / |z|^2, where z holds the first k values of `x`.  `up` (d)
 * is scratch. */
static double lift(int d, int k, const double *w, const double *x, double *up)
{
    draws_times(d, k, 1, w, x, up);
    return draws_norm2((size_t)d, up) / draws_norm2((size_t)k, x);
}

/* Returns the largest element of |W^T W - I|.  `gram` (k,k) is scratch. */
static double gram_error(int d, int k, const double *w, double *gram)
{
    double worst = 0;

    draws_turned(d, k, k, w, w, gram);
    for (int i = 0; i < k * k; i++)
        worst = fmax(worst, fabs(gram[i] - (i % (k + 1) == 0)));
    return worst;
}

static void all_draws(struct whole *t, const struct draws *w, int n)
{
    int d = w->d, k = w->k;
    double *x = draws_room(t->l, PAIRS, d), *y = draws_room(t->l, PAIRS, d);
    double *u = draws_room(t->l, PAIRS, k), *v = draws_room(t->l, PAIRS, k);
    double *gram = draws_room(t->l, k, k), *up = draws_room(t->l, 1, d);

    for (int i = 0; i < n; i++) {
        const double *at = draws_at(w, i);

        fill(i, d, x, y);
        draws_times(PAIRS, d, k, x, at, u);
        draws_times(PAIRS, d, k, y, at, v);
        look(&t->draw[i], d, k, (const double *const[]){x, y, u, v});
        t->draw[i].lift = lift(d, k, at, x, up);
        t->gram = fmax(t->gram, gram_error(d, k, at, gram));
    }
}

/* Returns ||W W^T - I||_F^2 / d for the first draw. */
static double lost(struct check_layer *l, const struct draws *w)
{
    int d = w->d;
    double *both = draws_outer(l, d, w->k, w->w, w->w);

    for (int i = 0; i < d; i++)
        both[i * d + i] -= 1;
    return draws_norm2((size_t)d * (size_t)d, both) / d;
}

static void report_projection(struct check_out *o, const struct whole *t, int n)
{
    double inner[DRAWS], norm[DRAWS], up[DRAWS], turn[DRAWS];

    for (int i = 0; i < n; i++) {
        inner[i] = t->draw[i].inner;
        norm[i] = t->draw[i].norm;
        up[i] = t->draw[i].lift;
        turn[i] = t->draw[i].turn;
    }
    draws_say(o, "inner", inner, n);
    draws_say(o, "norm", norm, n);
    draws_say(o, "lift", up, n);
    draws_say(o, "turn", turn, n);
    check_say(o, "gram", t->gram, 0);
}

static int run_projection(const struct check_args *a, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct whole t = {.l = &l};
    struct draws w;

    PASS(draws_open(&w, &l, a));
    int n = 2 * w.heads < DRAWS ? 2 * w.heads : DRAWS;
    all_draws(&t, &w, n);
    report_projection(o, &t, n);
    check_say(o, "lost", lost(&l, &w), 0);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"variant", NAN, "variant of W_Q, W_K: orthogonal, frozen-gaussian, ..."},
    {"method", NAN, "construction of orthonormal columns; default: qr"},
    {"d", 128, "rows of W"},
    {"k", 32, "columns of W"},
    {"heads", 32, "half the number of draws"},
    {0}};

static const struct check_measure measures[] = {
    {"gram", "largest |W^T W - I|"},
    {"lost", "||W W^T - I||_F^2 / d"},
    {"inner", "<xW,yW> / <x,y>, slope of a fit over pairs"},
    {"norm", "|xW|^2 / |x|^2"},
    {"lift", "|Wz|^2 / |z|^2, z in R^k"},
    {"turn", "mean square change of the cosine of x and y"},
    {0}};

const struct check check_projection = {
    "projection", "norms, angles and products under frozen W_Q and W_K",
    parameters, measures, run_projection};
