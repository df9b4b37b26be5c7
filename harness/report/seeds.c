#include "harness/report/seeds.h"

#include "harness/stats/permutation.h"

#include <math.h>
#include <stdlib.h>

enum { SEED = 1 }; /* seed for random permutations, which are drawn if there
                      are too many to enumerate */

/* The values and influence (struct seeds) of those seeds of a variant that a
 * test uses. */
struct used {
    size_t         n;
    double        *x;
    const double **influence;
};

static void close_used(struct used *u)
{
    free(u->x);
    free(u->influence);
}
OWNER_OF_VALUE(close_used, struct used)

static struct used open_used(const struct seeds *s)
{
    return (struct used){.x = malloc((s->n + 1) * sizeof(double)),
                         .influence = calloc(s->n + 1, sizeof(double *))};
}

static void use(struct used *u, const struct seeds *s, size_t i)
{
    if (s->units)
        u->influence[u->n] = s->influence[i];
    u->x[u->n++] = s->value[i];
}

static void use_all(struct used *u, const struct seeds *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->value[i]))
            use(u, s, i);
}

static int is_pair(const struct seeds *a, size_t i, const struct seeds *b,
                   size_t j)
{
    return a->seed[i] == b->seed[j] && !isnan(a->value[i]) &&
           !isnan(b->value[j]);
}

static void use_pairs(struct used *x, struct used *y, const struct seeds *a,
                      const struct seeds *b)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            if (is_pair(a, i, b, j)) {
                use(x, a, i);
                use(y, b, j);
            }
}

static struct two_way_sample sample(const struct used *u, size_t units)
{
    return (struct two_way_sample){u->n, units, u->x, u->influence};
}

struct two_way seeds_mean(const struct seeds *s)
{
    OWNED(close_used) struct used u = open_used(s);

    use_all(&u, s);
    struct two_way_sample x = sample(&u, s->units);
    return two_way_of(&x, NULL);
}

/* ---- pairs ---- */

/* Tests the differences of paired seeds.  Replaces the values and influence of
 * `x` by their differences from `y`. */
static void compare_pairs(struct seeds_test *out, struct used *x,
                          const struct used *y, size_t units)
{
    size_t n = x->n;
    OWNED(free) double *u = malloc((n * units + 1) * sizeof *u);

    for (size_t k = 0; k < n; k++) {
        x->x[k] = permutation_clean(x->x[k] - y->x[k],
                                    fabs(x->x[k]) + fabs(y->x[k]));
        for (size_t i = 0; i < units; i++)
            u[k * units + i] = x->influence[k][i] - y->influence[k][i];
        x->influence[k] = u + k * units;
    }
    struct two_way_sample d = sample(x, units);
    out->mean = two_way_of(&d, NULL);
    out->known.n = permutation_pairs(n);
    out->known.t = malloc((out->known.n + 1) * sizeof *out->known.t);
    permutation_of_pairs(out->known.t, x->x, n, SEED);
}

/* ---- no common seeds ---- */

static void compare_others(struct seeds_test *out, const struct used *x,
                           const struct used *y, size_t units)
{
    struct two_way_sample a = sample(x, units), b = sample(y, units);

    if (x->n == 0 || y->n == 0)
        return;
    out->mean = two_way_of(&a, &b);
    out->known.n = permutation_others(x->n, y->n);
    out->known.t = malloc((out->known.n + 1) * sizeof *out->known.t);
    permutation_of_others(out->known.t, x->x, x->n, y->x, y->n, SEED);
}

void seeds_open(struct seeds_test *out, const struct seeds *a,
                const struct seeds *b)
{
    OWNED(close_used) struct used x = open_used(a), y = open_used(b);
    size_t units = a->units == b->units ? a->units : 0;

    use_pairs(&x, &y, a, b);
    *out = (struct seeds_test){.paired = x.n > 0, .units = units};
    if (!out->paired) {
        use_all(&x, a);
        use_all(&y, b);
    }
    out->na = x.n;
    out->nb = y.n;
    out->a = stats_mean(x.x, x.n);
    out->b = stats_mean(y.x, y.n);
    if (out->paired)
        compare_pairs(out, &x, &y, units);
    else
        compare_others(out, &x, &y, units);
    out->crossed = units && out->mean.parts;
    if (out->crossed) {
        known_close(&out->known);
        out->known.crossed = out->mean;
    }
}

size_t seeds_more(const struct seeds_test *s, size_t m)
{
    enum { CROSSED = 2 }; /* seeds that each variant needs for a mean over
                             seeds x examples */
    size_t n = s->na < s->nb ? s->na : s->nb;

    if (s->crossed)
        return 0;
    if (s->units && n < CROSSED)
        return CROSSED - n;
    return s->paired ? permutation_more_pairs(s->na, m)
                     : permutation_more_others(s->na, s->nb, m);
}
