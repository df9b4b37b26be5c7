#include "harness/report/power.h"

#include "harness/stats/detect.h"

#include <math.h>

enum { MOST = 10000 }; /* seeds that are looked at */

/* Variances of one seed, and of the examples, behind what was seen. */
static struct detect spread_of(const struct contrast *c)
{
    struct detect d = {.degrees = 1};
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

static const char *why_none(const struct power *p, const struct detect *d,
                            double level, double wanted)
{
    const struct detect sure = {0, d->of_examples, d->degrees, 0};

    return !(p->difference > 0) ? "no difference observed: use --difference"
           : detect_power(&sure, MOST, p->difference, level) < wanted
               ? "too few test examples"
               : "over 10000";
}

struct power power_of(const struct contrast *seen, double difference,
                      double level, double wanted)
{
    struct detect d = spread_of(seen);
    struct power p = {
        .difference = difference > 0 ? difference : fabs(seen->difference),
        .sd_seed = NAN, .error_examples = NAN, .power = NAN,
        .why = "unknown: one seed"};

    if (!seen->mean.parts)
        return p;
    p.sd_seed = sqrt(d.of_seed + d.of_other);
    if (seen->examples > 0)
        p.error_examples = sqrt(d.of_examples);
    p.power = detect_power(&d, seen->seeds, p.difference, level);
    p.seeds = detect_seeds(&d, p.difference, level, wanted, MOST);
    p.why = p.seeds ? "" : why_none(&p, &d, level, wanted);
    /* a permutation of fewer tells nothing */
    if (p.seeds && p.seeds < seen->seeds + seen->more)
        p.seeds = seen->seeds + seen->more;
    if (seen->more)
        p.power = 0;
    return p;
}
