/*
 * Perplexity per word: exp(sum of -log p / words), where a word is what blanks
 * separate in the text and each sentence has one end mark that counts as one.
 * Comparable between tokenizers.
 */
#include "harness/metrics/metric.h"

#include <math.h>

struct ppl_word { double nll; long words; };

static void begin(void *self)
{
    *(struct ppl_word *)self = (struct ppl_word){0};
}

static void add(void *self, const struct seen *s)
{
    struct ppl_word *m = self;

    m->nll += s->nll;
    m->words += s->words;
}

static double end(void *self)
{
    const struct ppl_word *m = self;

    return m->words ? exp(m->nll / (double)m->words) : NAN;
}

const struct metric metric_ppl_word = {
    .name = "ppl_word",
    .title = "perplexity per word",
    .unit = "1",
    .better = -1,
    .size = sizeof(struct ppl_word),
    .signature = "exp(nats / words)|words:blank-separated|eos:one a sentence",
    .begin = begin,
    .add = add,
    .end = end,
};
