#include "harness/stats/permutation.h"

#include "harness/base/owned.h"
#include "harness/base/rng.h"
#include "harness/stats/verdict.h"

#include <gsl/gsl_combination.h>
#include <math.h>
#include <stdlib.h>

enum { BITS = 16, ENOUGH = 64 /* seeds; enough for any family */ };

static const double ROUNDING = 1e-12;

double permutation_clean(double x, double size)
{
    return isfinite(size) && fabs(x) <= ROUNDING * size ? 0 : x;
}

static double size_of(const double *x, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* ---- pairs ---- */

size_t permutation_pairs(size_t n)
{
    return n < BITS ? ((size_t)1 << n) - 1 : PERMUTATION_MOST;
}

/* Subset `set` contains member i if set & mask[i] has an odd number of bits.
 * Each of the first BITS members has one bit of its own, so that all subsets of
 * them differ; the others have random bits. */
static uint32_t *new_masks(size_t n, uint64_t seed)
{
    struct rng_key key = {.seed = seed, .stream = RNG_STATS};
    uint32_t *mask = malloc((n + 1) * sizeof *mask);

    for (size_t i = 0; i < n; i++)
        mask[i] = i < BITS ? (uint32_t)1 << i
                           : 1 + rng_below(key, i, PERMUTATION_MOST);
    return mask;
}

void permutation_of_pairs(double *t, const double *d, size_t n, uint64_t seed)
{
    double size = size_of(d, n);
    OWNED(free) uint32_t *mask = new_masks(n, seed);

    for (uint32_t set = 1; set <= permutation_pairs(n); set++) {
        double sum = 0;
        int members = 0;

        for (size_t i = 0; i < n; i++)
            if (__builtin_parity(set & mask[i])) {
                sum += d[i];
                members++;
            }
        t[set - 1] = permutation_clean(sum / members, size);
    }
}

size_t permutation_more_pairs(size_t n, size_t m)
{
    size_t more = 0;

    while (n + more < BITS && !verdict_possible(permutation_pairs(n + more), m))
        more++;
    return more;
}

/* ---- others ---- */

/* Returns C(na + nb, na); the count may stop beyond PERMUTATION_MOST + 1. */
static double choices(size_t na, size_t nb)
{
    double n = 1;

    for (size_t i = 1; i <= na && n <= PERMUTATION_MOST + 1.0; i++)
        n = n * (double)(nb + i) / (double)i;
    return n;
}

size_t permutation_others(size_t na, size_t nb)
{
    double all = choices(na, nb);

    return all > PERMUTATION_MOST ? PERMUTATION_MOST : (size_t)lround(all) - 1;
}

/* `all` holds the values of a, then those of b; take[0 .. na-1] are the indices
 * of the values that a permutation assigns to a.  Returns the mean of the
 * values that leave a minus the mean of those that leave b, or 0 if none
 * does. */
static double moved(const double *all, size_t na, const size_t *take)
{
    double less = 0;
    int k = 0;

    for (size_t i = 0; i < na; i++) {
        less += all[i] - all[take[i]]; /* values that stay cancel */
        k += take[i] >= na;
    }
    return k ? less / k : 0;
}

static void draw_choice(size_t *order, size_t na, size_t n, struct rng_key key)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = 0; i < na; i++) {
        size_t j = i + rng_below(key, i, (uint32_t)(n - i)), k = order[i];

        order[i] = order[j];
        order[j] = k;
    }
}

void permutation_of_others(double *t, const double *a, size_t na,
                           const double *b, size_t nb, uint64_t seed)
{
    size_t n = na + nb, many = permutation_others(na, nb);
    OWNED(free) size_t *take = malloc((n + 1) * sizeof *take);
    OWNED(free) double *all = malloc((n + 1) * sizeof *all);
    gsl_combination choice = {n, na, take};
    double size = fmax(size_of(a, na), size_of(b, nb));

    for (size_t i = 0; i < n; i++) {
        take[i] = i;
        all[i] = i < na ? a[i] : b[i - na];
    }
    for (size_t k = 0; k < many; k++) {
        /* In a random draw, it may happen that no value changes sides.  The
         * typical value 0 then counts against both signs of the difference. */
        if (choices(na, nb) > PERMUTATION_MOST + 1.0)
            draw_choice(take, na, n,
                        (struct rng_key){.seed = seed, .stream = RNG_STATS,
                                         .step = (uint32_t)k});
        else
            gsl_combination_next(&choice);
        t[k] = permutation_clean(moved(all, na, take), size);
    }
}

size_t permutation_more_others(size_t na, size_t nb, size_t m)
{
    size_t more = 0;

    while (na + nb + 2 * more < ENOUGH &&
           !verdict_possible(permutation_others(na + more, nb + more), m))
        more++;
    return more;
}
