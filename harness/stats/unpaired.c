/*
 * Hedges' g = d J(m), m = na + nb - 2,
 *   J(m) = Gamma(m/2) / (sqrt(m/2) Gamma((m - 1) / 2))   (Hedges, 1981)
 * Cliff's delta and Vargha-Delaney's A12 are Mann-Whitney's U on other scales.
 */
#include "harness/stats/unpaired.h"

#include <math.h>

/* Cliff's delta times na nb. */
static double dominance(const double *a, size_t na, const double *b, size_t nb)
{
    double sum = 0;

    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++)
            sum += (a[i] > b[j]) - (a[i] < b[j]);
    return sum;
}

double unpaired_cohen_d(const double *a, size_t na, const double *b, size_t nb)
{
    if (na < 2 || nb < 2)
        return NAN;
    double sa = stats_sd(a, na), sb = stats_sd(b, nb);
    double pooled = ((double)(na - 1) * sa * sa + (double)(nb - 1) * sb * sb) /
                    (double)(na + nb - 2);
    return pooled > 0 ? (stats_mean(a, na) - stats_mean(b, nb)) / sqrt(pooled)
                      : NAN;
}

double unpaired_hedges_g(const double *a, size_t na, const double *b, size_t nb)
{
    double half = ((double)na + (double)nb - 2) / 2;

    return unpaired_cohen_d(a, na, b, nb) *
           exp(lgamma(half) - lgamma(half - 0.5) - log(half) / 2);
}

double unpaired_cliff_delta(const double *a, size_t na, const double *b,
                            size_t nb)
{
    return dominance(a, na, b, nb) / ((double)na * (double)nb);
}

double unpaired_a12(const double *a, size_t na, const double *b, size_t nb)
{
    return (unpaired_cliff_delta(a, na, b, nb) + 1) / 2;
}
