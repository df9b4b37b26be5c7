#include "harness/report/power.h"

#include "harness/report/result_table.h"
#include "harness/stats/design.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 10000 }; /* the largest number of seeds tried */
static const double ROUNDING = 1e-9; /* relative error of stored numbers */

/* Returns the variance that a single seed causes and the variance that the
 * examples cause, computed from the variances of the observed mean. */
static struct design spread_of(const struct contrast *c)
{
    struct design d = {.degrees = 1};
    double *const of[] = {&d.of_seed, &d.of_other};
    int seeds = c->mean.parts - (c->examples > 0);

    for (int i = 0; i < seeds; i++)
        *of[i] = c->mean.part[i].variance * (c->mean.part[i].degrees + 1);
    if (c->examples > 0) {
        d.of_examples = c->mean.part[seeds].variance;
        d.degrees = c->mean.part[seeds].degrees;
    }
    return d;
}

/* Returns the mean of a minus b over the seeds of a pair: over their common
 * seeds, or if they have none, over all seeds of each. */
static struct two_way mean_of_seeds(const struct result_pair *p)
{
    size_t room = (size_t)p->by_seeds + 1, common = 0, n[2] = {0, 0};
    OWNED(free) double *both = calloc(room, sizeof *both);
    OWNED(free) double *a = calloc(room, sizeof *a);
    OWNED(free) double *b = calloc(room, sizeof *b);

    for (int i = 0; i < p->by_seeds; i++) {
        const struct result_by_seed *x = &p->by_seed[i];

        if (!isnan(x->a))
            a[n[0]++] = x->a;
        if (!isnan(x->b))
            b[n[1]++] = x->b;
        if (!isnan(x->a - x->b))
            both[common++] = x->a - x->b;
    }
    if (common)
        return two_way_of(&(struct two_way_sample){common, 0, both, NULL},
                          NULL);
    return two_way_of(&(struct two_way_sample){n[0], 0, a, NULL},
                      &(struct two_way_sample){n[1], 0, b, NULL});
}

struct contrast power_observed(const struct result_pair *p, size_t m)
{
    struct contrast c = {
        .difference = p->difference, .verdict = p->verdict, .seeds = p->seeds,
        .more = p->more, .unsettled = p->unsettled, .mean = mean_of_seeds(p)};
    double half = (p->verdict.between.high - p->verdict.between.low) / 2;
    double degrees = (double)p->examples - 1;

    if (!c.mean.parts || isnan(half) || degrees < 1)
        return c;
    double t = stats_t_at(verdict_tail(m), degrees);
    double seeds = two_way_reach(&c.mean, verdict_tail(m));
    double rest = seeds < (1 - ROUNDING) * half ? half * half - seeds * seeds
                                                : 0;
    c.examples = p->examples;
    c.mean.unseen = rest > 0 ? 0 : NAN;
    c.mean.part[c.mean.parts++] =
        (struct two_way_part){rest / (t * t), degrees};
    return c;
}

static const char *why_none(const struct power *p, const struct design *d,
                            double level, double wanted)
{
    const struct design sure = {0, d->of_examples, d->degrees, 0};

    return !(p->difference > 0) ? "no difference observed: use --difference"
           : design_power(&sure, MOST, p->difference, level) < wanted
               ? "too few test examples"
               : "over 10000";
}

/* Returns the number of seeds needed if the sd over seeds is `spread` times the
 * observed one, and the variance that the examples cause is `of_examples`. */
static size_t seeds_of(struct design d, double spread, double of_examples,
                       const struct power *p, double level, double wanted)
{
    d.of_seed *= spread * spread;
    d.of_other *= spread * spread;
    d.of_examples = of_examples;
    return design_seeds(&d, p->difference, level, wanted, MOST);
}

struct power power_of(const struct contrast *observed, double difference,
                      double level, double wanted)
{
    struct design d = spread_of(observed);
    struct power p = {
        .difference = difference > 0 ? difference : fabs(observed->difference),
        .sd_seed = NAN, .error_examples = NAN, .below = NAN, .power = NAN,
        .why = "unknown: one seed"};

    if (!observed->mean.parts)
        return p;
    p.sd_seed = sqrt(d.of_seed + d.of_other);
    if (observed->examples > 0 && observed->mean.unseen > 0)
        p.below = sqrt(fmax(observed->mean.unseen, d.of_examples));
    else if (observed->examples > 0 && !isnan(observed->mean.unseen))
        p.error_examples = sqrt(d.of_examples);
    if (two_way_error(&observed->mean) > 0)
        p.share = d.of_examples / pow(two_way_error(&observed->mean), 2);
    p.power = design_power(&d, observed->seeds, p.difference, level);
    p.seeds = design_seeds(&d, p.difference, level, wanted, MOST);
    p.why = p.seeds ? "" : why_none(&p, &d, level, wanted);
    /* The range follows from the interval of the sd over seeds.  If the
     * variance due to the examples was not observed, p.most assumes its upper
     * bound (`unseen`, stats/two_way.h). */
    struct interval by = design_spread(observed->seeds);
    p.least = seeds_of(d, by.low, d.of_examples, &p, level, wanted);
    p.most = seeds_of(d, by.high,
                      fmax(d.of_examples, observed->mean.unseen), &p,
                      level, wanted);
    if (observed->examples > 0)
        p.examples = (size_t)ceil((double)observed->examples *
                                  design_examples(&d, observed->seeds,
                                                  p.difference, level,
                                                  wanted));
    /* with fewer seeds, the permutation test cannot be significant */
    size_t fewest = observed->seeds + observed->more;
    if (p.seeds && p.seeds < fewest)
        p.seeds = fewest;
    if (p.least && p.least < fewest)
        p.least = fewest;
    if (p.most && p.most < p.seeds)
        p.most = p.seeds;
    if (observed->more)
        p.power = 0;
    return p;
}
