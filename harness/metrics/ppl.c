/*
 * Perplexity per subword: exp(sum of -log p / target tokens), end marks
 * counted.  Comparable only under the same tokenizer.
 */
#include "harness/metrics/metric.h"

#include <math.h>

struct ppl { double nll; long tokens; };

static void begin(void *self)
{
    *(struct ppl *)self = (struct ppl){0};
}

static void add(void *self, const struct seen *s)
{
    struct ppl *m = self;

    m->nll += s->nll;
    m->tokens += s->tokens;
}

static double end(void *self)
{
    const struct ppl *m = self;

    return m->tokens ? exp(m->nll / (double)m->tokens) : NAN;
}

const struct metric metric_ppl = {
    .name = "ppl",
    .title = "perplexity per subword",
    .unit = "1",
    .better = -1,
    .size = sizeof(struct ppl),
    .signature = "exp(nats / subwords)|eos:counted",
    .begin = begin,
    .add = add,
    .end = end,
};
