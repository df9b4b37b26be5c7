#include "harness/plan/project.h"

#include <math.h>

/* Returns the number of examples of a step. */
static int batch_of(const struct cell *c) { return (int)round(c->step.rows); }

struct projection project(const struct cell *c, const struct network *net,
                          int ranks)
{
    double p = ranks, one = c->seconds / c->config.steps;
    int rows = (batch_of(c) + ranks - 1) / ranks;
    double gradient = c->cost.params * sizeof(real);
    double work = one * rows / batch_of(c);
    struct projection x = {
        .exchange = 2 * (p - 1) / p * gradient / net->bandwidth +
                    4 * (p - 1) * net->latency};

    x.beside = fmin((p - 1) / p * gradient / net->bandwidth, 2 * work / 3);
    x.step = work + x.exchange - x.beside;
    x.efficiency = one / (p * x.step);
    return x;
}

int project_limit(const struct cell *c, const struct network *net,
                  double least, int most)
{
    int batch = batch_of(c);

    for (int p = 2; p <= most; p++)
        if ((p > batch || batch % p == 0) &&
            project(c, net, p).efficiency < least)
            return p;
    return 0;
}
