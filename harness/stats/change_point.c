#include "harness/stats/change_point.h"

#include "harness/base/owned.h"
#include "harness/base/rng.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the greatest Q ---- */

/* For i <= j, sets sum[i * (n + 1) + j] to the sum of |x[a] - x[b]| over all
 * pairs i <= a < b < j.  Row i is row i + 1 plus the pairs with a = i. */
static void sum_pairs(double *sum, const double *x, size_t n)
{
    const size_t row = n + 1;

    for (size_t i = n + 1; i-- > 0;) {
        double *here = sum + i * row, *next = here + row, with = 0;

        here[i] = 0;
        for (size_t j = i + 1; j <= n; j++) {
            with += fabs(x[i] - x[j - 1]);
            here[j] = (j > i + 1 ? next[j] : 0) + with;
        }
    }
}

/* Returns the greatest Q over all k for X = 0 .. t-1 and Y = t .. k-1.  With
 * l = k - t, Q = 2 / k (between - l / (t - 1) in_x - t / (l - 1) in_y), where
 * the three sums are over pairs between X and Y, within X and within Y. */
static double greatest_of(const double *sum, size_t t, size_t n)
{
    const double *in_y = sum + t * (n + 1), in_x = sum[t], m = (double)t;
    double best = -INFINITY;

    for (size_t k = t + CHANGE_LEAST; k <= n; k++) {
        double l = (double)(k - t), between = sum[k] - in_x - in_y[k];
        double q = 2 / (m + l) * (between - l * (in_x / (m - 1)) -
                                  m * in_y[k] / (l - 1));

        best = q > best ? q : best;
    }
    return best;
}

static double greatest(size_t *at, double *sum, const double *x, size_t n)
{
    double best = -INFINITY;

    sum_pairs(sum, x, n);
    for (size_t t = CHANGE_LEAST; t + CHANGE_LEAST <= n; t++) {
        double q = greatest_of(sum, t, n);

        if (q > best) {
            best = q;
            *at = t;
        }
    }
    return best;
}

double change_point_greatest(size_t *at, const double *x, size_t n)
{
    OWNED(free) double *sum = malloc((n + 1) * (n + 1) * sizeof *sum);

    return n < 2 * CHANGE_LEAST ? NAN : greatest(at, sum, x, n);
}

/* ---- the p of a candidate ---- */

struct search {
    const double  *x;
    double        *sum, *drawn;
    int           *order;
    struct change_point *out;
    size_t         found;
    double         level;
    uint64_t       seed;
};

/* Returns 1 if q >= `than`.  Sums in another order differ by rounding, so a
 * value that is less only because of rounding counts as equal. */
static int reaches(double q, double than)
{
    return q >= than - 1e-9 * fabs(than);
}

/* Returns p for the greatest Q, `q`, of the values `from` to `from` + n - 1, or
 * 1 as soon as it is certain that p exceeds the level. */
static double p_of(struct search *s, size_t from, size_t n, double q)
{
    struct rng_key key = {.seed = s->seed, .stream = RNG_STATS, .site = from};
    int over = 0;
    size_t at;

    for (int r = 0; r < CHANGE_ORDERS; r++) {
        key.step = (uint32_t)r;
        rng_shuffle(key, (int)n, s->order);
        for (size_t i = 0; i < n; i++)
            s->drawn[i] = s->x[from + (size_t)s->order[i]];
        over += reaches(greatest(&at, s->sum, s->drawn, n), q);
        if (over + 1 > s->level * (CHANGE_ORDERS + 1))
            return 1;
    }
    return (over + 1.0) / (CHANGE_ORDERS + 1);
}

static void look(struct search *s, size_t from, size_t n)
{
    size_t at = 0;

    if (n < 2 * CHANGE_LEAST)
        return;
    double q = greatest(&at, s->sum, s->x + from, n);
    if (!(q > 0))
        return;
    double p = p_of(s, from, n, q);
    if (p > s->level)
        return;
    look(s, from, at);
    s->out[s->found++] = (struct change_point){.at = from + at, .p = p};
    look(s, from + at, n - at);
}

static double median(struct search *s, size_t from, size_t to)
{
    memcpy(s->drawn, s->x + from, (to - from) * sizeof *s->drawn);
    return stats_quantile(s->drawn, to - from, 0.5);
}

size_t change_points(struct change_point *out, const double *x, size_t n,
                     double level, uint64_t seed)
{
    const size_t skip = n > CHANGE_MOST ? n - CHANGE_MOST : 0, m = n - skip;
    OWNED(free) double *sum = malloc((m + 1) * (m + 1) * sizeof *sum);
    OWNED(free) double *drawn = malloc((m + 1) * sizeof *drawn);
    OWNED(free) int *order = malloc((m + 1) * sizeof *order);
    struct search s = {x + skip, sum, drawn, order, out, 0, level, seed};

    look(&s, 0, m);
    for (size_t i = 0; i < s.found; i++) {
        size_t from = i ? out[i - 1].at : 0;
        size_t to = i + 1 < s.found ? out[i + 1].at : m;

        out[i].before = median(&s, from, out[i].at);
        out[i].after = median(&s, out[i].at, to);
    }
    for (size_t i = 0; i < s.found; i++)
        out[i].at += skip;
    return s.found;
}
