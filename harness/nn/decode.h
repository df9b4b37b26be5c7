/*
 * decode: greedy and beam search, from encoder output to ids.  It computes one
 * position at a time, caches the keys and values of earlier positions, and
 * drops sentences that have ended.  train/evaluate.c calls it for each batch.
 *
 *     greedy   takes the most probable id at each position; with equal
 *              probabilities, the smallest id
 *     beam     keeps the `beam` best prefixes; a hypothesis of len ids,
 *              including eos, has the score  log p / ((5 + len) / 6)^alpha
 *              (Wu et al. 2016, arXiv 1609.08144, section 7), where p is its
 *              probability
 *
 * A hypothesis ends with eos or at the sentence's limit.  Beam search of a
 * sentence ends when `beam` hypotheses have ended and no unfinished prefix can
 * still reach a score above the worst score of these hypotheses.
 */
#pragma once

#include "harness/nn/transformer.h"

struct decoding {
    const int *source, *length; /* (b,n) (b)                            */
    int        b, n;
    const int *limit;           /* (b) maximum ids, including eos; <= N */
    int        start, eos;      /* first input id; id that ends a text  */
    int        beam;            /* 1: greedy                            */
    double     alpha;           /* >= 0                                 */
};

struct hypothesis {
    int   *id;
    int    n;            /* number of ids; 0: there is no such hypothesis,
                            because fewer than `beam` exist */
    double logp, score;  /* log p in nats; the score, see above   */
};

/* Decodes s->b sentences.  `beam` must be 1 or at most half of the vocabulary.
 * `out` (b,beam) receives the hypotheses of each sentence, the best first, with
 * ids allocated in `keep`.  `a` is scratch memory.  Resets t->kept. */
void decode(const struct model *m, struct tape *t, const struct decoding *s,
            struct arena *a, struct arena *keep, struct hypothesis *out);
