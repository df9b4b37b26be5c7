/*
 * Metrics that are the ratio of two sums over all examples:
 *
 *   ce              nats / target tokens; a class counts as one token
 *   token_accuracy  tokens whose most probable id, under teacher forcing, is
 *                   correct / target tokens; percent
 *   ppl             exp(nats / target tokens): comparable only with the same
 *                   tokenizer
 *   ppl_word        exp(nats / words), with words separated by blanks in the
 *                   text: comparable between tokenizers
 *   accuracy        examples whose label is predicted correctly / examples;
 *                   percent
 *
 * End marks are counted, one per sentence, as tokens and as words.
 */
#include "harness/metrics/metric.h"

#include <math.h>

struct ratio {
    double (*upper)(const struct answer *s), (*lower)(const struct answer *s);
    double (*of)(double sum, double of);
};

static double nll(const struct answer *s) { return s->nll; }
static double hits(const struct answer *s) { return (double)s->hits; }
static double right(const struct answer *s) { return s->got == s->want; }
static double tokens(const struct answer *s) { return (double)s->tokens; }
static double words(const struct answer *s) { return (double)s->words; }

static double one(const struct answer *s)
{
    (void)s;
    return 1;
}

static double mean(double sum, double of) { return sum / of; }
static double percent(double sum, double of) { return 100 * sum / of; }
static double perplexity(double sum, double of) { return exp(sum / of); }

static void measure(const struct metric *m, struct scored *out,
                    const struct answer *s, size_t n)
{
    const struct ratio *r = m->how;
    double sum = 0, of = 0;

    for (size_t i = 0; i < n; i++) {
        sum += r->upper(&s[i]);
        of += r->lower(&s[i]);
    }
    *out = (struct scored){.value = of > 0 ? r->of(sum, of) : NAN};
}

#define RATIO(id, label, in, sign, upper, lower, value, text)                 \
    const struct metric metric_##id = {                                       \
        .name = #id,                                                          \
        .title = label,                                                       \
        .unit = in,                                                           \
        .better = sign,                                                       \
        .signature = text,                                                    \
        .how = &(const struct ratio){upper, lower, value},                    \
        .measure = measure,                                                   \
    };

RATIO(ce, "cross-entropy", "nats/token", -1, nll, tokens, mean,
      "sum of nats / target tokens|eos:counted|smoothing:none")
RATIO(token_accuracy, "token accuracy", "%", 1, hits, tokens, percent,
      "teacher forcing|argmax|eos:counted")
RATIO(ppl, "perplexity per subword", "1", -1, nll, tokens, perplexity,
      "exp(nats / subwords)|eos:counted")
RATIO(ppl_word, "perplexity per word", "1", -1, nll, words, perplexity,
      "exp(nats / words)|words:blank-separated|eos:one a sentence")
RATIO(accuracy, "accuracy", "%", 1, right, one, percent, "argmax")
