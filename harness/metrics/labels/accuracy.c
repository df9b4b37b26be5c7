/* Accuracy: the share of examples whose label is guessed right; percent. */
#include "harness/metrics/metric.h"

#include <math.h>

struct accuracy { long right, all; };

static void begin(void *self)
{
    *(struct accuracy *)self = (struct accuracy){0};
}

static void add(void *self, const struct seen *s)
{
    struct accuracy *m = self;

    m->right += s->got == s->want;
    m->all++;
}

static double end(void *self)
{
    const struct accuracy *m = self;

    return m->all ? 100.0 * (double)m->right / (double)m->all : NAN;
}

const struct metric metric_accuracy = {
    .name = "accuracy",
    .title = "accuracy",
    .unit = "%",
    .better = 1,
    .size = sizeof(struct accuracy),
    .signature = "argmax",
    .begin = begin,
    .add = add,
    .end = end,
};
