/*
 * decode: from encoder output to text, one position at a time, keys and values
 * of earlier positions cached, sentences that have ended left out.
 *
 *     greedy   the most probable id at each position, the first of equals
 *     beam     the `beam` best prefixes are kept; a hypothesis of len ids, eos
 *              counted, has the score  log p / ((5 + len) / 6)^alpha
 *              (Wu et al. 2016, arXiv 1609.08144, section 7)
 *
 * A sentence ends with eos or at its limit.  With a beam it ends when `beam`
 * hypotheses have ended and no prefix can still reach the worst of them.
 */
#pragma once

#include "harness/nn/transformer.h"

struct decoding {
    const int *source, *length; /* (b,n) (b)                              */
    int        b, n;
    const int *limit;           /* (b) ids at most, eos included, <= N    */
    int        start, eos;      /* the id before the first; the last one  */
    int        beam;            /* 1: greedy                              */
    double     alpha;           /* >= 0                                   */
};

struct hypothesis {
    int   *id;
    int    n;            /* 0: fewer hypotheses than the beam is wide     */
    double logp, score;  /* of the ids, nats; by length                   */
};

/* out (b,beam), the best first; ids from arena keep.  a: scratch memory.  What
 * t keeps begins anew. */
void decode(const struct model *m, struct tape *t, const struct decoding *s,
            struct arena *a, struct arena *keep, struct hypothesis *out);
