/*
 * Token cross-entropy: sum over examples of -log p(target) divided by the sum
 * of their target tokens, end marks counted; nats.  For classification the
 * target is one token, the label.
 */
#include "harness/metrics/metric.h"

#include <math.h>

struct ce { double nll; long tokens; };

static void begin(void *self)
{
    *(struct ce *)self = (struct ce){0};
}

static void add(void *self, const struct seen *s)
{
    struct ce *m = self;

    m->nll += s->nll;
    m->tokens += s->tokens;
}

static double end(void *self)
{
    const struct ce *m = self;

    return m->tokens ? m->nll / (double)m->tokens : NAN;
}

const struct metric metric_ce = {
    .name = "ce",
    .title = "cross-entropy",
    .unit = "nats/token",
    .better = -1,
    .size = sizeof(struct ce),
    .signature = "sum of nats / target tokens|eos:counted|smoothing:none",
    .begin = begin,
    .add = add,
    .end = end,
};
