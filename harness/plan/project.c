#include "harness/plan/project.h"

#include <math.h>

struct projection project(const struct cell *c, const struct network *net,
                          int ranks)
{
    double p = ranks, one = c->seconds / c->config.steps;
    int rows = (c->config.batch + ranks - 1) / ranks;
    double gradient = c->cost.params * sizeof(real);
    double work = one * rows / c->config.batch;
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
    int batch = c->config.batch;

    for (int p = 2; p <= most; p++)
        if ((p > batch || batch % p == 0) &&
            project(c, net, p).efficiency < least)
            return p;
    return 0;
}
