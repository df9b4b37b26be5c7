/*
 * bleu: corpus BLEU of detokenised text as sacreBLEU 2.6.0 computes it (Post,
 * WMT 2018), one reference.  The statistics are integers, summed over the
 * segments.
 */
#ifndef METRICS_BLEU_H
#define METRICS_BLEU_H

enum { BLEU_ORDERS = 4 };

struct ngrams;

struct bleu_stats { /* [n-1]: n-grams */
    long correct[BLEU_ORDERS], total[BLEU_ORDERS]; /* clipped; of hypotheses */
    long hyp_words, ref_words;
};

struct bleu_score {
    double score, precision[BLEU_ORDERS]; /* percent */
    double brevity, ratio;                /* penalty; hyp_words / ref_words */
};

/* Adds one tokenised segment; g is scratch space. */
void bleu_add(struct bleu_stats *b, struct ngrams *g, const char *hyp,
              const char *ref);

struct bleu_score bleu_score(const struct bleu_stats *b);

#endif
