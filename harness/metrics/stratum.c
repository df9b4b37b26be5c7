#include "harness/metrics/stratum.h"

#include "harness/base/err.h"
#include "harness/metrics/scorer.h"
#include "harness/stats/bootstrap.h"

#include <stdlib.h>
#include <string.h>

void stratum_open(struct stratum *s, size_t n, size_t columns)
{
    s->n = n;
    s->columns = columns;
    s->x = calloc(n * columns + 1, sizeof *s->x);
}

void stratum_close(struct stratum *s)
{
    free(s->x);
    score_options_free(s->options);
    *s = (struct stratum){.n = 0};
}

double stratum_value(const struct stratum *s)
{
    OWNED(free) double *sum = calloc(s->columns + 1, sizeof *sum);
    OWNED(free) uint32_t *all = malloc((s->n + 1) * sizeof *all);

    for (size_t i = 0; i < s->n; i++)
        all[i] = (uint32_t)i;
    scorer_sum(sum, s->x, s->n, s->columns);
    return s->of_sums ? s->of_sums(s, sum) : s->of_drawn(s, all);
}

/* ---- leaving one unit out ---- */

/* Subtracts each row from the sum of all rows.  Rows hold counts or losses of
 * similar size, so this is as accurate as a sum of the other rows. */
static void leave_out_sums(double *left, const struct stratum *all,
                           const struct stratum *fewer)
{
    size_t columns = all->columns;
    OWNED(free) double *sum = calloc(2 * columns + 1, sizeof *sum);

    scorer_sum(sum, all->x, all->n, columns);
    for (size_t i = 0; i < all->n; i++) {
        for (size_t c = 0; c < columns; c++)
            sum[columns + c] = sum[c] - all->x[i * columns + c];
        left[i] = fewer->of_sums(fewer, sum + columns);
    }
}

/* At step i, `others` holds the indices of all units except i.  The end of the
 * step replaces others[i], which is i + 1, by i. */
static void leave_out_drawn(double *left, const struct stratum *all,
                            const struct stratum *fewer)
{
    OWNED(free) uint32_t *others = malloc((all->n + 1) * sizeof *others);

    for (size_t i = 0; i < all->n; i++)
        others[i] = (uint32_t)i + 1;
    for (size_t i = 0; i < all->n; i++) {
        left[i] = fewer->of_drawn(fewer, others);
        others[i] = (uint32_t)i;
    }
}

void stratum_leave_out(double *left, const struct stratum *s)
{
    struct stratum fewer = *s;

    fewer.n = s->n - 1;
    (s->of_sums ? leave_out_sums : leave_out_drawn)(left, s, &fewer);
}

/* ---- resampling ---- */

/* The rows of all systems side by side, so that a draw reads them together. */
struct interleaved {
    const struct stratum *const *s;
    int            systems;
    size_t         columns; /* of all systems together */
    double        *x, *sum; /* (n,columns), (columns) */
    double *const *value;
};

/* Sets b->sum to the sum of the drawn rows.  Adds four rows at a time, so that
 * the sums are accessed a quarter as often. */
static void add_rows(struct interleaved *b, const uint32_t *drawn)
{
    size_t columns = b->columns, n = b->s[0]->n, i = 0;
    double *restrict sum = b->sum;

    memset(sum, 0, columns * sizeof *sum);
    for (; i + 4 <= n; i += 4) {
        const double *restrict p = b->x + drawn[i] * columns;
        const double *restrict q = b->x + drawn[i + 1] * columns;
        const double *restrict r = b->x + drawn[i + 2] * columns;
        const double *restrict s = b->x + drawn[i + 3] * columns;

        for (size_t c = 0; c < columns; c++)
            sum[c] += (p[c] + q[c]) + (r[c] + s[c]);
    }
    for (; i < n; i++)
        for (size_t c = 0; c < columns; c++)
            sum[c] += b->x[drawn[i] * columns + c];
}

static void add_draws(void *arg, size_t r, const uint32_t *drawn)
{
    struct interleaved *b = arg;

    if (b->x)
        add_rows(b, drawn);
    for (int k = 0; k < b->systems; k++) {
        const struct stratum *s = b->s[k];

        b->value[k][r] = s->of_sums
                             ? s->of_sums(s, b->sum + (size_t)k * s->columns)
                             : s->of_drawn(s, drawn);
    }
}

static double *interleave(const struct stratum *const *s, int systems)
{
    size_t n = s[0]->n, c = s[0]->columns, all = (size_t)systems * c;
    double *x = malloc((n * all + 1) * sizeof *x);

    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < systems; k++)
            memcpy(x + i * all + (size_t)k * c, s[k]->x + i * c, c * sizeof *x);
    return x;
}

void stratum_resample(double *const *value, const struct stratum *const *s,
                      int systems, size_t resamples, uint64_t seed)
{
    struct interleaved b = {.s = s, .systems = systems, .value = value,
                            .columns = (size_t)systems * s[0]->columns};

    for (int k = 1; k < systems; k++)
        REQUIRE(s[k]->n == s[0]->n && s[k]->columns == s[0]->columns,
                "%zu and %zu units", s[k]->n, s[0]->n);
    if (s[0]->of_sums)
        b.x = interleave(s, systems);
    b.sum = malloc((b.columns + 1) * sizeof *b.sum);
    bootstrap_draw(resamples, s[0]->n, seed + (uint64_t)s[0]->which, add_draws,
                   &b);
    free(b.sum);
    free(b.x);
}
