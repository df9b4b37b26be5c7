/*
 * Metrics that are one sum over another, of all examples:
 *
 *   ce              nats / target tokens; of a class, one token: the label
 *   token_accuracy  tokens whose most probable id, under teacher forcing, is
 *                   the right one / target tokens; percent
 *   ppl             exp(nats / target tokens): comparable only under the same
 *                   tokenizer
 *   ppl_word        exp(nats / words), a word being what blanks separate in the
 *                   text: comparable between tokenizers
 *   accuracy        examples whose label is guessed right / examples; percent
 *
 * End marks are counted, one a sentence, as tokens and as words.
 */
#include "harness/metrics/metric.h"

#include <math.h>

struct ratio { double sum; long of; };

static void begin(void *self) { *(struct ratio *)self = (struct ratio){0}; }

static double mean(double sum, double of) { return sum / of; }
static double percent(double sum, double of) { return 100 * sum / of; }
static double perplexity(double sum, double of) { return exp(sum / of); }

#define RATIO(id, label, in, sign, upper, lower, value, how)                  \
    static void add_##id(void *self, const struct seen *s)                    \
    {                                                                         \
        struct ratio *m = self;                                               \
                                                                              \
        m->sum += (double)(upper);                                            \
        m->of += (lower);                                                     \
    }                                                                         \
    static double end_##id(void *self)                                        \
    {                                                                         \
        const struct ratio *m = self;                                         \
                                                                              \
        return m->of ? value(m->sum, (double)m->of) : NAN;                    \
    }                                                                         \
    const struct metric metric_##id = {                                       \
        .name = #id,                                                          \
        .title = label,                                                       \
        .unit = in,                                                           \
        .better = sign,                                                       \
        .size = sizeof(struct ratio),                                         \
        .signature = how,                                                     \
        .begin = begin,                                                       \
        .add = add_##id,                                                      \
        .end = end_##id,                                                      \
    };

RATIO(ce, "cross-entropy", "nats/token", -1, s->nll, s->tokens, mean,
      "sum of nats / target tokens|eos:counted|smoothing:none")
RATIO(token_accuracy, "token accuracy", "%", 1, s->hits, s->tokens, percent,
      "teacher forcing|argmax|eos:counted")
RATIO(ppl, "perplexity per subword", "1", -1, s->nll, s->tokens, perplexity,
      "exp(nats / subwords)|eos:counted")
RATIO(ppl_word, "perplexity per word", "1", -1, s->nll, s->words, perplexity,
      "exp(nats / words)|words:blank-separated|eos:one a sentence")
RATIO(accuracy, "accuracy", "%", 1, s->got == s->want, 1, percent, "argmax")
