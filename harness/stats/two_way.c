#include "harness/stats/two_way.h"

#include "harness/base/owned.h"

#include <math.h>
#include <stdlib.h>

/* Intervals more than WIDEST times as wide as with MANY degrees of freedom are
 * uninformative. */
static const double WIDEST = 10, MANY = 1e6;

/* A and E of one sample (two_way.h).  look_at() also adds v(i) to mean[i]. */
struct side { double a, e; };

static double squares(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

static struct side look_at(double *mean, const struct two_way_sample *x)
{
    double seeds = (double)x->seeds, each = 0;
    double sd = stats_sd(x->score, x->seeds);

    for (size_t s = 0; x->n && s < x->seeds; s++) {
        for (size_t i = 0; i < x->n; i++)
            mean[i] += x->influence[s][i] / seeds;
        each += squares(x->influence[s], x->n) / seeds;
    }
    return (struct side){sd * sd / seeds,
                         fmax(0, each - squares(mean, x->n)) / (seeds - 1)};
}

/* Returns 1.645 times the standard error that B - E has if the variance of the
 * examples is 0.  `of_a` and `of_b` are E of the two samples. */
static double unseen(const struct two_way_sample *a,
                     const struct two_way_sample *b, double of_a, double of_b)
{
    double squares = pow(of_a + of_b, 2) +
                     of_a * of_a / ((double)a->seeds - 1) +
                     (b ? of_b * of_b / ((double)b->seeds - 1) : 0);

    return 1.645 * sqrt(2 * squares / ((double)a->n - 1));
}

static void add_part(struct two_way *c, double variance, double degrees)
{
    c->part[c->parts++] = (struct two_way_part){variance, degrees};
}

struct two_way two_way_of(const struct two_way_sample *a,
                          const struct two_way_sample *b)
{
    static const struct two_way unknown;
    struct two_way c = {.mean = stats_mean(a->score, a->seeds)};
    OWNED(free) double *v = calloc(2 * a->n + 1, sizeof *v);
    struct side x = look_at(v, a), y = {0, 0};

    add_part(&c, x.a, (double)a->seeds - 1);
    if (b) {
        c.mean -= stats_mean(b->score, b->seeds);
        y = look_at(v + a->n, b);
        add_part(&c, y.a, (double)b->seeds - 1);
    }
    for (size_t i = 0; b && i < a->n; i++)
        v[i] -= v[a->n + i];
    if (a->n)
        add_part(&c, fmax(0, x.e - x.a) + fmax(0, y.e - y.a) +
                         fmax(0,
                              squares(v, a->n) - x.e - y.e), (double)a->n - 1);
    if (a->n && squares(v, a->n) < x.e + y.e)
        c.unseen = unseen(a, b, x.e, y.e);
    int known = isfinite(c.mean) && isfinite(squares(v, a->n));
    for (int i = 0; i < c.parts; i++)
        known &= isfinite(c.part[i].variance) && c.part[i].degrees > 0;
    return known ? c : unknown;
}

double two_way_error(const struct two_way *c)
{
    double sum = 0;

    for (int i = 0; i < c->parts; i++)
        sum += c->part[i].variance;
    return sqrt(sum);
}

static double reach(const struct two_way *c, double tail,
                    double (*quantile)(double tail, double degrees))
{
    double squares = 0;

    for (int i = 0; i < c->parts; i++) {
        const struct two_way_part *part = &c->part[i];
        double t = part->variance > 0 ? quantile(tail, part->degrees) : 0;

        squares += part->variance * t * t;
    }
    return sqrt(squares);
}

static double far(double tail, double degrees)
{
    return -stats_t_at(tail, degrees);
}

static double far_95(double tail, double degrees)
{
    (void)tail;
    return stats_t_quantile(degrees);
}

double two_way_reach(const struct two_way *c, double tail)
{
    return reach(c, tail, far);
}

int two_way_too_few(const struct two_way *c, double tail)
{
    return two_way_reach(c, tail) >
           WIDEST * far(tail, MANY) * two_way_error(c);
}

struct interval two_way_interval(const struct two_way *c)
{
    double half = reach(c, 0, far_95);

    return c->parts ? (struct interval){c->mean - half, c->mean + half}
                    : (struct interval){NAN, NAN};
}
